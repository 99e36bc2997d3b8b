import type { ClosedLedger, LedgerTx } from '../engine/closedLedger.js'
import type { NamedTx } from '../engine/transaction.js'
import { accountParam, isV2, type Params } from './commands/params.js'
import { rpcError } from './commands/rpcError.js'
import { resultFields } from './commands/submitCommands.js'
import { isoTime, shownTx } from './commands/transactionAnswer.js'
import type { LedgerWindow } from './ledgerWindow.js'

type Message = Readonly<Record<string, unknown>>

const STREAMS = new Set(['ledger', 'transactions', 'transactions_proposed'])
const IGNORED = new Set(['server', 'validations', 'consensus', 'manifests', 'peer_status'])

/** One who listens over a websocket. */
export class Subscriber {
  readonly streams = new Set<string>()
  readonly accounts = new Set<string>()
  readonly proposed = new Set<string>()
  readonly send: (message: Message) => void
  v2 = false

  constructor(send: (message: Message) => void) {
    this.send = send
  }

  hears(accounts: readonly string[], proposed: boolean): boolean {
    if (this.streams.has('transactions_proposed') || (!proposed && this.streams.has('transactions'))) return true
    return accounts.some((account) => this.proposed.has(account) || (!proposed && this.accounts.has(account)))
  }
}

/** Tells subscribers of ledgers and transactions, each once the server shows it. */
export class Streams {
  readonly #window: LedgerWindow
  readonly #subscribers = new Set<Subscriber>()
  #told: number

  constructor(window: LedgerWindow) {
    this.#window = window
    this.#told = window.validated.number
    window.ledger.onEvent((event) => {
      if (event.kind === 'closed') this.tell()
      else if (window.lag === 0) this.#tellProposed(event.pending, event.code)
    })
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber)
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
  }

  /** Tells of every ledger that is shown now and was not before. */
  tell(): void {
    const newest = this.#window.validated.number
    for (; this.#told < newest; this.#told++) this.#tellLedger(this.#window.ledger.closed(this.#told + 1))
  }

  subscribe(subscriber: Subscriber, params: Params): Message {
    subscriber.v2 = isV2(params)
    const { streams, accounts, proposed } = subjectsOf(params)
    for (const stream of streams) subscriber.streams.add(stream)
    for (const account of accounts) subscriber.accounts.add(account)
    for (const account of proposed) subscriber.proposed.add(account)
    return streams.includes('ledger') ? this.#ledgerFields(this.#window.validated) : {}
  }

  unsubscribe(subscriber: Subscriber, params: Params): Message {
    const { streams, accounts, proposed } = subjectsOf(params)
    for (const stream of streams) subscriber.streams.delete(stream)
    for (const account of accounts) subscriber.accounts.delete(account)
    for (const account of proposed) subscriber.proposed.delete(account)
    return {}
  }

  #ledgerFields({ number, hash, closeTime }: ClosedLedger): Message {
    const { baseFee, reserveBase, reserveIncrement, networkId } = this.#window.ledger.rules
    return {
      ...{ fee_base: Number(baseFee), ledger_hash: hash, ledger_index: number, ledger_time: closeTime },
      ...{ network_id: networkId, reserve_base: Number(reserveBase), reserve_inc: Number(reserveIncrement) },
      validated_ledgers: this.#window.completeLedgers(),
    }
  }

  #tellLedger(ledger: ClosedLedger): void {
    const { transactions } = ledger
    const closed = { type: 'ledgerClosed', ...this.#ledgerFields(ledger), txn_count: transactions.length }
    for (const subscriber of this.#subscribers) {
      if (subscriber.streams.has('ledger')) subscriber.send(closed)
      for (const one of transactions) {
        if (subscriber.hears(one.accounts, false)) subscriber.send(validatedMessage(one, ledger, subscriber.v2))
      }
    }
  }

  #tellProposed(pending: NamedTx, code: string): void {
    const { Account, Destination = Account } = pending.tx
    for (const subscriber of this.#subscribers) {
      if (!subscriber.hears([Account, Destination], true)) continue
      subscriber.send({
        ...{ type: 'transaction', status: 'proposed', validated: false, ...resultFields(code) },
        ledger_current_index: this.#window.validated.number + 1,
        ...namedTx(pending, {}, subscriber.v2),
      })
    }
  }
}

const namedTx = ({ tx, hash }: NamedTx, more: Message, v2: boolean): Message =>
  v2 ? { hash, tx_json: { ...shownTx(tx, v2), ...more } } : { transaction: { ...shownTx(tx, v2), ...more, hash } }

const validatedMessage = (one: LedgerTx, ledger: ClosedLedger, v2: boolean): Message => ({
  ...{ type: 'transaction', status: 'closed', validated: true, ...resultFields(one.meta.TransactionResult) },
  ...{ ledger_hash: ledger.hash, ledger_index: ledger.number, meta: one.meta },
  ...(v2 ? { close_time_iso: isoTime(ledger.closeTime) } : {}),
  ...namedTx(one, { date: ledger.closeTime, ...(v2 ? { ledger_index: ledger.number } : {}) }, v2),
})

const subjectsOf = (params: Params) => {
  const { streams = [], accounts = [], accounts_proposed = [] } = params
  if (![streams, accounts, accounts_proposed].every(Array.isArray)) throw rpcError('invalidParams')
  const addresses = (list: unknown): readonly string[] => [list].flat().map((account) => accountParam({ account }))
  const named = [streams].flat().filter((stream) => !IGNORED.has(String(stream)))
  if (!named.every((stream) => STREAMS.has(String(stream)))) throw rpcError('malformedStream')
  return { streams: named.map(String), accounts: addresses(accounts), proposed: addresses(accounts_proposed) }
}
