import { recordPayoutReorg, type StoredAttempt, type StoredPayout } from '@causeway/core/money-path'
import { type Lease, traceTime, withLease } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'

/** A transaction of a payment was in a block and is in none any more: it is sent again. */
export const recordReorged = async (
  { pool, clock, chain, log, observer }: LaneContext,
  lease: Lease,
  payout: StoredPayout,
  attempt: StoredAttempt,
): Promise<void> => {
  log.warn(
    { payout: payout.id, chainId: payout.chainId },
    'A transaction of a payment left the chain and is sent again',
  )
  await withLease(pool, lease, async (client) => {
    await recordPayoutReorg(client, payout, attempt, chain.adapter.native.address, clock.now())
  })
  observer.payouts('reorged', chain.config.id, [payout], traceTime())
}
