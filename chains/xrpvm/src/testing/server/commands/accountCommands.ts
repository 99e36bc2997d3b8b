import { formatValue } from '../../engine/amounts/issuedValue.js'
import { accountIn } from '../../engine/state/accounts.js'
import type { AccountRoot, Entry, RippleState } from '../../engine/state/entries.js'
import { balanceOn, hasLineFlag, limitOn, peerOf } from '../../engine/state/trustLines.js'
import type { StateReader } from '../../engine/state/view.js'
import type { AskedLedger, LedgerWindow } from '../ledgerWindow.js'
import { accountParam, limitParam, type Params } from './params.js'
import { rpcError } from './rpcError.js'
import type { Command } from './serverCommands.js'

const MOST_LISTED = 400

/** Commands about one account. */
export const accountCommands = (window: LedgerWindow): Readonly<Record<string, Command>> => ({
  account_info: (params) => {
    const { root, asked } = rootOf(window, params)
    return { account_data: root, ...whichLedger(asked) }
  },
  account_lines: (params) => {
    const { root, asked } = rootOf(window, params)
    const peer = params.peer === undefined ? undefined : accountParam(params, 'peer')
    const lines = ownEntries(asked.state, root.Account)
      .filter((entry) => entry.LedgerEntryType === 'RippleState')
      .filter((line) => peer === undefined || peerOf(line, root.Account) === peer)
    const { page, marker } = pageOf(lines, params, window)
    return {
      account: root.Account,
      ...{ lines: page.map((line) => lineAnswer(line, root.Account)), ...marker },
      ...whichLedger(asked),
    }
  },
  account_objects: (params) => {
    const { root, asked } = rootOf(window, params)
    const entries = ownEntries(asked.state, root.Account).filter((entry) => isOfType(entry, params))
    const { page, marker } = pageOf(entries, params, window)
    return { account: root.Account, account_objects: page, ...marker, ...whichLedger(asked) }
  },
})

const rootOf = (window: LedgerWindow, params: Params): { readonly root: AccountRoot; readonly asked: AskedLedger } => {
  const asked = window.asked(params)
  const account = accountParam(params)
  const root = accountIn(asked.state, account)
  if (root === undefined) throw rpcError('actNotFound', { account, ...whichLedger(asked) })
  return { root, asked }
}

const whichLedger = ({ number, closed }: AskedLedger) =>
  closed === null
    ? { ledger_current_index: number, validated: false }
    : { ledger_hash: closed.hash, ledger_index: number, validated: true }

const ownEntries = (state: StateReader, account: string): readonly Entry[] =>
  [...state.ofOwner(account)]
    .filter(({ LedgerEntryType }) => LedgerEntryType !== 'AccountRoot')
    .sort((one, other) => (one.index < other.index ? -1 : 1))

const pageOf = <T extends Entry>(entries: readonly T[], params: Params, window: LedgerWindow) => {
  const limit = limitParam(params, MOST_LISTED, window)
  const { marker } = params
  const from = marker === undefined ? 0 : entries.findIndex(({ index }) => `${index},0` === marker) + 1
  if (marker !== undefined && from === 0) throw rpcError('invalidParams', { error_message: "Invalid field 'marker'." })
  const page = entries.slice(from, from + limit)
  const next = from + limit < entries.length ? { limit, marker: `${page.at(-1)?.index},0` } : {}
  return { page, marker: next }
}

const lineAnswer = (line: RippleState, account: string) => {
  const peer = peerOf(line, account)
  return {
    account: peer,
    balance: formatValue(balanceOn(line, account)),
    currency: line.Balance.currency,
    limit: formatValue(limitOn(line, account)),
    limit_peer: formatValue(limitOn(line, peer)),
    no_ripple: hasLineFlag(line, account, 'noRipple'),
    no_ripple_peer: hasLineFlag(line, peer, 'noRipple'),
    ...(hasLineFlag(line, account, 'auth') ? { authorized: true } : {}),
    ...(hasLineFlag(line, peer, 'auth') ? { peer_authorized: true } : {}),
    ...(hasLineFlag(line, account, 'freeze') ? { freeze: true } : {}),
    ...(hasLineFlag(line, peer, 'freeze') ? { freeze_peer: true } : {}),
    ...{ quality_in: 0, quality_out: 0 },
  }
}

const TYPES: Readonly<Record<string, Entry['LedgerEntryType']>> = {
  ticket: 'Ticket',
  state: 'RippleState',
  escrow: 'Escrow',
  check: 'Check',
  deposit_preauth: 'DepositPreauth',
}

const isOfType = ({ LedgerEntryType }: Entry, { type }: Params): boolean =>
  type === undefined || TYPES[String(type)] === LedgerEntryType
