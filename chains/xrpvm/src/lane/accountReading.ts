import { larger } from '@causeway/core'
import {
  type AccountReading,
  answerOf,
  type JsonRpcEndpoint,
  type LaneListing,
  type LaneMoment,
  type LaneSince,
  listBack,
  type SentTransaction,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { createsAccount } from '../read/balanceChanges.js'
import type { LedgerTransaction } from '../read/transactions.js'
import { UINT32 } from '../rpc/fields.js'
import { OLDEST_LEDGER, wholeSince } from '../rpc/ledgerRanges.js'
import { type Asked, askAccount, askAccountPage, askCaughtUp, askObjects, askOpenAccount } from '../rpc/xrpNode.js'

const MAIN_NETWORK = 0

const readTicket = answerOf(Type.Object({ LedgerEntryType: Type.Literal('Ticket'), TicketSequence: UINT32 }))

/**
 * Where a server stands: a validated ledger never leaves, so the newest is final (chains.md xrpvm 4). `history`: oldest ledger from which on
 * the server has all; above the newest where it has none.
 * @throws ServiceError when the node does not answer, or has not caught up
 */
export const askMoment = async (
  node: JsonRpcEndpoint,
): Promise<{ readonly moment: LaneMoment; readonly history: bigint }> => {
  const { validated, complete } = await askCaughtUp(node)
  const { height } = validated
  return { moment: { height }, history: wholeSince(complete, height) ?? height + 1n }
}

/**
 * The number that an account takes next, and its tickets, in a validated ledger and in the one that is being made (chains.md xrpvm 5).
 * @throws ServiceError when the node does not answer
 */
export const askNumbers = async (
  node: JsonRpcEndpoint,
  account: string,
  height: bigint,
): Promise<Pick<AccountReading, 'next' | 'aside'>> => {
  // An account that is deleted in the open ledger can send no more, although the validated ledger still has it.
  const [state, open] = await Promise.all([askAccount(node, account, height), askOpenAccount(node, account)])
  if (state === null) return { next: null, aside: { final: [], newest: [] } }
  const tickets = async (count: number, place: bigint | 'current') => {
    if (count === 0) return []
    const found = await askObjects(node, { account, type: 'ticket', height: place }, readTicket)
    return found.map(({ TicketSequence }) => BigInt(TicketSequence))
  }
  const [final, newest] = await Promise.all([
    tickets(state.tickets, height),
    tickets(open?.TicketCount ?? 0, 'current'),
  ])
  const next = { final: state.sequence, newest: larger(state.sequence, BigInt(open?.Sequence ?? 0)) }
  return { next, aside: { final, newest } }
}

/** Transactions that an account sent, on the network of an id. */
export interface SentQuestion {
  readonly account: string
  readonly since: LaneSince
  readonly networkId: number
  readonly sentOf: (transaction: LedgerTransaction) => SentTransaction
}

/**
 * Lists the transactions of an account in validated ledgers, from the newest back to where `since` begins.
 * @throws ServiceError when the node does not answer
 */
export const listSent = async (
  node: JsonRpcEndpoint,
  { account, since, networkId, sentOf }: SentQuestion,
): Promise<LaneListing> => {
  const { validated, complete } = await askCaughtUp(node)
  const { height } = validated
  const wanted = 'height' in since ? since.height + 1n : 1n
  // Each transaction costs its account a fee, which changes the account. One that is not there may have been, and sent something.
  const { changedAt = height } = (wanted > height ? null : await askAccount(node, account)) ?? {}
  if (wanted > height || changedAt < wanted) return { transactions: [] }
  const oldest = wholeSince(complete, height)
  if (oldest === null) return { transactions: [], gap: 'a server has no ledgers at all' }
  const isWhole = oldest <= wanted || oldest <= (networkId === MAIN_NETWORK ? OLDEST_LEDGER : 1n)
  return listBack({
    pages: pagesBack(node, { account, first: larger(oldest, wanted), last: height }),
    since,
    sentOf: (transaction) => (transaction.signed.Account === account ? sentOf(transaction) : null),
    isFirst: (transaction) => createsAccount(transaction, account),
    gap: isWhole ? null : `a server has no ledgers before ${oldest}`,
  })
}

async function* pagesBack(
  node: Asked,
  range: { readonly account: string; readonly first: bigint; readonly last: bigint },
): AsyncGenerator<readonly LedgerTransaction[]> {
  for (let marker = null; ; ) {
    const page = await askAccountPage(node, { ...range, marker, back: true })
    if (page === null) throw strangeAnswer('account_tx refuses ledgers that server_info names')
    yield page.transactions
    if (page.marker === null) return
    marker = page.marker
  }
}
