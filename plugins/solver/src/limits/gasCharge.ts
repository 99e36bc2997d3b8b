import { applyBps, BPS, larger } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import { amountForUsd, parseUsd } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'

type Simulated = Extract<Simulation, { ok: true }>

/** A fill that its order pays for, as it was simulated last and with the most its transaction may take; or the reason it does not. */
export type GasVerdict =
  | { readonly within: true; readonly simulation: Simulated; readonly feeLimit: bigint }
  | { readonly within: false; readonly message: string }

/**
 * Holds what a fill costs the network against what its order was charged for that (faults.md F124). Amounts are native smallest
 * units of the lane's chain. Above the charge the solver bears a tolerance: a share of the charge, or a few cents where that is
 * more. It covers a fee level that rose since the quote, too.
 */
export class GasCharge {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Of a fill that is decided; `charged` is what the deposit pays for its transaction. Throws ServiceError: try again later. */
  async judge(payout: Payout, simulation: Simulated, charged: bigint): Promise<GasVerdict> {
    const share = applyBps(charged, BPS + BigInt(this.#lane.options.gasToleranceBps), 'down')
    const cost = await this.#costOf(payout, simulation)
    if (cost <= share) return { within: true, simulation, feeLimit: share }
    const least = charged + (await this.#leastTolerance())
    return this.#within(payout, simulation, { cost, feeLimit: larger(share, least) })
  }

  /** Of a fill that was decided within `feeLimit` and has waited since. */
  async judgeAgain(payout: Payout, simulation: Simulated, feeLimit: bigint): Promise<GasVerdict> {
    return this.#within(payout, simulation, { cost: await this.#costOf(payout, simulation), feeLimit })
  }

  async #within(
    payout: Payout,
    simulation: Simulated,
    { cost, feeLimit }: { readonly cost: bigint; readonly feeLimit: bigint },
  ): Promise<GasVerdict> {
    if (cost <= feeLimit) return { within: true, simulation, feeLimit }
    // Gas that is merely known to be enough may be more than it takes.
    const exact = await this.#lane.chain.adapter.simulate(payout)
    const exactCost = exact.ok ? await this.#costOf(payout, exact) : cost
    if (exact.ok && exactCost <= feeLimit) return { within: true, simulation: exact, feeLimit }
    return {
      within: false,
      message: `the payment would cost ${exactCost} of the native currency, its order pays for ${feeLimit} at most`,
    }
  }

  async #costOf(payout: Payout, simulation: Simulated): Promise<bigint> {
    const { network } = await this.#lane.chain.adapter.estimatePayoutFee(payout, simulation)
    return network.amount
  }

  async #leastTolerance(): Promise<bigint> {
    const { chain, currencies, prices, options } = this.#lane
    const native = currencies.native(chain.config.id)
    const usd = parseUsd(options.gasToleranceUsd)
    if (native === undefined || usd === null || usd === 0n) return 0n
    const [price] = await prices.get([native])
    return price === undefined ? 0n : amountForUsd(usd, native, price.usd, 'down')
  }
}
