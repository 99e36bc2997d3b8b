import { type NodeSocket, Subscribers } from '@causeway/core/testing'
import { type ClosedLedger, closeTimeOf } from '../engine/closedLedger.js'
import { accountParam, type Params } from './commands/params.js'
import { rpcError } from './commands/rpcError.js'
import { resultFields } from './commands/submitCommands.js'
import { placedFields, shownTx } from './commands/transactionAnswer.js'
import type { LedgerWindow } from './ledgerWindow.js'

type Message = Readonly<Record<string, unknown>>

const STREAMS = new Set(['ledger', 'transactions', 'transactions_proposed'])
const IGNORED = new Set(['server', 'validations', 'consensus', 'manifests', 'peer_status'])

/** Subjects of one client: streams, `account:<address>` and `proposed:<address>`. */
type Subjects = Set<string>

const hears = (subjects: Subjects, accounts: readonly string[], isProposed: boolean): boolean =>
  subjects.has('transactions_proposed') ||
  (!isProposed && subjects.has('transactions')) ||
  accounts.some((one) => subjects.has(`proposed:${one}`) || (!isProposed && subjects.has(`account:${one}`)))

/** Sends ledgers and transactions to subscribers as soon as the server shows them. */
export class Streams {
  readonly #window: LedgerWindow
  readonly #clients = new Subscribers<Subjects>()

  constructor(window: LedgerWindow) {
    this.#window = window
    window.view.onBlock((ledger) => this.#sendLedger(ledger))
    window.ledger.onProposed((pending, code) => {
      if (!window.view.isCurrent) return
      const { Account, Destination = Account } = pending.tx
      const message = {
        ...{ type: 'transaction', status: 'proposed', validated: false, ...resultFields(code) },
        ...{ ledger_current_index: window.validated.height + 1, hash: pending.hash, tx_json: shownTx(pending.tx) },
      }
      this.#clients.send((subjects) => (hears(subjects, [Account, Destination], true) ? message : undefined))
    })
  }

  /** Opens the subscriptions of a connection. */
  open(socket: NodeSocket): Readonly<Record<string, (params: Params) => Message>> {
    const subjects = this.#clients.add(socket, new Set())
    return {
      subscribe: (params) => {
        const named = subjectsOf(params)
        for (const subject of named) subjects.add(subject)
        return named.includes('ledger') ? this.#ledgerFields(this.#window.validated) : {}
      },
      unsubscribe: (params) => {
        for (const subject of subjectsOf(params)) subjects.delete(subject)
        return {}
      },
    }
  }

  #ledgerFields({ height, hash, ...ledger }: ClosedLedger): Message {
    const { baseFee, reserveBase, reserveIncrement, networkId } = this.#window.ledger.rules
    return {
      ...{ fee_base: Number(baseFee), ledger_hash: hash, ledger_index: height, ledger_time: closeTimeOf(ledger) },
      ...{ network_id: networkId, reserve_base: Number(reserveBase), reserve_inc: Number(reserveIncrement) },
      validated_ledgers: this.#window.completeLedgers(),
    }
  }

  #sendLedger(ledger: ClosedLedger): void {
    const { transactions } = ledger
    const closed = { type: 'ledgerClosed', ...this.#ledgerFields(ledger), txn_count: transactions.length }
    this.#clients.send((subjects) => (subjects.has('ledger') ? closed : undefined))
    for (const tx of transactions) {
      const fields = placedFields({ tx, block: ledger })
      const message = { type: 'transaction', status: 'closed', ...resultFields(tx.meta.TransactionResult), ...fields }
      this.#clients.send((subjects) => (hears(subjects, tx.accounts, false) ? message : undefined))
    }
  }
}

const subjectsOf = (params: Params): readonly string[] => {
  const { streams = [], accounts = [], accounts_proposed = [] } = params
  if (![streams, accounts, accounts_proposed].every(Array.isArray)) throw rpcError('invalidParams')
  const named = [streams]
    .flat()
    .map(String)
    .filter((stream) => !IGNORED.has(stream))
  if (!named.every((stream) => STREAMS.has(stream))) throw rpcError('malformedStream')
  const addresses = (kind: string, list: unknown) =>
    [list].flat().map((account) => `${kind}:${accountParam({ account })}`)
  return [...named, ...addresses('account', accounts), ...addresses('proposed', accounts_proposed)]
}
