import { findPayoutsOf, latestAttempt, type StoredPayout } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'
import { isGroundless } from '../tracking/payoutLook.js'

/** What else is in the transactions of payouts, on chains where one may carry several. */
export class SharedTransactions {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** These payouts and all that share the latest transaction of one of them, as they are stored now; no query on other chains. */
  async of(payouts: readonly StoredPayout[]): Promise<readonly StoredPayout[]> {
    const { pool, chain } = this.#lane
    const txIds = payouts.flatMap((payout) => latestAttempt(payout)?.txId ?? [])
    if (chain.adapter.lane.payoutsPerTransaction === undefined || txIds.length === 0) return payouts
    return findPayoutsOf(pool, chain.config.id, txIds)
  }

  /** Those whose transaction pays nobody for a deposit that has left. */
  async grounded(payouts: readonly StoredPayout[]): Promise<readonly StoredPayout[]> {
    const groundless = (await this.of(payouts)).filter(isGroundless)
    const txIds = new Set(groundless.map((payout) => latestAttempt(payout)?.txId))
    return payouts.filter((payout) => !txIds.has(latestAttempt(payout)?.txId))
  }
}
