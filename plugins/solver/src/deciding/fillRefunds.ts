import {
  type BurntGas,
  type DeathProof,
  depositOf,
  type FailedCall,
  type NewPayout,
  planRefund,
  recordFastFillDead,
  recordFillDead,
  refundTarget,
  type StoredPayout,
  turnIntoRefund,
} from '@causeway/core/money-path'
import {
  amountForUsd,
  type FailReason,
  type Lease,
  parseTerms,
  type QuoteTerms,
  toBytea,
  usdValue,
  withLease,
} from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'
import { burntGas } from './burntGas.js'
import { failedText } from './refusalReason.js'

/** What the chain refused of a fill; null or absent where nothing was refused. */
type Refused = { readonly message: string; readonly call?: FailedCall } | null

/** Sends a deposit back: all of it in place of a fill that nothing can land of, or what a fill left over. */
export class FillRefunds {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** A fill that waits for its signature and no longer may be paid: the deposit goes back. */
  async refundUnsent(lease: Lease, payout: StoredPayout, reason: FailReason, refused: Refused = null): Promise<void> {
    this.#lane.log.warn({ payout: payout.id, reason }, 'A fill that was not sent is refunded')
    await this.refundDead(lease, { payout, proof: 'never sent' }, reason, refused)
  }

  /** A fill that is proven dead; its end and the refund are one transaction. Nothing follows where it had ended before. */
  async refundDead(lease: Lease, death: DeathProof, reason: FailReason, refused: Refused = null): Promise<void> {
    const { pool, clock } = this.#lane
    const { payout } = death
    const { requestId } = payout
    if (requestId === null) return
    if (payout.data.fastFill !== undefined) return this.#endFastFill(lease, death, reason)
    const terms = await this.#terms(payout)
    const burnt = await burntGas(this.#lane, payout)
    const deposit = depositOf(payout)
    const target = await refundTarget(this.#lane, terms, deposit)
    const plan = await planRefund(this.#lane, { ...terms, ...target, requestId, deposit, burnt })
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

  /** A fast fill has no deposit that could go back: its collateral is free again, less the gas that its own order burnt. */
  async #endFastFill(lease: Lease, death: DeathProof, reason: FailReason): Promise<void> {
    const { pool, clock, observer } = this.#lane
    const { requestId, chainId } = death.payout
    const burnt = await burntGas(this.#lane, death.payout)
    const end = { reason, burnt: burnt !== null, charge: burnt === null ? 0n : await this.#inBalanceCurrency(burnt) }
    const ended = await withLease(pool, lease, (client) => recordFastFillDead(client, death, end, clock.now()))
    if (ended && requestId !== null) observer.fastFill('ended', chainId, { requestId, reason })
  }

  /** Rounded up. Throws ServiceError while there is no price: try again later. */
  async #inBalanceCurrency({ chainId, amount }: BurntGas): Promise<bigint> {
    const { balanceCurrency, currencies, prices } = this.#lane
    const native = currencies.native(chainId)
    const into =
      balanceCurrency === null ? undefined : currencies.find(balanceCurrency.chainId, balanceCurrency.address)
    if (native === undefined || into === undefined) return 0n
    const [nativePrice, price] = await prices.get([native, into])
    if (nativePrice === undefined || price === undefined) return 0n
    return amountForUsd(usdValue({ currency: native, amount }, nativePrice.usd), into, price.usd, 'up')
  }

  /** The payout of what a deposit held beyond the fill's price (F12); null keeps dust below its own cost. */
  async planExcess(fill: StoredPayout, amount: bigint): Promise<NewPayout | null> {
    if (fill.requestId === null) return null
    const terms = await this.#terms(fill)
    const deposit = depositOf(fill)
    const plan = await planRefund(this.#lane, {
      ...terms,
      ...(await refundTarget(this.#lane, terms, deposit)),
      requestId: fill.requestId,
      deposit: { ...deposit, amount },
      arrivalPaid: true,
    })
    return 'payout' in plan ? { ...plan.payout, purpose: 'excess', data: {} } : null
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
