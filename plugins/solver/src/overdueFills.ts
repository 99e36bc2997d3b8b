import { type FailReason, type Lease, parseTerms, type QuoteTerms, type StoredPayout, toBytea } from '@causeway/core'
import type { LaneContext } from './laneContext.js'
import type { Mortician } from './mortician.js'

/** A fill decided this recently was within its time. */
const FRESH_MS = 5_000

/**
 * A fill that waited (for its signer, for funds, for the hourly limit, for a quarantined lane) past its order's time is
 * refunded instead: nothing of it was ever sent, or what was sent is proven dead.
 */
export class OverdueFills {
  readonly #lane: LaneContext
  readonly #mortician: Mortician

  constructor(lane: LaneContext, mortician: Mortician) {
    this.#lane = lane
    this.#mortician = mortician
  }

  /** Refunds what is overdue among ready payouts and returns the rest. */
  async refund(lease: Lease, ready: readonly StoredPayout[]): Promise<readonly StoredPayout[]> {
    const now = this.#lane.clock.now()
    const waited = ready.filter(
      ({ purpose, attempts, createdAt }) => purpose === 'fill' && (attempts > 0 || now - createdAt > FRESH_MS),
    )
    if (waited.length === 0) return ready
    const terms = await this.#terms(waited)
    const overdue = new Set<string>()
    for (const payout of waited) {
      const reason = overdueReason(terms.get(payout.requestId ?? ''), now)
      if (reason === null) continue
      overdue.add(payout.id)
      await this.#mortician.refundUnsent(lease, payout, reason)
    }
    return ready.filter(({ id }) => !overdue.has(id))
  }

  async #terms(payouts: readonly StoredPayout[]): Promise<Map<string, QuoteTerms>> {
    const ids = payouts.flatMap(({ requestId }) => (requestId === null ? [] : [toBytea(requestId)]))
    const { rows } = await this.#lane.pool.query<{ id: string; terms: string }>({
      name: 'terms_of_waiting_fills',
      text: `select '0x' || encode(id, 'hex') as id, terms from requests where id = any($1::bytea[])`,
      values: [ids],
    })
    return new Map(rows.map(({ id, terms }) => [id, parseTerms(terms)]))
  }
}

const overdueReason = (terms: QuoteTerms | undefined, now: number): FailReason | null => {
  if (terms === undefined) return null
  if (terms.fillBy !== null && now > terms.fillBy * 1000) return 'TTL_EXPIRED'
  return now > terms.orderDeadline * 1000 ? 'ORDER_EXPIRED' : null
}
