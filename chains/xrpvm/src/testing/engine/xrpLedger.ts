import { BlockStore, type LedgerEngine, VersionedState } from '@causeway/core/testing'
import { fundingTransactions } from '../node/funding.js'
import type { Amount } from './amounts/amount.js'
import { applyTransaction, type Outcome } from './applyTransaction.js'
import { type ClosedLedger, closeTimeOf, type LedgerTx } from './closedLedger.js'
import { type LedgerRules, leastFee, type Place } from './ledgerRules.js'
import { OpenLedger } from './openLedger.js'
import { nameTransaction } from './readBlob.js'
import { isIncluded } from './refusal.js'
import { accountIn, newAccount } from './state/accounts.js'
import { accountsOf, type Entry } from './state/entries.js'
import { sha512Half } from './state/entryIndex.js'
import { affectedAccounts, affectedNodes, threadChanges } from './state/metadata.js'
import { viewOf } from './state/view.js'
import { GENESIS_ACCOUNT, type NamedTx, type Tx, type UnsignedTx } from './transaction.js'

const ALL_DROPS = 100_000_000_000_000_000n
const FIRST_LEDGERS = 5
const DELIVERING = new Set(['Payment', 'CheckCash', 'AccountDelete'])

/** Fees that the server asks for, in drops. */
export interface FeeSettings {
  /** Multiple of the base fee that a transaction must pay at least. */
  load: number
  /** A transaction that pays less waits in the queue. */
  openLedgerFee: bigint
  medianFee: bigint
  /** Every transaction waits in the queue for the next ledger. */
  queueAll: boolean
}

type ProposedListener = (pending: NamedTx, code: string) => void

/** A network of one server: it accepts transactions and closes ledgers. */
export class XrpLedger implements LedgerEngine<LedgerTx, ClosedLedger> {
  readonly rules: LedgerRules
  readonly settings = { load: 1, openLedgerFee: 0n, medianFee: 5000n, queueAll: false, holding: false }
  readonly blocks = new BlockStore<LedgerTx, ClosedLedger>({
    idOf: ({ hash }) => hash,
    accountsOf: ({ accounts }) => accounts,
    first: 1,
    digest: (texts) => sha512Half(Buffer.from(texts.join(':'))),
  })
  readonly state = new VersionedState<Entry>(accountsOf)
  readonly #listeners = new Set<ProposedListener>()
  #open: OpenLedger

  constructor(networkId: number) {
    this.rules = { networkId, baseFee: 10n, reserveBase: 1_000_000n, reserveIncrement: 200_000n }
    this.blocks.add({ totalCoins: ALL_DROPS, transactions: [] })
    const root = newAccount(GENESIS_ACCOUNT, ALL_DROPS, 1)
    this.state.write(1, [{ index: root.index, before: undefined, after: root }])
    this.#open = this.#begin()
    for (let made = 1; made < FIRST_LEDGERS; made++) this.close()
  }

  get tip(): ClosedLedger {
    return this.blocks.head
  }

  get open(): OpenLedger {
    return this.#open
  }

  /** Of the open ledger. */
  get place(): Place {
    return this.#open.place
  }

  /** Drops that a transaction must pay to come into the open ledger at once. */
  costOf(tx: Pick<Tx, 'TransactionType'>): bigint {
    const [least, { openLedgerFee }] = [leastFee(tx, this.place), this.settings]
    if (least > openLedgerFee) return least
    return openLedgerFee
  }

  /** Calls the listener with each transaction that comes into the open ledger. */
  onProposed(listener: ProposedListener): void {
    this.#listeners.add(listener)
  }

  /** Accepts a transaction. Returns its preliminary result. */
  submit(named: NamedTx, { trusted = false } = {}): string {
    if (this.blocks.find(named.hash) !== undefined) return 'tefALREADY'
    const pending = { ...named, trusted, held: this.settings.holding && !trusted }
    const code = this.#open.submit(pending)
    if (isIncluded(code)) for (const listener of this.#listeners) listener(pending, code)
    return code
  }

  /** Applies a transaction for its account, without a key or a fee. Returns its hash. @throws Error with the result if it fails */
  apply(given: UnsignedTx): string {
    const named = nameTransaction(this.filled({ Fee: '0', ...given }))
    const code = this.submit(named, { trusted: true })
    if (code === 'tesSUCCESS') return named.hash
    throw new Error(`The ledger refuses ${given.TransactionType} of ${given.Account}: ${code}`)
  }

  /** Fills in what a transaction leaves out. */
  filled(given: UnsignedTx): Tx {
    const { networkId } = this.rules
    return {
      Fee: `${this.costOf(given)}`,
      SigningPubKey: '',
      Sequence: given.TicketSequence === undefined ? (accountIn(this.open.state, given.Account)?.Sequence ?? 0) : 0,
      ...(networkId > 1024 ? { NetworkID: networkId } : {}),
      ...given,
    }
  }

  /** Drops of XRP, or an issued currency (`<CURRENCY>.<issuer>`, in units of 15 decimals) that the account is made to trust. */
  fund(address: string, amount: bigint, currency?: string): void {
    for (const tx of fundingTransactions(address, amount, currency)) this.apply(tx)
  }

  /** The effect of a transaction on the open ledger. */
  simulate(tx: Tx): Outcome {
    return applyTransaction(this.#open.state, tx, this.#open.place)
  }

  hold(): void {
    this.settings.holding = true
  }

  release(drop: boolean): void {
    this.settings.holding = false
    const { applied, queued, early } = this.#open
    const kept = [...applied, ...early].filter(({ held }) => !(drop && held))
    const queue = queued.filter(({ held }) => !(drop && held))
    for (const pending of [...kept, ...queue]) pending.held = false
    this.#open = this.#begin()
    this.#open.refill(kept, queue)
  }

  /** Closes the open ledger and begins the next one. */
  close(): ClosedLedger {
    const open = this.#open
    const ledger = this.#seal(open)
    this.#open = this.#begin()
    const left = [...open.applied, ...open.early].filter(({ hash }) => this.blocks.find(hash) === undefined)
    this.#open.refill(left, open.queued)
    return ledger
  }

  #seal(open: OpenLedger): ClosedLedger {
    // Transactions of the open ledger have paid the fee that the server asked for then.
    const place = { ...open.place, load: 1 }
    const view = viewOf(this.state.at(this.tip.height))
    const transactions: LedgerTx[] = []
    let { totalCoins } = this.tip
    for (const pending of open.applied.filter(({ held }) => !held)) {
      const outcome = applyTransaction(view, pending.tx, place, pending)
      if (!isIncluded(outcome.code)) continue
      const changes = threadChanges(outcome.changes, pending.hash, place.ledger)
      view.take(changes)
      totalCoins -= BigInt(pending.tx.Fee)
      transactions.push(describeTransaction(pending, { ...outcome, changes }, transactions.length))
    }
    this.state.write(place.ledger, view.changes())
    return this.blocks.add({ transactions, totalCoins })
  }

  #begin(): OpenLedger {
    const { rules, settings, tip } = this
    // The load may change while the ledger is open.
    const place = {
      ...{ rules, ledger: tip.height + 1, parentCloseTime: closeTimeOf(tip) },
      get load() {
        return settings.load
      },
    }
    return new OpenLedger({ parent: this.state.at(tip.height), place, fees: settings })
  }
}

/** A transaction with its metadata. */
export const describeTransaction = (
  { tx, hash, blob }: NamedTx,
  { code, changes, delivered }: Outcome,
  index: number,
): LedgerTx => {
  const AffectedNodes = affectedNodes(changes)
  const tells = delivered !== undefined && DELIVERING.has(tx.TransactionType)
  return {
    ...{ tx, hash, blob, accounts: affectedAccounts(AffectedNodes) },
    meta: {
      ...{ AffectedNodes, TransactionIndex: index, TransactionResult: code },
      ...(tells ? { delivered_amount: delivered satisfies Amount } : {}),
    },
  }
}
