import type { Json } from '@causeway/core'
import { KEEPS_SHUT_SQL } from '@causeway/core/money-path'
import { ActionRefusedError, auditActor, LANE_CHANNEL, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import type { LaneReport, LaneReportDeps } from './laneReport.js'

export interface LaneRelease {
  readonly lane: LaneReport
  /** One transaction, or null for all that are unmatched and the gap of what could not be read. */
  readonly txId: string | null
  readonly reason: string
}

interface Released {
  readonly tx_id: string
  readonly order_id: string
  readonly recipient: string
  readonly currency: string
  readonly amount: string
}

/**
 * Takes transactions an operator accounts for out of what keeps a lane shut, with a row in the audit; the lane is looked at
 * again at once. What their orders were paid stays paid: no other payout of them is made (F120). Only what the operator was shown is released: what was found since keeps it shut.
 * @throws ActionRefusedError when there is nothing to release
 */
export const releaseLane = async (
  { pool, clock }: LaneReportDeps,
  { lane, txId, reason }: LaneRelease,
): Promise<{ readonly transactions: number; readonly gap: boolean }> =>
  withTransaction(pool, async (client) => {
    await client.query('select 1 from lanes where chain_id = $1 and signer = $2 for update', [
      lane.chainId,
      lane.signer,
    ])
    const shown = lane.unmatched.filter(({ shuts }) => shuts).map((item) => item.txId)
    const released = await releaseTransactions(client, lane, txId === null ? shown : [txId], clock.now())
    const gap = txId === null ? await acceptGap(client, lane) : null
    if (released.length === 0 && gap === null)
      throw new ActionRefusedError(
        txId === null
          ? `Nothing keeps the lane ${lane.chain} ${lane.signer} shut.`
          : `${txId} does not keep the lane ${lane.chain} ${lane.signer} shut. causeway lanes inspect lists what does.`,
      )
    await recordAudit(client, {
      at: clock.now(),
      actor: auditActor(),
      action: 'lanes release',
      subject: `lane ${lane.chainId} ${lane.signer}`,
      details: { reason, transactions: released.map(toJson), acceptedUpTo: gap },
    })
    await client.query('select pg_notify($1, $2)', [LANE_CHANNEL, String(lane.chainId)])
    return { transactions: released.length, gap: gap !== null }
  })

const releaseTransactions = async (
  client: PoolClient,
  lane: LaneReport,
  txIds: readonly string[],
  now: number,
): Promise<readonly Released[]> => {
  const { rows } = await client.query<Released>(
    `update imported_transactions i set released_at = to_timestamp($4 / 1000.0)
     where i.chain_id = $1 and i.signer = $2 and i.tx_id = any($3) and ${KEEPS_SHUT_SQL}
     returning i.tx_id, '0x' || encode(i.order_id, 'hex') as order_id, i.recipient, i.currency, i.amount::text as amount`,
    [lane.chainId, lane.signer, txIds, now],
  )
  return rows
}

/** Accepts that transactions up to where the chain stood when the operator looked stay unread; null when there is no gap. */
const acceptGap = async (client: PoolClient, lane: LaneReport): Promise<string | null> => {
  const { rows } = await client.query<{ accepted_position: string }>(
    `update lanes set accepted_position = seen_position where chain_id = $1 and signer = $2 and state = 'quarantined'
       and seen_position is not null and seen_position = $3 returning accepted_position`,
    [lane.chainId, lane.signer, lane.storedPosition],
  )
  return rows[0]?.accepted_position ?? null
}

const toJson = (row: Released): Json => ({
  txId: row.tx_id,
  orderId: row.order_id,
  recipient: row.recipient,
  currency: row.currency,
  amount: row.amount,
})
