import type { Json } from '@causeway/core'
import { acceptGap, lockLane, type ReleasedTransaction, releaseTransactions } from '@causeway/core/money-path'
import { ActionRefusedError, LANE_CHANNEL, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { LaneReport, LaneReportDeps } from './laneReport.js'

export interface LaneRelease {
  readonly lane: LaneReport
  /** One transaction, or null for all that are unmatched and the gap of what could not be read. */
  readonly txId: string | null
  readonly reason: string
  /** Who says so. */
  readonly actor: string
}

/**
 * Takes transactions an operator accounts for out of what keeps a lane shut, with a row in the audit; the lane is looked at
 * again at once. What their orders were paid stays paid: no other payout of them is made (F120). One that is released by itself paid for no
 * deposit that waits; with all others it goes on holding back what it may have paid. Only what the operator was shown is released: what was found since keeps it shut.
 * @throws ActionRefusedError when there is nothing to release
 */
export const releaseLane = async (
  { pool, clock }: LaneReportDeps,
  { lane, txId, reason, actor }: LaneRelease,
): Promise<{ readonly transactions: number; readonly gap: boolean }> =>
  withTransaction(pool, async (client) => {
    await lockLane(client, lane)
    const shown = lane.unmatched.filter(({ shuts }) => shuts).map((item) => item.txId)
    const one = txId !== null
    const released = await releaseTransactions(client, lane, one ? [txId] : shown, { explained: one, now: clock.now() })
    const gap = txId === null ? await acceptGap(client, lane, lane.storedPosition) : null
    if (released.length === 0 && gap === null)
      throw new ActionRefusedError(
        txId === null
          ? `Nothing keeps the lane ${lane.chain} ${lane.signer} shut.`
          : `${txId} does not keep the lane ${lane.chain} ${lane.signer} shut. causeway lanes inspect lists what does.`,
      )
    await recordAudit(client, {
      at: clock.now(),
      actor,
      action: 'lanes release',
      subject: `lane ${lane.chainId} ${lane.signer}`,
      details: { reason, transactions: released.map(toJson), acceptedUpTo: gap },
    })
    await client.query('select pg_notify($1, $2)', [LANE_CHANNEL, String(lane.chainId)])
    return { transactions: released.length, gap: gap !== null }
  })

const toJson = ({ txId, orderId, recipient, currency, amount }: ReleasedTransaction): Json => ({
  txId,
  orderId,
  recipient,
  currency,
  amount,
})
