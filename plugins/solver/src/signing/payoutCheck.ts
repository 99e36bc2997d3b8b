import { requireQuorum, type Simulation } from '@causeway/core/chain'
import {
  abandonPayout,
  claimOf,
  createPayouts,
  depositOf,
  endClaim,
  endOrigin,
  endSweep,
  hasLostClaims,
  type OriginFailure,
  originOf,
  recordWithdrawnByOthers,
  type StoredPayout,
  toChainPayout,
  troubleOf,
} from '@causeway/core/money-path'
import { type FailReason, type Lease, withRetries } from '@causeway/core/plugin'
import type { FillRefunds } from '../deciding/fillRefunds.js'
import { type FailedSimulation, refusalReason } from '../deciding/refusalReason.js'
import type { Withdrawals } from '../deciding/withdrawals.js'
import type { Witnesses } from '../deciding/witnesses.js'
import type { LaneContext } from '../laneContext.js'
import { GasCharge } from '../limits/gasCharge.js'
import { isOrdered, type OrderCheck } from '../wallet/orderCheck.js'
import { originFailure } from './originFailure.js'
import type { SetAside } from './setAside.js'

/** A payout that can be paid now, with the gas that its chain asks for; null where it knows none. */
export interface Signable {
  readonly payout: StoredPayout
  readonly gas: bigint | null
}

export interface PayoutCheckDeps {
  readonly lane: LaneContext
  readonly withdrawals: Withdrawals
  readonly refunds: FillRefunds
  readonly witnesses: Witnesses
  readonly aside: SetAside
  readonly orders: OrderCheck
}

/** An address whose sweep moved nothing is looked at again after this. */
const SWEEP_RETRY_MS = 60_000
/** So often a refused transaction of a user is simulated again, half a minute in all. */
const ORIGIN_TRIES = 6
/** What depositories call a request that ran before. */
const ALREADY_USED = 'RequestAlreadyUsed'

/** Decides of a payout that is due whether it is signed, put off, or ends unsent. */
export class PayoutCheck {
  readonly #lane: LaneContext
  readonly #withdrawals: Withdrawals
  readonly #refunds: FillRefunds
  readonly #witnesses: Witnesses
  readonly #aside: SetAside
  readonly #orders: OrderCheck
  readonly #gas: GasCharge

  constructor({ lane, withdrawals, refunds, witnesses, aside, orders }: PayoutCheckDeps) {
    this.#lane = lane
    this.#withdrawals = withdrawals
    this.#refunds = refunds
    this.#witnesses = witnesses
    this.#aside = aside
    this.#orders = orders
    this.#gas = new GasCharge(lane)
  }

  /** What is to be signed of a payout that is due. Null: it was refunded or put off. */
  async check(lease: Lease, payout: StoredPayout, overdue: FailReason | null): Promise<Signable | null> {
    if (isOrdered(payout)) return this.#checkOrdered(payout)
    if (payout.purpose === 'sweep') return this.#checkSweep(payout)
    if (payout.purpose === 'claim') return this.#checkClaim(payout)
    if (payout.purpose === 'origin') return this.#checkOrigin(payout)
    if (overdue !== null) {
      await this.#refunds.refundUnsent(lease, payout, overdue)
      return null
    }
    return (await this.#isKnown(payout)) ? this.#simulate(lease, payout) : null
  }

  /** What an operator ordered is paid as the order says it, or not at all: what cannot be done is waited for until it expires, or refused. */
  async #checkOrdered(row: StoredPayout): Promise<Signable | null> {
    const payout = await this.#orders.check(row)
    if (payout === null) return null
    const simulation = await this.#lane.chain.adapter.simulate(toChainPayout(payout), 'bound')
    if (simulation.ok) return { payout, gas: simulation.gas }
    if (simulation.kind === 'transient' || simulation.kind === 'insufficient-funds')
      return this.#aside.putOff(payout, troubleOf(simulation.message))
    return this.#orders.refuse(payout, troubleOf(simulation.message))
  }

  /**
   * A claim is paid as it was signed, or not at all. What was paid in a time that this database forgot may have been of the same balance: it
   * is looked up on every chain first (faults.md F120). Funds are waited for; what the chain refuses ends it.
   */
  async #checkClaim(payout: StoredPayout): Promise<Signable | null> {
    const { chain, pool, clock } = this.#lane
    if (!(await this.#isBalanceKnown(payout))) return null
    const { gas } = payout.data
    if (gas !== undefined && payout.attempts === 0) return { payout, gas: BigInt(gas) }
    const simulation = await chain.adapter.simulate(toChainPayout(payout), 'bound')
    if (simulation.ok) return { payout, gas: simulation.gas }
    const why = troubleOf(simulation.message)
    if (simulation.kind === 'transient' || simulation.kind === 'insufficient-funds')
      return this.#aside.putOff(payout, why)
    // After the last answer, so that it did not come from a node that was the only one left.
    requireQuorum(chain)
    await withRetries(pool, (client) => endClaim(client, payout, why, clock.now()))
    return null
  }

  /** Whether all that was paid of the balance behind a claim is known; put off where it is not. */
  async #isBalanceKnown(payout: StoredPayout): Promise<boolean> {
    const { chains, pool } = this.#lane
    const testimonies = await Promise.all(chains.all().map(({ config }) => this.#witnesses.ask(config.id)))
    if (testimonies.includes('unknown')) {
      await this.#aside.putOff(payout, 'It is not known what was paid of its balance.')
      return false
    }
    // What was read just now may have paid it: it is looked up again, at once.
    if (testimonies.includes('fresh')) return false
    if (!(await hasLostClaims(pool, claimOf(payout).holder))) return true
    await this.#aside.putOff(payout, 'Its wallet was paid a claim that this database does not know.')
    return false
  }

  /** What moves nothing now, since somebody else swept it or a token holds it back, is not sent: its address is looked at again. */
  async #checkSweep(payout: StoredPayout): Promise<Signable | null> {
    const { chain, clock, pool } = this.#lane
    const simulation = await chain.adapter.simulate(toChainPayout(payout), 'bound')
    if (simulation.ok) return { payout, gas: simulation.gas }
    if (simulation.kind === 'transient') return this.#aside.putOff(payout, troubleOf(simulation.message))
    const now = clock.now()
    const lookAt = now + SWEEP_RETRY_MS
    await withRetries(pool, (client) => endSweep(client, payout, troubleOf(simulation.message), { now, lookAt }))
    return null
  }

  /**
   * A transaction for a user is sent as it was signed, or not at all. One that the chain refuses is simulated a few times more, for a node may be
   * behind, and ends then. Gas, and a fee within its limit (faults.md F145), are waited for as long as a deposit waits for funds.
   */
  async #checkOrigin(payout: StoredPayout): Promise<Signable | null> {
    const { chain, clock, pool, options } = this.#lane
    const { gas } = payout.data
    if (gas !== undefined && payout.attempts === 0 && payout.generation === 0) return { payout, gas: BigInt(gas) }
    const simulation = await chain.adapter.simulate(toChainPayout(payout), 'bound')
    const dear = simulation.ok ? await this.#aboveLimit(payout, simulation) : null
    if (simulation.ok && dear === null) return { payout, gas: simulation.gas }
    const why = dear ?? (simulation.ok ? '' : troubleOf(simulation.message))
    if (!simulation.ok && simulation.kind === 'transient') return this.#aside.putOff(payout, why)
    const waits = simulation.ok || simulation.kind === 'insufficient-funds'
    const waited = Math.abs(clock.now() - (payout.troubleSince ?? clock.now()))
    if (waits ? waited < options.waitForFundsMs : payout.attempts < ORIGIN_TRIES) return this.#aside.putOff(payout, why)
    requireQuorum(chain)
    const failure: OriginFailure = simulation.ok
      ? { reason: 'QUOTED_GAS_LIMIT_EXCEEDED', details: why }
      : waits
        ? { reason: 'SOLVER_BALANCE_TOO_LOW', details: why }
        : await originFailure(this.#lane, payout, simulation)
    await withRetries(pool, (client) => endOrigin(client, payout, failure, clock.now()))
    return null
  }

  /** Why a transaction for a user costs more than it may; null where it does not. */
  async #aboveLimit(payout: StoredPayout, simulation: Extract<Simulation, { ok: true }>): Promise<string | null> {
    const { feeLimit } = payout.data
    if (feeLimit === undefined) return null
    const verdict = await this.#gas.judgeAgain(toChainPayout(payout), simulation, BigInt(feeLimit))
    return verdict.within ? null : verdict.message
  }

  /** Whether it is known what was paid on the chain that the deposit of a fill came from; put off where it is not. */
  async #isKnown(payout: StoredPayout): Promise<boolean> {
    const origin = originOf(payout)
    if (payout.purpose !== 'fill' || origin === null) return true
    const testimony = await this.#witnesses.ask(origin)
    if (testimony === 'unknown')
      await this.#aside.putOff(payout, 'It is not known what was paid on the chain of its deposit.')
    // What was read just now may have paid its order: it is looked up again, at once.
    return testimony === 'known'
  }

  /** Payouts decided earlier, or by another process, are simulated now; those that cannot be paid yet are put off. */
  async #simulate(lease: Lease, payout: StoredPayout): Promise<Signable | null> {
    const { gas } = payout.data
    if (gas !== undefined && payout.attempts === 0) return { payout, gas: BigInt(gas) }
    const simulation = await this.#lane.chain.adapter.simulate(toChainPayout(payout), 'bound')
    if (simulation.ok) return this.#judgeGas(lease, payout, simulation)
    if (payout.purpose === 'withdraw' && simulation.message.includes(ALREADY_USED))
      return this.#withdrawnByOthers(payout)
    if (payout.purpose === 'withdraw' || simulation.kind === 'transient') {
      return this.#aside.putOff(payout, troubleOf(simulation.message))
    }
    if (payout.purpose === 'fill') return this.#decideAgain(lease, payout, simulation)
    if (simulation.kind === 'insufficient-funds') return this.#withdrawFirst(payout)
    await withRetries(this.#lane.pool, (client) =>
      abandonPayout(
        client,
        { ...payout, depositId: depositOf(payout).id, amount: payout.amount + payout.fees },
        { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: simulation.message },
        this.#lane.clock.now(),
      ),
    )
    return null
  }

  /** A fill that waited and costs more by now than its order pays for is refunded (faults.md F124). */
  async #judgeGas(
    lease: Lease,
    payout: StoredPayout,
    simulation: Extract<Simulation, { ok: true }>,
  ): Promise<Signable | null> {
    const { feeLimit } = payout.data
    if (feeLimit === undefined) return { payout, gas: simulation.gas }
    const verdict = await this.#gas.judgeAgain(toChainPayout(payout), simulation, BigInt(feeLimit))
    if (verdict.within) return { payout, gas: verdict.simulation.gas }
    await this.#refunds.refundUnsent(lease, payout, 'QUOTED_GAS_LIMIT_EXCEEDED', verdict)
    return null
  }

  /**
   * A fill that was decided and cannot be paid now is decided again, by the rules of the first decision: what the chain refuses goes
   * back, and missing funds are waited for as long as a deposit waits for them.
   */
  async #decideAgain(lease: Lease, payout: StoredPayout, refused: FailedSimulation): Promise<null> {
    const { chain, clock, options } = this.#lane
    if (refused.kind === 'insufficient-funds') {
      const since = payout.troubleSince ?? clock.now()
      if (Math.abs(clock.now() - since) < options.waitForFundsMs)
        return this.#aside.putOff(payout, 'The solver’s balance is too low.')
    }
    // After the last answer, so that it did not come from a node that was the only one left.
    requireQuorum(chain)
    await this.#refunds.refundUnsent(lease, payout, refusalReason(refused), refused)
    return null
  }

  /** Anyone may submit the allocator's request: the money is in the wallet, our transaction is not needed. */
  async #withdrawnByOthers(payout: StoredPayout): Promise<null> {
    const { pool, clock } = this.#lane
    await withRetries(pool, (client) => recordWithdrawnByOthers(client, payout, clock.now()))
    return null
  }

  /** Missing inventory alone never makes a refund fail: its own deposit is taken out of the depository for it. */
  async #withdrawFirst(payout: StoredPayout): Promise<null> {
    const { pool, clock, allocator } = this.#lane
    if (allocator !== null) {
      const withdrawal = await this.#withdrawals.planFirst(depositOf(payout).id)
      if (withdrawal !== null) await withRetries(pool, (client) => createPayouts(client, [withdrawal], clock.now()))
    }
    return this.#aside.putOff(payout, 'The solver’s balance is too low; the deposit is withdrawn first.')
  }
}
