import { NATIVE } from '../../adapter/ledgerChain/src/address.js'
import type { SimBranch } from './simBranch.js'
import type { SimState } from './simState.js'
import { type SimTransfer, simId } from './simTransaction.js'

/** A replacement must offer so many per cent more than what it replaces. */
const DEARER_PERCENT = 10n

/** Whether numbers of an account bind (final) or only tell equal transfers apart (reorging). */
export type SimKind = 'final' | 'reorging'

/** Transfers that wait for a block, in the order in which they came; also some that are late for the next one. */
export class SimPool {
  readonly #kind: SimKind
  #waiting: SimTransfer[] = []

  constructor(kind: SimKind) {
    this.#kind = kind
  }

  get waiting(): readonly SimTransfer[] {
    return this.#waiting
  }

  has(id: string): boolean {
    return this.#waiting.some((transfer) => simId(transfer) === id)
  }

  /** Takes a transfer that no block of the branch holds. Throws an Error whose message is a code. */
  add(transfer: SimTransfer, { head, state }: SimBranch): void {
    if (this.has(simId(transfer))) return
    if (transfer.validUntil <= head.height) throw new Error('EXPIRED')
    if (state.balance(transfer.account, NATIVE) < BigInt(transfer.fee)) throw new Error('NO_FEE')
    if (this.#kind === 'final') this.#makeRoom(transfer, state.sequence(transfer.account))
    this.#waiting.push(transfer)
  }

  /** Puts transfers back that were in a block. */
  restore(transfers: readonly SimTransfer[]): void {
    this.#waiting = [...transfers, ...this.#waiting]
  }

  /** Forgets what no block above this height can take any more. */
  expire(height: number): void {
    this.#waiting = this.#waiting.filter(({ validUntil }) => validUntil > height)
  }

  /** All of it, which is empty then. */
  drain(): SimTransfer[] {
    return this.#waiting.splice(0)
  }

  /** Of one number of an account one transfer waits: the dearest. */
  #makeRoom({ account, sequence, fee }: SimTransfer, next: number): void {
    if (sequence < next) throw new Error('SEQUENCE_USED')
    const at = this.#waiting.findIndex((other) => other.account === account && other.sequence === sequence)
    const other = this.#waiting[at]
    if (other === undefined) return
    if (BigInt(fee) * 100n < BigInt(other.fee) * (100n + DEARER_PERCENT)) throw new Error('UNDERPRICED')
    this.#waiting.splice(at, 1)
  }
}

/** The number that an account takes next where all of these wait that follow each other. */
export const sequenceWith = (state: SimState, waiting: readonly SimTransfer[], account: string): number => {
  const numbers = new Set(waiting.filter((transfer) => transfer.account === account).map(({ sequence }) => sequence))
  let next = state.sequence(account)
  while (numbers.has(next)) next += 1
  return next
}
