import type { Json } from '@causeway/core'
import type { BlockRef, PayoutVerdict, SignedAttempt } from '@causeway/core/chain'
import {
  abandonPayout,
  type CancelReason,
  type DeathProof,
  demandOf,
  type FailedCall,
  type NewPayout,
  planRefund,
  recordFillDead,
  recordNewGeneration,
  rememberWhy,
  type StoredAttempt,
  type StoredPayout,
  toChainPayout,
  turnIntoRefund,
} from '@causeway/core/money-path'
import {
  type FailReason,
  type Lease,
  parseTerms,
  type QuoteTerms,
  toBytea,
  traceTime,
  withLease,
} from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import { burntGas } from './burntGas.js'
import { DeathMargin } from './deathMargin.js'
import { ForeignSpend, type ReadAgain } from './foreignSpend.js'
import { backoffMs, type LaneContext } from './laneContext.js'
import { failedText } from './refusalReason.js'
import { trySign } from './trySign.js'

/** Guards that are inner authorisations (laneAdapter). */
const REQUEST_GUARD = 'request:'

/** Proves that a generation can never land, and only then lets something else follow: a new one, or a refund. */
export class Mortician {
  readonly #lane: LaneContext
  readonly #margin: DeathMargin
  readonly #again: ReadAgain

  constructor(lane: LaneContext, again: ReadAgain) {
    this.#lane = lane
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
    tip: BlockRef,
    left: readonly StoredAttempt[],
  ): Promise<PayoutVerdict> {
    if (this.#margin.isRunning(payout, tip)) return 'dead'
    const verdict = await this.#verdict(payout)
    if (verdict === 'dead') {
      if (await this.#margin.isOver(payout, tip)) await this.#bury(lease, payout, left)
      return verdict
    }
    await this.#margin.forget(payout)
    await this.#lane.pool.query(
      `update payouts set next_action = $2, next_action_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'signed'`,
      [payout.id, verdict === 'landed' ? 'track' : 'prove-dead', this.#lane.clock.now() + this.#lane.options.tickMs],
    )
    return verdict
  }

  /** For a transaction no node shows: perhaps something else took its nonce. True where it is dead: nothing of it is to be sent. */
  async proveIfSpent(lease: Lease, payout: StoredPayout, tip: BlockRef): Promise<boolean> {
    const { lane } = this.#lane.chain.adapter
    if ((await lane.mayBeDead?.(guardsOf(payout))) === false) return false
    if ((await this.#verdict(payout)) !== 'dead') return false
    if (await this.#margin.isOver(payout, tip)) await this.#bury(lease, payout)
    return true
  }

  /** Gives up on a payout that does not land: has its guard spent for nothing by `send`, and remembers why. */
  async cancel(
    payout: StoredPayout,
    last: StoredAttempt,
    why: CancelReason,
    send: (signed: SignedAttempt) => Promise<void>,
  ): Promise<void> {
    const { adapter } = this.#lane.chain
    const { lane } = adapter
    const prepared =
      last.raw === '0x' ? await lane.cancelFound?.(last) : await lane.cancel(last, { version: last.version + 1 })
    if (prepared === null || prepared === undefined) return this.#letExpire(payout, why)
    const signed = await trySign(this.#lane, prepared)
    if (signed === null) return
    await rememberWhy(this.#lane.pool, payout.id, why)
    await send(signed)
  }

  /** Where nothing can be cancelled the transaction expires by itself; once that is proven, no other follows it. */
  async #letExpire(payout: StoredPayout, why: CancelReason): Promise<void> {
    if (payout.data.cancelled === undefined) await rememberWhy(this.#lane.pool, payout.id, why)
  }

  /** A fill that waits for its signature and no longer may be paid: the deposit goes back. */
  async refundUnsent(
    lease: Lease,
    payout: StoredPayout,
    reason: FailReason,
    refused: { readonly message: string; readonly call?: FailedCall } | null = null,
  ): Promise<void> {
    this.#lane.log.warn({ payout: payout.id, reason }, 'A fill that was not sent is refunded')
    await this.#refundInstead(lease, { payout, proof: 'never sent' }, reason, refused)
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
  async #bury(lease: Lease, payout: StoredPayout, left: readonly StoredAttempt[] = []): Promise<void> {
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
    if (refundable && givenUp) return this.#refundInstead(lease, proof, cancelled)
    if (refundable) {
      const message = payout.data.revert ?? 'the payment reverted on the chain'
      return this.#refundInstead(lease, proof, 'TRANSACTION_REVERTED', { message })
    }
    await withLease(pool, lease, async (client) => {
      const now = clock.now()
      await recordNewGeneration(client, proof, now + (reverted ? backoffMs(payout.generation) : 0))
      if (reverted && !again) await this.#abandon(client, payout, now)
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
      { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: whyAbandoned(payout) },
      now,
    )
  }

  async #refundInstead(
    lease: Lease,
    death: DeathProof,
    reason: FailReason,
    refused: { readonly message: string; readonly call?: FailedCall } | null = null,
  ): Promise<void> {
    const { pool, clock } = this.#lane
    const { payout } = death
    const { requestId } = payout
    if (requestId === null) return
    const terms = await this.#terms(payout)
    const burnt = await burntGas(this.#lane, payout)
    const plan = await planRefund(this.#lane, { ...terms, requestId, deposit: payout.deposit, burnt })
    await withLease(pool, lease, async (client) => {
      const now = clock.now()
      if (!(await recordFillDead(client, death, now, burnt !== null))) return
      await turnIntoRefund(
        client,
        {
          fill: payout,
          requestId,
          reason,
          details: failedText(refused?.message ?? null),
          failedCall: refused?.call ?? null,
          payout: 'payout' in plan ? plan.payout : null,
          refundFailReason: 'payout' in plan ? null : plan.refundFailReason,
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
