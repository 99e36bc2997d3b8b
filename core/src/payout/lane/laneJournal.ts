import type { Pool, PoolClient } from 'pg'
import type { Json } from '../../chain/json.js'
import type { LaneReading, OutgoingTransaction } from '../../chain/laneAdapter.js'
import { locatorText } from '../../chain/txLocator.js'
import { adoptClaims } from '../claim/adoptClaims.js'
import { keepClaimsOut } from '../claim/claimLock.js'
import { adoptForOpenPayouts } from '../createPayouts.js'
import { mayHavePaid, paidOtherwise, UNKNOWN_ORDER } from './paidOrders.js'

/** What the database holds of a lane. */
export interface LaneJournal {
  readonly state: 'open' | 'settling' | 'quarantined'
  /** Null when the very first reading was not complete: there is no position to go on from. */
  readonly position: Json
  readonly height: bigint
  readonly reason: string | null
}

/** The journal as it was left. */
export interface StoredLane extends LaneJournal {
  /** True when another history of the data wrote it: what was stored since may be lost (faults.md F121). */
  readonly moved: boolean
  /** The lane settles until this point of the chain has passed (`LaneValidity`); null: nothing unseen may land. */
  readonly settlesAfter: bigint | null
}

/** Reading of a lane that is to open. */
export interface LaneOpening extends LaneReading {
  /**
   * Why the lane waits for an operator although all could be read: its key was used before this database knew it. The operator's word
   * counts wherever the key stands then. Absent: it does not wait.
   */
  readonly used?: string
}

export interface LaneKey {
  readonly chainId: number
  readonly signer: string
  /** `origin`: its key only sends for users, and holds nothing but gas; absent: it pays. */
  readonly kind?: 'payout' | 'origin'
}

/** The stored journal, or null before the lane's first use. */
export const findLane = async (db: Pool | PoolClient, lane: LaneKey): Promise<StoredLane | null> => {
  const { rows } = await db.query<{
    state: LaneJournal['state']
    position: string
    height: string
    reason: string | null
    moved: boolean
    settles_after: string | null
  }>(
    `select state, position, height::text as height, reason, history <> server_history() as moved,
       settles_after::text as settles_after from lanes where chain_id = $1 and signer = $2`,
    [lane.chainId, lane.signer],
  )
  const row = rows[0]
  return row === undefined
    ? null
    : {
        state: row.state,
        position: JSON.parse(row.position),
        height: BigInt(row.height),
        reason: row.reason,
        moved: row.moved,
        settlesAfter: row.settles_after === null ? null : BigInt(row.settles_after),
      }
}

/**
 * Chains of which a lane among these was not compared with its chain since the database failed over, or still settles: what they sent
 * and lost is not all known (faults.md F121). A lane without a journal has sent nothing, unless the database may have forgotten it.
 */
export const findUnsettledChains = async (
  db: Pool | PoolClient,
  lanes: readonly LaneKey[],
): Promise<readonly number[]> => {
  const { rows } = await db.query<{ chain_id: string }>(
    `select distinct c.chain_id::text as chain_id from unnest($1::bigint[], $2::text[]) as c(chain_id, signer)
       left join lanes l on c.chain_id = l.chain_id and c.signer = l.signer
     where l.history <> server_history() or l.settles_after is not null
       or l.chain_id is null and exists (select from database_id where history <> server_history())`,
    [lanes.map(({ chainId }) => chainId), lanes.map(({ signer }) => signer)],
  )
  return rows.map(({ chain_id }) => Number(chain_id))
}

/**
 * Writes the result of comparing a lane with its chain (architecture.md 3): outgoing transactions the journal does not know are kept,
 * to be matched with payouts by the order id they carry; the lane opens when every order id is known, else it is quarantined
 * and nothing is signed before an operator has looked. A transaction without an order id is not a payout of ours and
 * blocks nothing. While transactions could not all be read the journal stays where it is, so that the gap is not forgotten;
 * only an operator who accepts just that gap moves it on. It stays too, and nothing is signed, until the chain has passed
 * `settlesAfter`: what an earlier history of the database lost may land until then, in any order (F121). Returns the journal as stored.
 */
export const openLane = async (
  client: PoolClient,
  lane: LaneKey,
  reading: LaneOpening,
  height: bigint,
  now: number,
  settlesAfter: bigint | null = null,
): Promise<LaneJournal> => {
  await importTransactions(client, lane, reading.unknown, now)
  const seen = JSON.stringify(reading.position)
  const isHeld = reading.used !== undefined && !(await isAnyAccepted(client, lane))
  const complete = !isHeld && (reading.complete || (await isAccepted(client, lane, seen)))
  const unmatched = await countUnmatched(client, lane)
  const trouble = isHeld ? (reading.used ?? null) : troubleOf({ ...reading, complete }, unmatched)
  const settled = settlesAfter === null
  const state = trouble !== null ? 'quarantined' : settled ? 'open' : 'settling'
  const reason = trouble ?? (settled ? null : settlingReason(settlesAfter))
  const { rows } = await client.query<{ position: string; height: string }>(
    `insert into lanes (chain_id, signer, state, position, height, reason, updated_at, seen_position, settles_after, kind)
     values ($1, $2, $3, case when $9 then $4 else 'null' end, $5, $6, to_timestamp($7 / 1000.0), case when $8 then null else $4 end, $10, $11)
     on conflict (chain_id, signer) do update set state = excluded.state, reason = excluded.reason, updated_at = excluded.updated_at,
       position = case when $9 then excluded.position else lanes.position end,
       height = case when $9 then excluded.height else lanes.height end,
       history = server_history(), settles_after = excluded.settles_after,
       seen_position = excluded.seen_position, accepted_position = case when $9 then null else lanes.accepted_position end
     returning position, height::text as height`,
    [
      lane.chainId,
      lane.signer,
      state,
      seen,
      height.toString(),
      reason,
      now,
      complete,
      complete && settled,
      settlesAfter?.toString() ?? null,
      lane.kind ?? 'payout',
    ],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The lane was not stored.')
  return { state, position: JSON.parse(row.position), height: BigInt(row.height), reason }
}

/** Reason why a lane stays shut; null: it opens. */
const troubleOf = ({ complete, gap }: LaneReading, unmatched: number): string | null => {
  if (!complete)
    return `transactions of this key since the last stored block could not all be read${gap === undefined ? '' : `: ${gap}`}`
  return unmatched > 0 ? `${unmatched} transaction(s) of this key pay orders this database does not know` : null
}

const settlingReason = (after: bigint): string =>
  `the database failed over and may lack the last payments: until block ${after} of this chain one of them may still land`

/** Whether an operator accepted that transactions up to here stay unread. */
export const isAccepted = async (client: Pool | PoolClient, lane: LaneKey, seen: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    'select 1 from lanes where chain_id = $1 and signer = $2 and accepted_position = $3',
    [lane.chainId, lane.signer, seen],
  )
  return rowCount === 1
}

/** Whether an operator accepted the lane at some position. */
const isAnyAccepted = async (client: PoolClient, lane: LaneKey): Promise<boolean> => {
  const { rowCount } = await client.query(
    'select from lanes where chain_id = $1 and signer = $2 and accepted_position is not null',
    [lane.chainId, lane.signer],
  )
  return rowCount === 1
}

/**
 * It brought home a deposit that was decided, or closed by an operator, without a quote that is known, or one that is for a balance and
 * goes by its own id: nothing is left to find out.
 */
const WITHDREW_CLOSED = `i.purpose = 'withdraw' and (exists (select 1 from deposits d
       where d.chain_id = i.chain_id and d.order_id = i.order_id and d.outcome is not null)
       or exists (select 1 from deposits d where d.chain_id = i.chain_id and d.onchain_id = i.order_id and d.holder is not null))`

/** Imported transactions that keep a lane shut: they pay an order, as what brings a deposit in does not, and no quote or request has it. `i` is the table. */
export const KEEPS_SHUT_SQL = `i.payout_id is null and i.order_id is not null and coalesce(i.purpose, '') not in ('sweep', 'origin') and i.released_at is null
       and ${UNKNOWN_ORDER}
       and not (${WITHDREW_CLOSED})`

/** Numbers of the deposits that an imported transaction, `i`, may have paid for, as rows: each kind is looked up by an index of its own. */
export const MAY_PAY_FOR_SQL = `select d.id from deposits d where d.order_id = i.order_id
       union select d.id from requests m join deposits d on d.request_id = m.id where ${mayHavePaid('m')}`

/** Imported transactions that hold back a payout which they may be, as far as anybody knows. `i` is the table. */
export const MAY_HOLD_BACK_SQL = `exists (select from requests m join payouts p on p.request_id = m.id
       where ${mayHavePaid('m')} and p.state = 'ready')`

/** Imported transactions that hold back a payout of what they paid, or may have, released or not. `i` is the table. */
export const HOLDS_BACK_SQL = `i.payout_id is null and (exists (select from payouts p
       where p.order_id = i.order_id and p.state = 'ready' and ${paidOtherwise('p')}) or ${MAY_HOLD_BACK_SQL})`

const countUnmatched = async (client: PoolClient, lane: LaneKey): Promise<number> => {
  const { rows } = await client.query<{ unmatched: number }>(
    `select count(*)::int as unmatched from imported_transactions i where i.chain_id = $1 and i.signer = $2 and ${KEEPS_SHUT_SQL}`,
    [lane.chainId, lane.signer],
  )
  return rows[0]?.unmatched ?? 0
}

/** Keeps outgoing transactions that no attempt of ours is, and gives them to the open payouts they pay. */
export const importTransactions = async (
  client: PoolClient,
  lane: LaneKey,
  unknown: readonly OutgoingTransaction[],
  now: number,
): Promise<void> => {
  await keepClaimsOut(client, lane.chainId)
  if (unknown.length > 0) await saveTransactions(client, lane, unknown, now)
  await adoptForOpenPayouts(client, lane, now)
  await adoptClaims(client, lane, now)
}

const saveTransactions = async (
  client: PoolClient,
  lane: LaneKey,
  unknown: readonly OutgoingTransaction[],
  now: number,
): Promise<void> => {
  const parts = new Map<string, number>()
  const nextPart = (id: string): number => {
    const part = parts.get(id) ?? 0
    parts.set(id, part + 1)
    return part
  }
  const rows = unknown.map((item) => ({
    tx_id: item.tx.id,
    // Of a transaction that pays several orders each is a row of its own, in the order in which the chain tells them.
    part: nextPart(item.tx.id),
    locator: locatorText(item.tx.locator),
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
       block_height, block_hash, created_at, locator, part)
     select $1, i.tx_id, $2, i.guard_keys, decode(i.order_id, 'hex'), i.purpose, i.recipient, i.currency, i.amount, i.status,
       i.block_height, i.block_hash, to_timestamp($4 / 1000.0), i.locator, i.part
     from jsonb_to_recordset($3::jsonb) as i(tx_id text, guard_keys text, order_id text, purpose text, recipient text, currency text,
       amount numeric, status text, block_height bigint, block_hash text, locator text, part int)
     where not exists (select 1 from payout_attempts a where a.chain_id = $1 and a.tx_id = i.tx_id)
       -- Another part of it may be the attempt of a payout already.
       or exists (select 1 from imported_transactions e where e.chain_id = $1 and e.tx_id = i.tx_id and e.part = i.part and e.payout_id is null)
     on conflict (chain_id, tx_id, part) do update set status = excluded.status, block_height = excluded.block_height,
       block_hash = excluded.block_hash, locator = coalesce(excluded.locator, imported_transactions.locator)`,
    [lane.chainId, lane.signer, JSON.stringify(rows), now],
  )
}
