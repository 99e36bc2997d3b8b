import type { Pool, PoolClient } from 'pg'
import type { Json } from '../chain/chainAdapter.js'
import type { LaneReading, OutgoingTransaction } from '../chain/laneAdapter.js'
import { adoptForOpenPayouts } from './createPayouts.js'
import { paidOtherwise } from './payoutQueries.js'

/** What the database holds of a lane. */
export interface LaneJournal {
  readonly state: 'open' | 'quarantined'
  /** Null when the very first reading was not complete: there is no position to go on from. */
  readonly position: Json
  readonly height: bigint
  readonly reason: string | null
}

interface LaneKey {
  readonly chainId: number
  readonly signer: string
}

/** The stored journal, or null before the lane's first use. */
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
 * blocks nothing. While transactions could not all be read the journal stays where it is, so that the gap is not forgotten;
 * only an operator who accepts just that gap moves it on. Returns the journal as stored.
 */
export const openLane = async (
  client: PoolClient,
  lane: LaneKey,
  reading: LaneReading,
  height: bigint,
  now: number,
): Promise<LaneJournal> => {
  await importTransactions(client, lane, reading.unknown, now)
  await adoptForOpenPayouts(client, lane, now)
  const seen = JSON.stringify(reading.position)
  const complete = reading.complete || (await isAccepted(client, lane, seen))
  const unmatched = await countUnmatched(client, lane)
  const reason = !complete
    ? `transactions of this key since the last stored block could not all be read${reading.gap === undefined ? '' : `: ${reading.gap}`}`
    : unmatched > 0
      ? `${unmatched} transaction(s) of this key pay orders this database does not know`
      : null
  const state = reason === null ? 'open' : 'quarantined'
  const { rows } = await client.query<{ position: string; height: string }>(
    `insert into lanes (chain_id, signer, state, position, height, reason, updated_at, seen_position)
     values ($1, $2, $3, case when $8 then $4 else 'null' end, $5, $6, to_timestamp($7 / 1000.0), case when $8 then null else $4 end)
     on conflict (chain_id, signer) do update set state = excluded.state, reason = excluded.reason, updated_at = excluded.updated_at,
       position = case when $8 then excluded.position else lanes.position end,
       height = case when $8 then excluded.height else lanes.height end,
       seen_position = excluded.seen_position, accepted_position = case when $8 then null else lanes.accepted_position end
     returning position, height::text as height`,
    [lane.chainId, lane.signer, state, seen, height.toString(), reason, now, complete],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The lane was not stored.')
  return { state, position: JSON.parse(row.position), height: BigInt(row.height), reason }
}

/** Whether an operator accepted that transactions up to here stay unread. */
const isAccepted = async (client: PoolClient, lane: LaneKey, seen: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    'select 1 from lanes where chain_id = $1 and signer = $2 and accepted_position = $3',
    [lane.chainId, lane.signer, seen],
  )
  return rowCount === 1
}

const UNKNOWN_ORDER = `not exists (select 1 from quotes q where q.order_id = i.order_id)
       and not exists (select 1 from requests r where r.order_id = i.order_id)`

const OPEN_IMPORT = 'i.payout_id is null and i.order_id is not null and i.released_at is null'

/**
 * Imported transactions that wait for an operator: those that keep a lane shut, since they pay an order and no quote or request has
 * it, and those that keep an order from being paid otherwise. `i` is the table.
 */
export const UNMATCHED_SQL = `${OPEN_IMPORT} and (${UNKNOWN_ORDER} or exists (select 1 from payouts p
       where p.order_id = i.order_id and p.state = 'ready' and ${paidOtherwise('p')}))`

const countUnmatched = async (client: PoolClient, lane: LaneKey): Promise<number> => {
  const { rows } = await client.query<{ unmatched: number }>(
    `select count(*)::int as unmatched from imported_transactions i where i.chain_id = $1 and i.signer = $2 and ${OPEN_IMPORT} and ${UNKNOWN_ORDER}`,
    [lane.chainId, lane.signer],
  )
  return rows[0]?.unmatched ?? 0
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
