import {
  abandonPayout,
  type BlockRef,
  type DeathProof,
  demandOf,
  type FailReason,
  type Lease,
  type NewPayout,
  parseTerms,
  planRefund,
  type QuoteTerms,
  recordFillDead,
  recordNewGeneration,
  type StoredAttempt,
  type StoredPayout,
  toBytea,
  traceTime,
  turnIntoRefund,
  withLease,
} from '@causeway/core'
import type { PoolClient } from 'pg'
import { backoffMs, type LaneContext } from './laneContext.js'
import type { Sender } from './sender.js'
import { trySign } from './trySign.js'

/** Guards that are inner authorisations (laneAdapter). */
const REQUEST_GUARD = 'request:'

/** Proves that a generation can never land, and only then lets something else follow: a new one, or a refund. */
export class Mortician {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Judges a generation whose guard is spent; waits while the proof is not final. */
  async prove(lease: Lease, payout: StoredPayout): Promise<'dead' | 'alive' | 'landed'> {
    const verdict = await this.#verdict(payout)
    if (verdict === 'dead') {
      await this.#bury(lease, payout)
      return verdict
    }
    await this.#lane.pool.query(
      `update payouts set next_action = $2, next_action_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'signed'`,
      [payout.id, verdict === 'landed' ? 'track' : 'prove-dead', this.#lane.clock.now() + this.#lane.options.tickMs],
    )
    return verdict
  }

  /** For a transaction no node shows: perhaps something else took its nonce. */
  async proveIfSpent(lease: Lease, payout: StoredPayout): Promise<void> {
    const { lane } = this.#lane.chain.adapter
    if ((await lane.mayBeDead?.(guardsOf(payout))) === false) return
    if ((await this.#verdict(payout)) === 'dead') await this.#bury(lease, payout)
  }

  /** Gives up on a payout that does not land: spends its guard for nothing, and remembers why. */
  async cancel(
    lease: Lease,
    payout: StoredPayout,
    last: StoredAttempt,
    why: 'TRANSACTION_NOT_INCLUDED' | 'TRANSACTION_SUBMISSION_FAILED',
    tip: BlockRef,
    sender: Sender,
  ): Promise<void> {
    const { adapter } = this.#lane.chain
    if (last.raw === '0x') return
    const prepared = await adapter.lane.cancel(last, { version: last.version + 1 })
    if (prepared === null) return this.#letExpire(payout, why)
    const signed = await trySign(this.#lane, prepared)
    if (signed === null) return
    await this.#rememberWhy(payout, why)
    await sender.sendVersion(lease, payout, signed, tip)
  }

  /** Where nothing can be cancelled the transaction expires by itself; once that is proven, no other follows it. */
  async #letExpire(payout: StoredPayout, why: string): Promise<void> {
    if (payout.data.cancelled === undefined) await this.#rememberWhy(payout, why)
  }

  async #rememberWhy(payout: StoredPayout, why: string): Promise<void> {
    await this.#lane.pool.query(
      `update payouts set data = (coalesce(data, '{}')::jsonb || jsonb_build_object('cancelled', $2::text))::text where id = $1`,
      [payout.id, why],
    )
  }

  /** A fill that waits for its signature and no longer may be paid: the deposit goes back. */
  async refundUnsent(lease: Lease, payout: StoredPayout, reason: FailReason): Promise<void> {
    this.#lane.log.warn({ payout: payout.id, reason }, 'A fill came too late and is refunded')
    await this.#refundInstead(lease, { payout, proof: 'never sent' }, reason)
  }

  /** The payout of what a deposit held beyond the fill's price (F12); null keeps dust below its own cost. */
  async planExcess(fill: StoredPayout, amount: bigint): Promise<NewPayout | null> {
    if (fill.requestId === null) return null
    const terms = await this.#terms(fill)
    const plan = await planRefund(this.#lane, {
      ...terms,
      requestId: fill.requestId,
      deposit: { ...fill.deposit, amount },
    })
    return 'payout' in plan ? { ...plan.payout, purpose: 'excess', data: {} } : null
  }

  /**
   * Those of the payouts that surely landed: what is worth the word of several providers asks them all, as its deposit does, since
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
  async #verdict(payout: StoredPayout): Promise<'dead' | 'alive' | 'landed'> {
    const demand = await this.#demand(payout)
    return this.#lane.chain.adapter.lane.isDead(
      guardsOf(payout),
      payout.live.filter(({ kind }) => kind === 'pay').map(({ txId }) => txId),
      demand,
    )
  }

  #demand({ chainId, currency, amount, fees }: StoredPayout) {
    return demandOf(this.#lane, { chainId, currency, amount: amount + fees })
  }

  async #bury(lease: Lease, payout: StoredPayout): Promise<void> {
    const { pool, clock, log, options, chain, observer } = this.#lane
    const reverted = payout.live.some(({ state }) => state === 'reverted')
    const proof = { payout, proof: `guards ${payout.live[0]?.guards.join(', ') ?? ''} spent at finality` }
    log.warn({ payout: payout.id, purpose: payout.purpose, reverted }, 'A generation is dead')
    observer.payouts('dead', chain.config.id, [payout], traceTime())
    const refundable = payout.purpose === 'fill' && (reverted || payout.data.cancelled !== undefined)
    if (refundable) return this.#refundInstead(lease, proof, payout.data.cancelled ?? 'TRANSACTION_REVERTED')
    await withLease(pool, lease, async (client) => {
      const now = clock.now()
      await recordNewGeneration(client, proof, now + (reverted ? backoffMs(payout.generation) : 0))
      if (reverted && payout.generation >= options.maxGenerations) await this.#abandon(client, payout, now)
    })
  }

  /** Died too often: the money stays visible until an operator acts. */
  #abandon(client: PoolClient, payout: StoredPayout, now: number): Promise<void> {
    return abandonPayout(
      client,
      {
        ...payout,
        depositId: payout.deposit.id,
        amount: payout.purpose === 'withdraw' ? 0n : payout.amount + payout.fees,
      },
      { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: `${payout.generation} generations reverted` },
      now,
    )
  }

  async #refundInstead(lease: Lease, death: DeathProof, reason: FailReason): Promise<void> {
    const { pool, clock } = this.#lane
    const { payout } = death
    const { requestId } = payout
    if (requestId === null) return
    const terms = await this.#terms(payout)
    const plan = await planRefund(this.#lane, { ...terms, requestId, deposit: payout.deposit })
    await withLease(pool, lease, async (client) => {
      const now = clock.now()
      await recordFillDead(client, death, now)
      await turnIntoRefund(
        client,
        {
          depositId: payout.deposit.id,
          requestId,
          reason,
          details: null,
          payout: 'payout' in plan ? plan.payout : null,
          refundFailReason: 'payout' in plan ? null : plan.refundFailReason,
          parked: payout.deposit,
        },
        now,
      )
    })
  }

  async #terms(payout: StoredPayout): Promise<QuoteTerms> {
    const { rows } = await this.#lane.pool.query<{ terms: string }>('select terms from requests where id = $1', [
      toBytea(payout.requestId ?? '0x'),
    ])
    const text = rows[0]?.terms
    if (text === undefined) throw new Error(`Payout ${payout.id} has no request.`)
    return parseTerms(text)
  }
}

/** A withdrawal's own request lives on and is used again: it can run once, whoever submits it. */
const guardsOf = ({ live }: StoredPayout): readonly string[] =>
  (live[0]?.guards ?? []).filter((guard) => !guard.startsWith(REQUEST_GUARD))
