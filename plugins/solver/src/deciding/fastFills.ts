import { ServiceError } from '@causeway/core'
import { requireQuorum } from '@causeway/core/chain'
import {
  endFastFill,
  findQueuedFastFills,
  fitsUnsettledCap,
  putOffFastFill,
  type QueuedFastFill,
  startFastFill,
  troubleOf,
} from '@causeway/core/money-path'
import { failpoint, isBalanceTooLow, type Lease, type RepriceDecision, withLease } from '@causeway/core/plugin'
import { backoffMs, type LaneContext } from '../laneContext.js'
import { unsettledCapOf } from '../limits/unsettledCaps.js'
import { endsTheLane } from '../running/endsTheLane.js'
import { ItemTasks } from '../running/itemTasks.js'
import type { LaneTroubles } from '../running/laneTroubles.js'
import type { FillPayment, FillPlanner } from './fillPlanner.js'
import { isFill } from './recognisePayment.js'
import type { Witnesses } from './witnesses.js'

/** Decisions under way at once: those that hang must leave room for others. */
const MOST_AT_ONCE = 64
/** How often an order is looked at again that something paid which is not its fill: an operator must account for it. */
const HELD_BACK_MS = 30_000
/** How often one is looked at again that waits for deposits of its chain to settle. */
const CAP_POLL_MS = 1_000

/** Its origin chain is trusted with no more now. */
class BeyondCap extends Error {
  constructor() {
    super('Deposits of its chain must settle first: more is not paid ahead of them (limits.unsettledUsd)')
  }
}

/** How often a fast fill is re-read whose origin is on hold until it is compared with the configuration. */
const HELD_POLL_MS = 2_000

type Fill = Extract<RepriceDecision, { action: 'fill' }>

type Outcome =
  | { readonly kind: 'pay'; readonly item: QueuedFastFill; readonly payment: FillPayment }
  | { readonly kind: 'end'; readonly item: QueuedFastFill; readonly reason: string }
  | { readonly kind: 'later'; readonly item: QueuedFastFill; readonly at: number; readonly trouble: string | null }

export interface FastFillsDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
  readonly witnesses: Witnesses
  readonly planner: FillPlanner
  /** Called when a decision is there for which the last run did not wait. */
  readonly onLate: () => void
}

/** Decides the fast fills that pay out on this lane's chain: by the rules of a deposit that is to come (wire.md G.3). */
export class FastFills {
  readonly #deps: FastFillsDeps
  readonly #tasks: ItemTasks<Outcome>

  constructor(deps: FastFillsDeps) {
    this.#deps = deps
    this.#tasks = new ItemTasks({ most: MOST_AT_ONCE, onLate: deps.onLate })
  }

  /** Decides what is due, if something is, each in a commit of its own, conditional on the lease; returns how many. */
  async run(lease: Lease, isDue: boolean): Promise<number> {
    const { pool, clock, chain, options } = this.#deps.lane
    const limits = { batch: options.batch, except: this.#tasks.busy() }
    const due = isDue ? await findQueuedFastFills(pool, chain.config.id, clock.now(), limits) : []
    for (const item of due) if (!(await this.#tasks.start(item.fill.requestId, () => this.#decide(item)))) break
    const outcomes = await this.#tasks.take()
    for (const outcome of outcomes) {
      await this.#record(lease, outcome)
      this.#deps.planner.release(outcome.item.fill.requestId)
    }
    return outcomes.length
  }

  async #record(lease: Lease, outcome: Outcome): Promise<void> {
    const { pool, clock } = this.#deps.lane
    const { fill } = outcome.item
    if (outcome.kind === 'later') return putOffFastFill(pool, fill, outcome)
    await failpoint('fast-fill.decide.before')
    try {
      // A payment that was already made is lent, even beyond the cap.
      const isLending = outcome.kind === 'pay' && outcome.item.paid.length === 0
      const cap = isLending ? await unsettledCapOf(this.#deps.lane, fill.origin.chainId) : undefined
      await withLease(pool, lease, async (client) => {
        if (outcome.kind === 'end') return endFastFill(client, fill, outcome, clock.now())
        const lent = { currency: fill.origin.currency, amount: fill.amount }
        // In the transaction that lends: of two hosts the second sees what the first has lent.
        if (cap !== undefined && !(await fitsUnsettledCap(client, cap, lent, clock.now()))) throw new BeyondCap()
        return startFastFill(client, fill, outcome.payment, clock.now())
      })
    } catch (error) {
      if (endsTheLane(error)) throw error
      if (error instanceof BeyondCap)
        return putOffFastFill(pool, fill, { at: clock.now() + CAP_POLL_MS, trouble: error.message })
      // Its sponsor cannot pay any more.
      if (outcome.kind === 'pay' && isBalanceTooLow(error))
        return this.#record(lease, { kind: 'end', item: outcome.item, reason: 'SPONSOR_BALANCE_TOO_LOW' })
      return putOffFastFill(pool, fill, this.#inTrouble(outcome.item, error))
    }
    await failpoint('fast-fill.decide.after')
    this.#tell(outcome)
  }

  #tell(outcome: Exclude<Outcome, { kind: 'later' }>): void {
    const { observer, chain } = this.#deps.lane
    const { requestId } = outcome.item.fill
    if (outcome.kind === 'pay') observer.fastFill('started', chain.config.id, { requestId })
    else observer.fastFill('ended', chain.config.id, { requestId, reason: outcome.reason })
  }

  async #decide(item: QueuedFastFill): Promise<Outcome> {
    const { fill, terms } = item
    if (this.#deps.lane.chains.holdOf(fill.origin.chainId) !== null) return this.#later(item, HELD_POLL_MS)
    if (item.paid.length === 0 && fill.deadline <= this.#deps.lane.clock.now())
      return { kind: 'end', item, reason: 'ORDER_EXPIRED' }
    try {
      const testimony = await this.#deps.witnesses.ask(fill.origin.chainId)
      // What was read just now may have paid this order: it is looked at again at once.
      if (testimony === 'fresh') return this.#later(item, 0)
      if (testimony === 'unknown') return this.#later(item, backoffMs(fill.attempts))
      if (item.paid.length > 0 && !item.paid.some((paid) => isFill(this.#deps.lane, { terms }, paid)))
        return this.#heldBack(item)
      const { engine, clock } = this.#deps.lane
      const decision = await engine.reprice(terms, { amount: fill.amount, includedAt: clock.now() })
      if (decision.action === 'refund') return { kind: 'end', item, reason: decision.reason }
      return await this.#plan(item, decision)
    } catch (error) {
      if (endsTheLane(error)) throw error
      return { kind: 'later', item, ...this.#inTrouble(item, error) }
    }
  }

  /** Something else paid its order in a time that this database forgot: nothing more is paid for it (F120). */
  #heldBack(item: QueuedFastFill): Outcome {
    const transactions = item.paid.map(({ txId }) => txId)
    this.#deps.lane.log.error(
      { requestId: item.fill.requestId, transactions },
      'A transaction that is not its fill paid the order of a fast fill: nothing more is paid',
    )
    if (item.fill.deadline <= this.#deps.lane.clock.now()) return { kind: 'end', item, reason: 'ORDER_EXPIRED' }
    return this.#later(item, HELD_BACK_MS)
  }

  async #plan(item: QueuedFastFill, reprice: Fill): Promise<Outcome> {
    const { planner, lane } = this.#deps
    const { fill, terms, committed } = item
    const order = { requestId: fill.requestId, terms, committed }
    const plan = await planner.plan(order, reprice)
    if (plan.kind === 'unknown') return this.#later(item, backoffMs(fill.attempts))
    if (plan.kind === 'unfunded') return this.#withoutFunds(item)
    if (plan.kind === 'refused') return { kind: 'end', item, reason: plan.reason }
    requireQuorum(lane.chain)
    // What is left over of the deposit is not lent: it will be the wallet's.
    const lent = fill.amount - reprice.excess
    const { excess: _, ...data } = plan.payment.data
    const fastFill = { holder: fill.wallet, ...fill.origin, amount: lent.toString() }
    return { kind: 'pay', item, payment: { ...plan.payment, data: { ...data, fastFill } } }
  }

  /** Waits for funds as long as a deposit does. */
  #withoutFunds(item: QueuedFastFill): Outcome {
    const { clock, options } = this.#deps.lane
    if (Math.abs(clock.now() - item.fill.createdAt) < options.waitForFundsMs)
      return this.#later(item, backoffMs(item.fill.attempts))
    return { kind: 'end', item, reason: 'SOLVER_BALANCE_TOO_LOW' }
  }

  #later(item: QueuedFastFill, delayMs: number): Outcome {
    return { kind: 'later', item, at: this.#deps.lane.clock.now() + delayMs, trouble: null }
  }

  #inTrouble({ fill }: QueuedFastFill, error: unknown): { readonly at: number; readonly trouble: string | null } {
    const { troubles, lane } = this.#deps
    troubles.note('decide', `fast fill ${fill.requestId}`, { requestId: fill.requestId }, error)
    const at = lane.clock.now() + backoffMs(fill.attempts)
    return { at, trouble: ServiceError.is(error) || error instanceof Error ? troubleOf(error) : null }
  }
}
