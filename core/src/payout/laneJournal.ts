import type { Pool, PoolClient } from 'pg'
import type { Json } from '../chain/chainAdapter.js'
import type { LaneReading, OutgoingTransaction } from '../chain/laneAdapter.js'

/** What the database holds of a lane. */
export interface LaneJournal {
  readonly state: 'open' | 'quarantined'
  readonly position: Json
  readonly height: bigint
  readonly reason: string | null
}

interface LaneKey {
  readonly chainId: number
  readonly signer: string
}

export const findLane = async (db: Pool | PoolClient, lane: LaneKey): Promise<LaneJournal | null> => {
  const { rows } = await db.query<{
    state: 'open' | 'quarantined'
    position: string
    height: string
    reason: string | null
  }>('select state, position, height::text as height, reason from lanes where chain_id = $1 and signer = $2', [
    lane.chainId,
    lane.signer,
  ])
  const row = rows[0]
  return row === undefined
    ? null
    : { state: row.state, position: JSON.parse(row.position), height: BigInt(row.height), reason: row.reason }
}

/**
 * Writes the result of comparing a lane with its chain (design 3): outgoing transactions the journal does not know are kept,
 * to be matched with payouts by the order id they carry; the lane opens when every order id is known, else it is quarantined
 * and nothing is signed before an operator has looked. A transaction without an order id is not a payout of ours and
 * blocks nothing. Returns the journal as stored.
 */
export const openLane = async (
  client: PoolClient,
  lane: LaneKey,
  reading: LaneReading,
  height: bigint,
  now: number,
): Promise<LaneJournal> => {
  await importTransactions(client, lane, reading.unknown, now)
  const { rows } = await client.query<{ unmatched: string }>(
    `select count(*)::text as unmatched from imported_transactions i
     where i.chain_id = $1 and i.signer = $2 and i.payout_id is null and i.order_id is not null and i.released_at is null
       and not exists (select 1 from quotes q where q.order_id = i.order_id)
       and not exists (select 1 from requests r where r.order_id = i.order_id)`,
    [lane.chainId, lane.signer],
  )
  const unmatched = Number(rows[0]?.unmatched ?? '0')
  const reason = !reading.complete
    ? 'transactions of this key since the last stored block could not all be read'
    : unmatched > 0
      ? `${unmatched} transaction(s) of this key pay orders this database does not know`
      : null
  const state = reason === null ? 'open' : 'quarantined'
  await client.query(
    `insert into lanes (chain_id, signer, state, position, height, reason, updated_at) values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
     on conflict (chain_id, signer) do update set state = excluded.state, position = excluded.position, height = excluded.height,
       reason = excluded.reason, updated_at = excluded.updated_at`,
    [lane.chainId, lane.signer, state, JSON.stringify(reading.position), height.toString(), reason, now],
  )
  return { state, position: reading.position, height, reason }
}

const importTransactions = async (
  client: PoolClient,
  lane: LaneKey,
  unknown: readonly OutgoingTransaction[],
  now: number,
): Promise<void> => {
  if (unknown.length === 0) return
  const rows = unknown.map((item) => ({
    tx_id: item.tx.id,
    guard_keys: JSON.stringify(item.guards),
    order_id: item.orderId?.slice(2) ?? null,
    purpose: item.purpose,
    recipient: item.to,
    currency: item.money.currency,
    amount: item.money.amount.toString(),
    status: item.status,
    block_height: item.block?.height.toString() ?? null,
    block_hash: item.block?.hash ?? null,
  }))
  await client.query(
    `insert into imported_transactions (chain_id, tx_id, signer, guard_keys, order_id, purpose, recipient, currency, amount, status,
       block_height, block_hash, created_at)
     select $1, i.tx_id, $2, i.guard_keys, decode(i.order_id, 'hex'), i.purpose, i.recipient, i.currency, i.amount, i.status,
       i.block_height, i.block_hash, to_timestamp($4 / 1000.0)
     from jsonb_to_recordset($3::jsonb) as i(tx_id text, guard_keys text, order_id text, purpose text, recipient text, currency text,
       amount numeric, status text, block_height bigint, block_hash text)
     where not exists (select 1 from payout_attempts a where a.chain_id = $1 and a.tx_id = i.tx_id)
     on conflict (chain_id, tx_id) do update set status = excluded.status, block_height = excluded.block_height,
       block_hash = excluded.block_hash`,
    [lane.chainId, lane.signer, JSON.stringify(rows), now],
  )
}
