import { larger, RecentMap, smaller } from '@causeway/core'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { type LaneTransaction, nonceGuard } from './laneTransaction.js'
import { namedMinimum } from './namedMinimum.js'

const MAX_NONCES = 1000

/** A quarter above what a node estimates or names: the part for a parent chain changes from block to block. */
export const withMargin = (gas: bigint): bigint => (gas * 5n) / 4n

/** Minimums that nodes named when they refused transactions, for the next version of each (faults.md F166). */
export class RefusedLimits {
  readonly #fees: Pick<FeeSource, 'requireTip'>
  readonly #most: bigint
  /** By nonce guard. */
  readonly #gas = new RecentMap<string, bigint>(MAX_NONCES)

  /** `most`: gas that no transaction of this chain is given because of a refusal. */
  constructor(deps: { readonly fees: Pick<FeeSource, 'requireTip'>; readonly most: bigint }) {
    this.#fees = deps.fees
    this.#most = deps.most
  }

  /** Keeps the minimum that a refusal names: the tip for all that follow, the gas for this nonce. */
  note(tx: LaneTransaction, message: string): void {
    const { gas, tip } = namedMinimum(message)
    if (tip !== undefined) this.#fees.requireTip(tip)
    if (gas === undefined) return
    const guard = nonceGuard(tx.from, tx.nonce)
    this.#gas.set(guard, gas === null ? 2n * tx.gas : withMargin(gas))
  }

  /** Gas limit of the next version of a transaction: its own, unless a node refused that. */
  gasOf({ from, nonce, gas }: Pick<LaneTransaction, 'from' | 'nonce' | 'gas'>): bigint {
    return larger(gas, this.bounded(this.#gas.get(nonceGuard(from, nonce)) ?? 0n))
  }

  /** Not more than any transaction may use, whatever a node says. */
  bounded(gas: bigint): bigint {
    return smaller(gas, this.#most)
  }
}
