import type { PoolClient } from 'pg'
import { KEEPS_SHUT_SQL, type LaneKey, MAY_HOLD_BACK_SQL } from './laneJournal.js'

/** An imported transaction that an operator accounted for; amount in smallest units, as decimal text. */
export interface ReleasedTransaction {
  readonly txId: string
  readonly orderId: string
  readonly recipient: string
  readonly currency: string
  readonly amount: string
}

/** Holds a lane's row until the caller's transaction ends. */
export const lockLane = async (client: PoolClient, lane: LaneKey): Promise<void> => {
  await client.query('select 1 from lanes where chain_id = $1 and signer = $2 for update', [lane.chainId, lane.signer])
}

/**
 * Releases those of the transactions that keep the lane shut, in the caller's transaction; what their orders were paid stays paid (F120).
 * `explained`: the operator knows what they were, and that they paid for no deposit which waits; also one that was released with all others.
 */
export const releaseTransactions = async (
  client: PoolClient,
  lane: LaneKey,
  txIds: readonly string[],
  { explained, now }: { readonly explained: boolean; readonly now: number },
): Promise<readonly ReleasedTransaction[]> => {
  const { rows } = await client.query<{
    tx_id: string
    order_id: string
    recipient: string
    currency: string
    amount: string
  }>(
    `update imported_transactions i set released_at = coalesce(released_at, to_timestamp($4 / 1000.0)), explained = $5
     where i.chain_id = $1 and i.signer = $2 and i.tx_id = any($3) and (${KEEPS_SHUT_SQL} or $5 and ${MAY_HOLD_BACK_SQL})
     returning i.tx_id, '0x' || encode(i.order_id, 'hex') as order_id, i.recipient, i.currency, i.amount::text as amount`,
    [lane.chainId, lane.signer, txIds, now, explained],
  )
  return rows.map(({ tx_id, order_id, ...rest }) => ({ txId: tx_id, orderId: order_id, ...rest }))
}

/**
 * Accepts that transactions up to `seenPosition`, where the chain stood when the operator looked, stay unread; returns it, or null where
 * there is no gap, or another one by now.
 */
export const acceptGap = async (
  client: PoolClient,
  lane: LaneKey,
  seenPosition: string | null,
): Promise<string | null> => {
  const { rows } = await client.query<{ accepted_position: string }>(
    `update lanes set accepted_position = seen_position where chain_id = $1 and signer = $2 and state = 'quarantined'
       and seen_position is not null and seen_position = $3 returning accepted_position`,
    [lane.chainId, lane.signer, seenPosition],
  )
  return rows[0]?.accepted_position ?? null
}
