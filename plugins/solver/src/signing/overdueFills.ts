import type { StoredPayout } from '@causeway/core/money-path'
import { type FailReason, parseTerms, type QuoteTerms, toBytea } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'

/** A fill decided this recently was within its time. */
const FRESH_MS = 5_000

/**
 * Finds fills that waited (for their signer, for funds, for the hourly limit, for a quarantined lane) past their order's time: they
 * are refunded instead, since nothing of them was ever sent, or what was sent is proven dead.
 */
export class OverdueFills {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Why each of the ready payouts that are overdue is refunded, by payout. */
  async reasons(ready: readonly StoredPayout[]): Promise<ReadonlyMap<string, FailReason>> {
    const now = this.#lane.clock.now()
    const waited = ready.filter(
      // By distance: one that was decided while the clock was ahead has waited.
      ({ purpose, attempts, createdAt, data, inclusions }) =>
        purpose === 'fill' &&
        // A fast fill that was told as paid is paid, late as it is: nothing else follows it.
        !(data.fastFill !== undefined && inclusions > 0) &&
        (attempts > 0 || Math.abs(now - createdAt) > FRESH_MS),
    )
    if (waited.length === 0) return new Map()
    const terms = await this.#terms(waited)
    return new Map(
      waited.flatMap(({ id, requestId }): [string, FailReason][] => {
        const reason = overdueReason(terms.get(requestId ?? ''), now)
        return reason === null ? [] : [[id, reason]]
      }),
    )
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
