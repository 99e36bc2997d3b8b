import { requireQuorum } from '@causeway/core/chain'
import {
  type FailedCall,
  fillFormData,
  keptData,
  type NewPayout,
  readFreeBalance,
  readSpendable,
  simulatedData,
} from '@causeway/core/money-path'
import { type FailReason, fillByTerms, type QuoteTerms, type RepriceDecision } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'
import { GasCharge } from '../limits/gasCharge.js'
import { refusalReason } from './refusalReason.js'

/** An order that is to be filled. */
export interface PlannedOrder {
  readonly requestId: NonNullable<NewPayout['requestId']>
  readonly terms: QuoteTerms
  /** Inventory is kept for it. */
  readonly committed: boolean
}

/** What a fill pays, without what it rests on. */
export type FillPayment = Omit<NewPayout, 'depositId' | 'cause' | 'purpose'>

/** A fill that can be paid now, or why not: for good, for want of funds, or because the chain gave no answer. */
export type FillPlan =
  | { readonly kind: 'fill'; readonly payment: FillPayment }
  | {
      readonly kind: 'refused'
      readonly reason: FailReason
      readonly message: string | null
      readonly call: FailedCall | null
    }
  | { readonly kind: 'unfunded' }
  | { readonly kind: 'unknown' }

type Fill = Extract<RepriceDecision, { action: 'fill' }>

const refused = (reason: FailReason, message: string | null, call: FailedCall | null = null): FillPlan => ({
  kind: 'refused',
  reason,
  message,
  call,
})

/** Plans the fills of a lane: within its limits, covered by its inventory, simulated, and for the gas that their orders pay for. */
export class FillPlanner {
  readonly #lane: LaneContext
  readonly #gas: GasCharge
  /** Promised by plans that are not yet in the database, by request. */
  readonly #reserved = new Map<string, ReadonlyMap<string, bigint>>()

  constructor(lane: LaneContext) {
    this.#lane = lane
    this.#gas = new GasCharge(lane)
  }

  /** The plan is in the database, or was given up. */
  release(requestId: string): void {
    this.#reserved.delete(requestId)
  }

  /** Throws ServiceError where chain or prices cannot be asked: try again later. */
  async plan(order: PlannedOrder, reprice: Fill): Promise<FillPlan> {
    const { terms } = order
    if (!(await this.#sponsored(reprice))) return refused('SPONSOR_BALANCE_TOO_LOW', null)
    if (this.#neverFits(order, reprice)) return refused('SOLVER_CAPACITY_EXCEEDED', null)
    if (!(await this.#covered(order, reprice.amount))) return { kind: 'unfunded' }
    const payout = fillByTerms(terms, { from: this.#lane.address, amount: reprice.amount, swap: reprice.swap })
    const simulation = await this.#lane.chain.adapter.simulate(payout, 'bound')
    // After the last answer the fill is decided by, so that it did not come from a node that was the only one left.
    requireQuorum(this.#lane.chain)
    if (!simulation.ok) {
      if (simulation.kind === 'transient') return { kind: 'unknown' }
      if (simulation.kind === 'insufficient-funds') return { kind: 'unfunded' }
      return refused(refusalReason(simulation), simulation.message, simulation.call)
    }
    const gas = await this.#gas.judge(payout, simulation, reprice.networkFee)
    if (!gas.within) return refused('QUOTED_GAS_LIMIT_EXCEEDED', gas.message)
    return {
      kind: 'fill',
      payment: {
        requestId: order.requestId,
        orderId: terms.orderId,
        chainId: terms.destination.chainId,
        signer: this.#lane.address,
        recipient: terms.recipient,
        currency: terms.destination.currency,
        amount: reprice.amount,
        fees: reprice.fees,
        data: {
          ...simulatedData(gas.simulation),
          feeLimit: gas.feeLimit.toString(),
          ...fillFormData(payout),
          ...keptData(terms, reprice),
        },
        at: this.#lane.clock.now(),
      },
    }
  }

  /** Whether the balance of its sponsor, if it has one, covers what the sponsor is to pay (wire.md D.9, faults.md F69). */
  async #sponsored({ sponsorship }: Fill): Promise<boolean> {
    if (sponsorship === undefined || sponsorship.amount === 0n) return true
    return (await readFreeBalance(this.#lane.pool, sponsorship)) >= sponsorship.amount
  }

  /** More than the key may sign away in an hour, its fee and native currency beside it included: waiting would not help. */
  #neverFits({ terms }: PlannedOrder, { amount, networkFee }: Fill): boolean {
    const { chain, limits } = this.#lane
    const native = { currency: chain.adapter.native.address, amount: networkFee + (terms.topup?.amount ?? 0n) }
    return limits.some((limit) => {
      const spends = [{ currency: terms.destination.currency, amount }, native]
      const spent = spends.reduce((sum, spend) => (spend.currency === limit.currency ? sum + spend.amount : sum), 0n)
      return spent > limit.amount
    })
  }

  /** Whether the inventory covers the fill, and what comes beside it, beyond what is kept for this very request. */
  async #covered({ requestId, committed, terms }: PlannedOrder, amount: bigint): Promise<boolean> {
    const { topup, destination } = terms
    const needs = new Map([[destination.currency, committed ? amount - terms.payoutAmount : amount]])
    if (topup !== undefined && !committed) {
      needs.set(topup.currency, (needs.get(topup.currency) ?? 0n) + topup.amount)
    }
    const needed = [...needs].filter(([, missing]) => missing > 0n)
    const free = await Promise.all(
      needed.map(([currency]) => readSpendable(this.#lane.pool, destination.chainId, currency)),
    )
    // From here on nobody else runs: what fits is reserved as a whole.
    const reserved = (currency: string): bigint =>
      [...this.#reserved.values()].reduce((sum, promised) => sum + (promised.get(currency) ?? 0n), 0n)
    const fits = needed.every(([currency, missing], at) => (free[at] ?? -1n) - reserved(currency) >= missing)
    if (fits && needed.length > 0) this.#reserved.set(requestId, new Map(needed))
    return fits
  }
}
