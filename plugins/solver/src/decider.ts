import {
  type Decision,
  type FailReason,
  failpoint,
  fillFormData,
  fillFormOf,
  findOpenDecisions,
  judgeDeposit,
  type Lease,
  type OpenDecision,
  type Payout,
  planRefund,
  type RepriceDecision,
  readSpendable,
  recordDecisions,
  requireQuorum,
  ServiceError,
  type Simulation,
  traceTime,
  withLease,
} from '@causeway/core'
import { backoffMs, type LaneContext } from './laneContext.js'

/** How long a deposit waits for blocks on top of it before it is looked at again. */
const CONFIRMATION_POLL_MS = 300

type FailedSimulation = Extract<Simulation, { ok: false }>

/** Decides fill or refund for the deposits whose orders pay out on this lane's chain (design 3, step 3). */
export class Decider {
  readonly #lane: LaneContext
  /** Promised in this batch and not yet in the database. */
  #reserved = new Map<string, bigint>()

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Decides what is due, in one commit conditional on the lease; returns how many requests it looked at. */
  async run(lease: Lease): Promise<number> {
    const { pool, clock, chain, options } = this.#lane
    const open = await findOpenDecisions(pool, chain.config.id, clock.now(), options.batch)
    if (open.length === 0) return 0
    this.#reserved = new Map()
    const startedAt = traceTime()
    const decisions = await Promise.all(open.map((item) => this.#decide(item)))
    await failpoint('decide.commit.before')
    await withLease(pool, lease, async (client) => {
      await recordDecisions(client, decisions, clock.now())
    })
    await failpoint('decide.commit.after')
    this.#lane.observer.decisions(chain.config.id, decisions, startedAt)
    return open.length
  }

  async #decide(open: OpenDecision): Promise<Decision> {
    try {
      const trust = await judgeDeposit(this.#lane, open.deposit)
      if (trust === 'shallow') return this.#later(open, CONFIRMATION_POLL_MS)
      if (trust === 'unconfirmed') return this.#later(open, backoffMs(open.attempts))
      if (open.refundReason !== null) return await this.#refund(open, open.refundReason, null)
      const { deposit } = open
      const decision = await this.#lane.engine.reprice(open.terms, deposit)
      if (decision.action === 'refund') return await this.#refund(open, decision.reason, null)
      return await this.#fill(open, decision)
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      this.#lane.log.warn({ requestId: open.requestId, err: error }, 'Deciding is put off')
      return this.#later(open, backoffMs(open.attempts))
    }
  }

  async #fill(open: OpenDecision, reprice: Extract<RepriceDecision, { action: 'fill' }>): Promise<Decision> {
    const { terms } = open
    if (this.#neverFits(terms.destination.currency, reprice.amount))
      return this.#refund(open, 'SOLVER_CAPACITY_EXCEEDED', null)
    if (!(await this.#covered(open, reprice.amount))) return this.#withoutFunds(open)
    const payout: Payout = {
      purpose: 'fill',
      orderId: terms.orderId,
      from: this.#lane.address,
      to: { address: terms.recipient },
      money: { currency: terms.destination.currency, amount: reprice.amount },
      ...fillFormOf(terms, reprice.swap),
    }
    const simulation = await this.#lane.chain.adapter.simulate(payout, 'bound')
    // After the last answer the fill is decided by, so that it did not come from a node that was the only one left.
    requireQuorum(this.#lane.chain)
    if (!simulation.ok) return this.#unfillable(open, simulation)
    return {
      kind: 'fill',
      open,
      payout: {
        purpose: 'fill',
        depositId: open.deposit.id,
        requestId: open.requestId,
        orderId: terms.orderId,
        chainId: terms.destination.chainId,
        signer: this.#lane.address,
        recipient: terms.recipient,
        currency: terms.destination.currency,
        amount: reprice.amount,
        fees: reprice.fees,
        data: {
          gas: simulation.gas.toString(),
          ...fillFormData(payout),
          ...(terms.topup === undefined ? {} : { topup: { ...terms.topup, amount: terms.topup.amount.toString() } }),
          ...(reprice.excess > 0n ? { excess: reprice.excess.toString() } : {}),
        },
        at: this.#lane.clock.now(),
      },
    }
  }

  async #unfillable(open: OpenDecision, simulation: FailedSimulation): Promise<Decision> {
    if (simulation.kind === 'transient') return this.#later(open, backoffMs(open.attempts))
    if (simulation.kind === 'insufficient-funds') return this.#withoutFunds(open)
    const reason =
      simulation.kind === 'recipient-cannot-receive' ? 'DESTINATION_TOKEN_TRANSFER_REJECTED' : 'EXECUTION_REVERTED'
    return this.#refund(open, reason, simulation.message)
  }

  /** Waits for funds, up to a limit and never past the order's own deadlines. */
  async #withoutFunds(open: OpenDecision): Promise<Decision> {
    const { clock, options } = this.#lane
    if (clock.now() - open.deposit.includedAt < options.waitForFundsMs)
      return this.#later(open, backoffMs(open.attempts))
    return this.#refund(open, 'SOLVER_BALANCE_TOO_LOW', null)
  }

  async #refund(open: OpenDecision, reason: FailReason, message: string | null): Promise<Decision> {
    const details = message === null ? null : `Transaction failed: ${message}`.slice(0, 500)
    const plan = await planRefund(this.#lane, { ...open.terms, requestId: open.requestId, deposit: open.deposit })
    requireQuorum(this.#lane.chains.get(open.deposit.chainId))
    if ('payout' in plan) return { kind: 'refund', open, reason, details, payout: plan.payout }
    return {
      kind: 'failure',
      open,
      reason,
      refundFailReason: plan.refundFailReason,
      details: details ?? failedText(plan.details),
    }
  }

  /** More than the key may sign away in an hour: waiting would not help. */
  #neverFits(currency: string, amount: bigint): boolean {
    return this.#lane.limits.some((limit) => limit.currency === currency && amount > limit.amount)
  }

  /** Whether the inventory covers the fill beyond what is kept for this very request. */
  async #covered(open: OpenDecision, amount: bigint): Promise<boolean> {
    const kept = open.committed ? open.terms.amountOut : 0n
    const needed = amount - kept
    if (needed <= 0n) return true
    const { chainId, currency } = open.terms.destination
    const spendable = await readSpendable(this.#lane.pool, chainId, currency)
    const reserved = this.#reserved.get(currency) ?? 0n
    if (spendable === null || spendable - reserved < needed) return false
    this.#reserved.set(currency, reserved + needed)
    return true
  }

  #later(open: OpenDecision, delayMs: number): Decision {
    return { kind: 'later', open, at: this.#lane.clock.now() + delayMs }
  }
}

const failedText = (message: string | null): string | null =>
  message === null ? null : `Transaction failed: ${message}`.slice(0, 500)
