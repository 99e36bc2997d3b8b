import type { Json } from '@causeway/core'
import type { PayoutVerdict } from '@causeway/core/chain'
import {
  abandonPayout,
  type DeathProof,
  demandOf,
  depositOf,
  endClaim,
  endOrigin,
  endSweep,
  type OriginFailure,
  recordNewGeneration,
  recordNotDead,
  refuseWalletOrder,
  type StoredAttempt,
  type StoredPayout,
  toChainPayout,
} from '@causeway/core/money-path'
import { type Lease, traceTime, withLease } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import type { FillRefunds } from '../deciding/fillRefunds.js'
import { backoffMs, type LaneContext } from '../laneContext.js'
import { ForeignSpend, type ReadAgain } from '../running/foreignSpend.js'
import { originRevert } from '../signing/originFailure.js'
import { isOrdered } from '../wallet/orderCheck.js'
import { DeathMargin } from './deathMargin.js'

/** An address whose sweeps all reverted is looked at again after this. */
const SWEEP_RETRY_MS = 3_600_000
/** Guards that are inner authorisations (laneAdapter). */
const REQUEST_GUARD = 'request:'

export interface GenerationResolverDeps {
  readonly lane: LaneContext
  readonly refunds: FillRefunds
  readonly again: ReadAgain
}

/**
 * Finds out what became of a generation of a payout: that it landed, or can never land. Only then it lets something else follow, a new
 * generation or a refund.
 */
export class GenerationResolver {
  readonly #lane: LaneContext
  readonly #refunds: FillRefunds
  readonly #margin: DeathMargin
  readonly #again: ReadAgain

  constructor({ lane, refunds, again }: GenerationResolverDeps) {
    this.#lane = lane
    this.#refunds = refunds
    this.#margin = new DeathMargin(lane)
    this.#again = again
  }

  /**
   * Judges a generation whose guard is spent, or that seems dead; waits while the proof is not final. `left`: those of its transactions
   * that were in a block and are in none any more.
   */
  async prove(
    lease: Lease,
    payout: StoredPayout,
    height: bigint,
    left: readonly StoredAttempt[],
  ): Promise<PayoutVerdict> {
    if (this.#margin.isRunning(payout, height)) return 'dead'
    const verdict = await this.#verdict(payout)
    if (verdict === 'dead') {
      if (await this.#margin.isOver(payout, height)) await this.#recordDead(lease, payout, left)
      return verdict
    }
    await this.#margin.forget(payout)
    await recordNotDead(this.#lane.pool, payout.id, {
      action: verdict === 'landed' ? 'track' : 'prove-dead',
      at: this.#lane.clock.now() + this.#lane.options.tickMs,
    })
    return verdict
  }

  /** For a transaction no node shows: perhaps something else took its nonce. True where it is dead: nothing of it is to be sent. */
  async proveIfSpent(lease: Lease, payout: StoredPayout, height: bigint): Promise<boolean> {
    const { lane } = this.#lane.chain.adapter
    if ((await lane.mayBeDead?.(guardsOf(payout))) === false) return false
    if ((await this.#verdict(payout)) !== 'dead') return false
    if (await this.#margin.isOver(payout, height)) await this.#recordDead(lease, payout)
    return true
  }

  /**
   * Those of the payouts that surely landed: what is worth the votes of several providers asks them all, as its deposit does, since
   * nobody looks at a final payment again. One of which they are not sure is asked about again later.
   */
  async landed(payouts: readonly StoredPayout[]): Promise<readonly StoredPayout[]> {
    const judged = await Promise.allSettled(
      payouts.map(async (payout) => {
        const { agreeing } = await this.#demand(payout)
        return agreeing < 2 || (await this.#verdict(payout)) === 'landed'
      }),
    )
    return payouts.filter((payout, at) => {
      const judgement = judged[at]
      if (judgement?.status === 'fulfilled') return judgement.value
      this.#lane.log.warn({ payout: payout.id, err: judgement?.reason }, 'Too few providers say that a payment landed')
      return false
    })
  }

  /** `dead` lets the money be sent again, so as many providers must say it as for a deposit of that worth. */
  async #verdict(payout: StoredPayout): Promise<PayoutVerdict> {
    const demand = await this.#demand(payout)
    const sent = payout.live.filter(({ kind }) => kind === 'pay')
    return this.#lane.chain.adapter.lane.payoutVerdict(
      guardsOf(payout),
      sent.map(({ txId }) => txId),
      { ...demand, payout: toChainPayout(payout), ...locatorsOf(sent) },
    )
  }

  #demand({ chainId, currency, amount, fees }: StoredPayout) {
    return demandOf(this.#lane, { chainId, currency, amount: amount + fees })
  }

  /** @throws ForeignSpend before anything follows what a transaction of nobody's killed, unless the lane was read again since */
  async #recordDead(lease: Lease, payout: StoredPayout, left: readonly StoredAttempt[] = []): Promise<void> {
    const { pool, clock, log, options, chain, observer } = this.#lane
    const readable = chain.adapter.lane.readAgain !== undefined
    if (readable && !spentItself(payout) && !this.#again.has(payout)) throw new ForeignSpend(payout)
    this.#again.delete(payout)
    const reverted = payout.live.some(({ state }) => state === 'reverted')
    const proof: DeathProof = {
      payout,
      proof: `guards ${payout.live[0]?.guards.join(', ') ?? ''} spent at finality`,
      left: { attempts: left, native: chain.adapter.native.address },
    }
    log.warn({ payout: payout.id, purpose: payout.purpose, reverted }, 'A generation is dead')
    observer.payouts('dead', chain.config.id, [payout], traceTime())
    const { cancelled } = payout.data
    // One that was cancelled because its deposit was gone is decided anew when that is back, and goes on when it is already.
    const givenUp = cancelled !== undefined && cancelled !== 'DEPOSIT_REORGED'
    const again = payout.generation < options.maxGenerations && !isUsedUp(payout)
    // What the chain once showed as paid is told as `success` for good: it is paid again rather than refunded.
    const kept = payout.inclusions > 0 && again
    const refundable = payout.purpose === 'fill' && !kept && (reverted || givenUp)
    if (refundable && givenUp) return this.#refunds.refundDead(lease, proof, cancelled)
    if (refundable) {
      const message = payout.data.revert ?? 'the payment reverted on the chain'
      return this.#refunds.refundDead(lease, proof, 'TRANSACTION_REVERTED', { message })
    }
    // Whoever wrote it is not served a second time at our cost.
    const failure = payout.purpose === 'origin' && (reverted || givenUp) ? await this.#originFailure(payout) : null
    await withLease(pool, lease, async (client) => {
      const now = clock.now()
      await recordNewGeneration(client, proof, now + (reverted ? backoffMs(payout.generation) : 0))
      if (failure !== null) await endOrigin(client, payout, failure, now)
      else if (reverted && !again) await this.#giveUp(client, payout, now)
    })
  }

  #originFailure(payout: StoredPayout): Promise<OriginFailure> | OriginFailure {
    const { cancelled } = payout.data
    const isCancelled = cancelled !== undefined && cancelled !== 'DEPOSIT_REORGED'
    return isCancelled
      ? { reason: cancelled, details: 'it was not included in time' }
      : originRevert(this.#lane, payout)
  }

  /** Died too often: the money stays visible until an operator acts. */
  async #giveUp(client: PoolClient, payout: StoredPayout, now: number): Promise<void> {
    if (isOrdered(payout)) {
      await refuseWalletOrder(client, payout.id, whyAbandoned(payout), now)
      return
    }
    if (payout.purpose === 'claim') {
      await endClaim(client, payout, whyAbandoned(payout), now)
      return
    }
    if (payout.purpose === 'sweep') {
      await endSweep(client, payout, whyAbandoned(payout), { now, lookAt: now + SWEEP_RETRY_MS })
      return
    }
    await abandonPayout(
      client,
      {
        ...payout,
        depositId: depositOf(payout).id,
        amount: payout.purpose === 'withdraw' ? 0n : payout.amount + payout.fees,
      },
      { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: whyAbandoned(payout) },
      now,
    )
  }
}

/** What the chain needs beside their ids to find them; none on most chains. */
const locatorsOf = (sent: readonly StoredAttempt[]): { readonly locators?: Readonly<Record<string, Json>> } => {
  const known = sent.flatMap(({ txId, locator }) => (locator === undefined ? [] : [[txId, locator] as const]))
  return known.length === 0 ? {} : { locators: Object.fromEntries(known) }
}

/** The allocator's request of a withdrawal ran and brought nothing: it can never run again, whoever submits it. */
const isUsedUp = ({ purpose, data }: StoredPayout): boolean =>
  purpose === 'withdraw' && data.authorization !== undefined && data.cancelled === 'DESTINATION_TOKEN_TRANSFER_REJECTED'

const whyAbandoned = (payout: StoredPayout): string =>
  isUsedUp(payout)
    ? 'the request of the allocator was used up and nothing arrived: see what the depository holds'
    : `${payout.generation} generations reverted or moved nothing`

/** One of its own transactions is in a block: it reverted, or it is the cancel. */
const spentItself = ({ live }: StoredPayout): boolean =>
  live.some(({ kind, state }) => state === 'reverted' || (kind === 'cancel' && state === 'included'))

/** A withdrawal's own request lives on and is used again: it can run once, whoever submits it. */
const guardsOf = ({ live }: StoredPayout): readonly string[] =>
  (live[0]?.guards ?? []).filter((guard) => !guard.startsWith(REQUEST_GUARD))
