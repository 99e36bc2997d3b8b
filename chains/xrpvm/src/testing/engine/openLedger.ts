import { applyTransaction } from './applyTransaction.js'
import type { Place } from './ledgerRules.js'
import { isIncluded } from './refusal.js'
import { accountIn } from './state/accounts.js'
import { type StateReader, type View, viewOf } from './state/view.js'
import { type NamedTx, sequenceOf } from './transaction.js'

/** Most transactions of one account that wait, for the queue and for a number before theirs alike. */
const MOST_WAITING = 10

/** A transaction that a server took in. */
export interface Pending extends NamedTx {
  /** It does not come into a ledger until it is let go. */
  held: boolean
  readonly trusted: boolean
}

/** What a server charges for a place in the open ledger. */
export interface OpenFees {
  /** Drops; what pays less waits in the queue. */
  openLedgerFee: bigint
  /** Everything waits in the queue for the next ledger. */
  queueAll: boolean
}

/** The ledger that is being made, with what waits to come into it. */
export class OpenLedger {
  readonly place: Place
  readonly state: View
  /** In it, in order. */
  readonly applied: Pending[] = []
  /** For a cheaper ledger, in order. */
  readonly queued: Pending[] = []
  /** For the numbers before theirs. */
  readonly early: Pending[] = []
  readonly #fees: OpenFees

  constructor(parts: { readonly parent: StateReader; readonly place: Place; readonly fees: OpenFees }) {
    this.place = parts.place
    this.state = viewOf(parts.parent)
    this.#fees = parts.fees
  }

  /** Everything that a server which starts from here still has to bring into a ledger. */
  get waiting(): readonly Pending[] {
    return [...this.applied, ...this.queued, ...this.early]
  }

  has(hash: string): boolean {
    return this.waiting.some((pending) => pending.hash === hash)
  }

  /** Takes a transaction in: into the ledger, or into what waits. Returns its result. */
  submit(pending: Pending): string {
    if (this.has(pending.hash)) return 'tefALREADY'
    const waits = this.#queuedOf(pending.tx.Account).length > 0 && this.#isAfterQueued(pending)
    const isCheap = BigInt(pending.tx.Fee) < this.#fees.openLedgerFee || this.#fees.queueAll
    if (!pending.trusted && (isCheap || waits)) return this.#queue(pending, waits)
    return this.enter(pending)
  }

  /** Brings a transaction into the ledger if it can be. Returns its result. */
  enter(pending: Pending): string {
    const { code, changes } = applyTransaction(this.state, pending.tx, this.place, pending)
    if (isIncluded(code)) {
      this.state.take(changes)
      this.applied.push(pending)
      this.#enterNext(pending.tx.Account)
    }
    if (code === 'terPRE_SEQ') this.#keepEarly(pending)
    return code
  }

  /** Takes transactions of a server that had begun another ledger. */
  refill(waiting: readonly Pending[], queued: readonly Pending[]): void {
    const inTime = ({ tx }: Pending) =>
      tx.LastLedgerSequence === undefined || tx.LastLedgerSequence >= this.place.ledger
    for (const pending of waiting.filter(inTime)) this.enter(pending)
    for (const pending of queued.filter(inTime)) {
      if (BigInt(pending.tx.Fee) < this.#fees.openLedgerFee) this.queued.push(pending)
      else this.enter(pending)
    }
  }

  #queuedOf(account: string): readonly Pending[] {
    return this.queued.filter(({ tx }) => tx.Account === account)
  }

  #isAfterQueued({ tx }: Pending): boolean {
    const next = accountIn(this.state, tx.Account)?.Sequence ?? 0
    return tx.TicketSequence === undefined && tx.Sequence >= next
  }

  #queue(pending: Pending, waits: boolean): string {
    const { tx } = pending
    const own = this.#queuedOf(tx.Account)
    const at = own.find((other) => sequenceOf(other.tx) === sequenceOf(tx))
    if (at !== undefined) return this.#replace(at, pending)
    const before = viewOf(this.state)
    if (waits) {
      for (const other of own) before.take(applyTransaction(before, other.tx, this.place).changes)
    }
    const { code } = applyTransaction(before, tx, this.place)
    if (code === 'terPRE_SEQ') this.#keepEarly(pending)
    if (!isIncluded(code)) return code
    if (own.length >= MOST_WAITING) return 'telCAN_NOT_QUEUE_FULL'
    this.queued.push(pending)
    return 'terQUEUED'
  }

  #replace(old: Pending, pending: Pending): string {
    // At least a quarter more.
    if (BigInt(pending.tx.Fee) * 4n < BigInt(old.tx.Fee) * 5n) return 'telCAN_NOT_QUEUE_FEE'
    const place = this.queued.indexOf(old)
    this.queued.splice(place, 1)
    const isCheap = BigInt(pending.tx.Fee) < this.#fees.openLedgerFee || this.#fees.queueAll
    if (!isCheap) return this.enter(pending)
    this.queued.splice(place, 0, pending)
    return 'terQUEUED'
  }

  #keepEarly(pending: Pending): void {
    const own = this.early.filter(({ tx }) => tx.Account === pending.tx.Account)
    if (own.length < MOST_WAITING) this.early.push(pending)
  }

  #enterNext(account: string): void {
    const next = accountIn(this.state, account)?.Sequence
    const at = this.early.findIndex(({ tx }) => tx.Account === account && tx.Sequence === next)
    const [pending] = at === -1 ? [] : this.early.splice(at, 1)
    if (pending !== undefined) this.enter(pending)
  }
}
