import { type Hex, ServiceError, storedTx } from '@causeway/core'
import { requireQuorum } from '@causeway/core/chain'
import {
  capUnsettled,
  type Decision,
  type FailedCall,
  findOpenDecisions,
  judgeDeposit,
  type OpenDecision,
  planRefund,
  recheckDeposits,
  recordDecisions,
  refundTarget,
  troubleOf,
} from '@causeway/core/money-path'
import {
  type FailReason,
  failpoint,
  isBalanceTooLow,
  type Lease,
  type RepriceDecision,
  traceTime,
  withLease,
} from '@causeway/core/plugin'
import { backoffMs, type LaneContext } from '../laneContext.js'
import { unsettledCaps } from '../limits/unsettledCaps.js'
import { endsTheLane } from '../running/endsTheLane.js'
import { ItemTasks } from '../running/itemTasks.js'
import type { LaneTroubles } from '../running/laneTroubles.js'
import type { FillPlanner } from './fillPlanner.js'
import { recognisePayment } from './recognisePayment.js'
import { failedText } from './refusalReason.js'
import type { Witnesses } from './witnesses.js'

/** How long a deposit waits for blocks on top of it before it is looked at again. */
const CONFIRMATION_POLL_MS = 300
/** How often an order is looked at again that something paid which is not its fill or refund: an operator must close it. */
const HELD_BACK_MS = 30_000

/** How often a deposit is looked at again whose order is being filled ahead of it. */
const AHEAD_POLL_MS = 1_000

/** How often a deposit is re-read whose chain is on hold until it is compared with the configuration. */
const HELD_POLL_MS = 2_000

/** A release wakes what waits for it; this is the net. */
const HALT_POLL_MS = 10_000

/** After so many looks, about a minute, what no provider shows is taken to be absent. */
const ABSENT_ATTEMPTS = 8

/** Why a deposit goes back whose recipient had a fill revert a moment ago. */
const BURNT = 'a payment to this recipient reverted on the chain a short while ago'

/** Decisions under way at once: those that hang must leave room for others. */
const MOST_AT_ONCE = 512

type Fill = Extract<RepriceDecision, { action: 'fill' }>

export interface DeciderDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
  readonly witnesses: Witnesses
  readonly planner: FillPlanner
  /** Called when a decision is there for which the last run did not wait. */
  readonly onLate: () => void
}

/** Decides fill or refund for the deposits whose orders pay out on this lane's chain (architecture.md 3, step 3). */
export class Decider {
  readonly #lane: LaneContext
  readonly #troubles: LaneTroubles
  readonly #witnesses: Witnesses
  readonly #planner: FillPlanner
  readonly #tasks: ItemTasks<Decision>

  constructor({ lane, troubles, witnesses, planner, onLate }: DeciderDeps) {
    this.#lane = lane
    this.#troubles = troubles
    this.#witnesses = witnesses
    this.#planner = planner
    this.#tasks = new ItemTasks({ most: MOST_AT_ONCE, onLate })
  }

  /** Decides what is due, if something is, in one commit conditional on the lease; returns how many decisions that took. */
  async run(lease: Lease, isDue: boolean): Promise<number> {
    const { pool, clock, chain, options } = this.#lane
    // CAST: the tasks are named by request ids alone.
    const busy = this.#tasks.busy() as readonly Hex[]
    const find = () => findOpenDecisions(pool, chain.config.id, clock.now(), { ...options, except: busy })
    const open = isDue ? await find() : []
    const startedAt = traceTime()
    for (const item of open) if (!(await this.#tasks.start(item.requestId, () => this.#decide(item)))) break
    const decisions = await this.#tasks.take()
    if (decisions.length === 0) return 0
    await failpoint('decide.commit.before')
    const made = await this.#record(lease, decisions)
    for (const { open } of decisions) this.#planner.release(open.requestId)
    await failpoint('decide.commit.after')
    this.#lane.observer.decisions(chain.config.id, made, startedAt)
    return decisions.length
  }

  /** All in one commit. Where the database refuses one of them, each has its own, and that one is put off. */
  async #record(lease: Lease, decisions: readonly Decision[]): Promise<readonly Decision[]> {
    const { pool, clock } = this.#lane
    try {
      const caps = await unsettledCaps(
        this.#lane,
        decisions.map(({ open }) => open),
      )
      return await withLease(pool, lease, async (client) => {
        const allowed = await capUnsettled(client, decisions, caps, clock.now())
        await recordDecisions(client, allowed, clock.now())
        return allowed
      })
    } catch (error) {
      if (endsTheLane(error)) throw error
      const [only] = decisions
      if (only === undefined || decisions.length > 1) {
        const alone: Decision[] = []
        for (const decision of decisions) alone.push(...(await this.#record(lease, [decision])))
        return alone
      }
      if (only.kind === 'later') throw error
      // Somebody else took what its sponsor had: the next look finds that out.
      if (isBalanceTooLow(error)) return this.#record(lease, [this.#later(only.open, 0)])
      return this.#record(lease, [this.#inTrouble(only.open, error)])
    }
  }

  async #decide(open: OpenDecision): Promise<Decision> {
    if (open.halted) return { ...this.#later(open, HALT_POLL_MS), action: 'await-release' }
    // Amounts of an origin that was not compared with the configuration cannot be trusted.
    if (this.#lane.chains.holdOf(open.deposit.chainId) !== null) return this.#later(open, HELD_POLL_MS)
    const ahead = this.#aheadOf(open)
    if (ahead !== null) return ahead
    try {
      const testimony = await this.#witnesses.ask(open.deposit.chainId)
      // What was read just now may have paid this order: it is looked at again at once.
      if (testimony === 'fresh') return this.#later(open, 0)
      if (testimony === 'unknown') return this.#later(open, backoffMs(open.attempts))
      const trust = await judgeDeposit(this.#lane, open.deposit)
      if (trust === 'shallow') return this.#later(open, CONFIRMATION_POLL_MS)
      if (trust === 'unconfirmed') return await this.#doubt(open)
      if (open.paid.length > 0) return await this.#recognise(open)
      if (open.refundReason !== null) return await this.#refund(open, open.refundReason, null)
      if (open.burnt) return await this.#refund(open, 'TRANSACTION_REVERTED', BURNT)
      const { deposit } = open
      const decision = await this.#lane.engine.reprice(open.terms, deposit)
      if (decision.action === 'refund') return await this.#refund(open, decision.reason, null)
      return await this.#fill(open, decision)
    } catch (error) {
      if (endsTheLane(error)) throw error
      return this.#inTrouble(open, error)
    }
  }

  /**
   * Nothing is decided of a deposit whose order is being filled ahead of it; once it was, what came besides is the wallet's (wire.md G.3). Null:
   * it is decided like any other.
   */
  #aheadOf(open: OpenDecision): Decision | null {
    const { fastFill, refundReason } = open
    if (fastFill === undefined || fastFill === 'ended' || fastFill === 'settled') return null
    if (fastFill === 'queued' || fastFill === 'filling') return this.#later(open, AHEAD_POLL_MS)
    return { kind: 'credit', open, reason: refundReason ?? 'DOUBLE_SPEND' }
  }

  /**
   * Too few show it as it is stored: it may have been read at a node that lies. What all of them say decides, the next time; that none
   * shows it counts after a minute, since those that deny it may be late.
   */
  async #doubt(open: OpenDecision): Promise<Decision> {
    const { pool, chains, clock } = this.#lane
    const { deposit } = open
    const references = [{ tx: storedTx(deposit), position: deposit.position, height: deposit.height }]
    const absence = open.attempts >= ABSENT_ATTEMPTS
    try {
      await recheckDeposits({ pool, chain: chains.get(deposit.chainId) }, references, clock.now(), { absence })
    } catch (error) {
      if (!ServiceError.is(error)) throw error
    }
    return this.#later(open, backoffMs(open.attempts))
  }

  #inTrouble(open: OpenDecision, error: unknown): Extract<Decision, { kind: 'later' }> {
    this.#planner.release(open.requestId)
    this.#troubles.note('decide', open.requestId, { requestId: open.requestId }, error)
    return { kind: 'later', open, at: this.#lane.clock.now() + backoffMs(open.attempts), trouble: troubleOf(error) }
  }

  /** Its order was paid in a time that this database forgot: that payment is its outcome, and no other follows (F120). */
  async #recognise(open: OpenDecision): Promise<Decision> {
    const recognised = await recognisePayment(this.#lane, open)
    if (recognised !== null) return recognised
    const { log } = this.#lane
    const transactions = open.paid.map(({ txId }) => txId)
    log.error(
      { requestId: open.requestId, deposit: open.deposit.id, transactions },
      'A transaction that is neither its fill nor its refund paid this order: nothing more is paid (causeway parked close)',
    )
    return this.#later(open, HELD_BACK_MS)
  }

  async #fill(open: OpenDecision, reprice: Fill): Promise<Decision> {
    const plan = await this.#planner.plan(open, reprice)
    if (plan.kind === 'unknown') return this.#later(open, backoffMs(open.attempts))
    if (plan.kind === 'unfunded') return this.#withoutFunds(open)
    if (plan.kind === 'refused') return this.#refund(open, plan.reason, plan.message, plan.call)
    return { kind: 'fill', open, payout: { ...plan.payment, purpose: 'fill', depositId: open.deposit.id } }
  }

  /** Waits for funds, up to a limit and never past the order's own deadlines. */
  async #withoutFunds(open: OpenDecision): Promise<Decision> {
    const { clock, options } = this.#lane
    // By distance: a deposit that was seen while the clock was ahead does not wait until that time comes.
    if (Math.abs(clock.now() - open.deposit.seenAt) < options.waitForFundsMs)
      return this.#later(open, backoffMs(open.attempts))
    return this.#refund(open, 'SOLVER_BALANCE_TOO_LOW', null)
  }

  async #refund(
    open: OpenDecision,
    reason: FailReason,
    message: string | null,
    failedCall: FailedCall | null = null,
  ): Promise<Decision> {
    const details = failedText(message)
    const plan = await planRefund(this.#lane, {
      ...open.terms,
      ...(await refundTarget(this.#lane, open.terms, open.deposit)),
      requestId: open.requestId,
      deposit: open.deposit,
    })
    requireQuorum(this.#lane.chains.get(open.deposit.chainId))
    if ('payout' in plan) return { kind: 'refund', open, reason, details, failedCall, payout: plan.payout }
    return {
      kind: 'failure',
      open,
      reason,
      refundFailReason: plan.refundFailReason,
      details: details ?? failedText(plan.details),
      failedCall,
    }
  }

  #later(open: OpenDecision, delayMs: number): Extract<Decision, { kind: 'later' }> {
    return { kind: 'later', open, at: this.#lane.clock.now() + delayMs, trouble: null }
  }
}
