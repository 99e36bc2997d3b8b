import type { PoolClient } from 'pg'
import { fillSecondsOf } from '../database/schema/recordsSql.js'
import type { FailReason, RefundFailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import { canMove, REQUEST_STATUSES, type RequestStatus } from './requestStatus.js'

export interface StatusChange {
  readonly requestId: Hex
  readonly to: RequestStatus
  readonly failReason?: FailReason | null
  readonly refundFailReason?: RefundFailReason | null
  /** Decoded revert text or null. */
  readonly details?: string | null
  /** Required while unfinished (invariant 4), absent when finished. */
  readonly next?: { readonly action: string; readonly at: number }
}

/** The body of `request.status.updated` (wire.md 5.2), made in SQL so that hashes and status come from one snapshot. */
const EVENT_PAYLOAD = `json_build_object(
  'status', m.status,
  'inTxHashes', coalesce((select json_agg(t.tx_id order by t.created_at) from request_txs t where t.request_id = m.id and t.direction = 'in'), '[]'),
  'txHashes', coalesce((select json_agg(t.tx_id order by t.created_at) from request_txs t
     where t.request_id = m.id and t.direction = 'out'
     and t.purpose = case when m.status = 'refund' then 'refund' else 'fill' end), '[]'),
  'updatedAt', (extract(epoch from m.updated_at) * 1000)::bigint,
  'originChainId', m.origin_chain_id, 'destinationChainId', m.destination_chain_id,
  'depositAddress', case when m.deposit_address is null then null else json_build_object(
     'address', m.deposit_address,
     'depositAddressType', case when (select f.body::json->>'strict' from request_facts f where f.request_id = m.id) = 'true' then 'strict' else 'open' end,
     'depositor', m.depositor,
     'depositTxHash', (select t.tx_id from request_txs t where t.request_id = m.id and t.direction = 'in' order by t.created_at limit 1)) end,
  'requestId', '0x' || encode(m.id, 'hex'), 'referrer', m.referrer,
  'details', case when m.details is null then null else json_build_object('message', m.details) end,
  'failReason', case when m.status in ('failure', 'refund') then coalesce(m.fail_reason, 'UNKNOWN') else 'N/A' end,
  'refundFailReason', coalesce(m.refund_fail_reason, 'N/A'))::text`

const CHANGE = {
  name: 'request_change_status',
  text: `with wanted as (
      select * from jsonb_to_recordset($1::jsonb) as w(
        id text, status text, sources text[], fail_reason text, refund_fail_reason text, details text,
        next_action text, next_action_ms bigint)
    ), m as (
      update requests r set status = w.status, version = r.version + 1,
        fail_reason = coalesce(w.fail_reason, r.fail_reason),
        refund_fail_reason = coalesce(w.refund_fail_reason, r.refund_fail_reason),
        details = coalesce(w.details, r.details),
        fill_seconds = case when w.status = 'success' then ${fillSecondsOf('r.id')} else r.fill_seconds end,
        next_action = w.next_action, next_action_at = to_timestamp(w.next_action_ms / 1000.0), attempts = 0,
        updated_at = to_timestamp($2 / 1000.0),
        event_xid = greatest(r.event_xid, outbox_place(pg_current_xact_id()))
      from wanted w where r.id = decode(w.id, 'hex') and r.status = any(w.sources)
      returning r.*
    ), told as (
      insert into request_events (xid, request_id, version, status, payload, created_at)
      select m.event_xid, m.id, m.version, m.status, ${EVENT_PAYLOAD}, m.updated_at from m
    )
    select encode(id, 'hex') as id, version from m`,
}

const toRow = (change: StatusChange) => ({
  id: change.requestId.slice(2),
  status: change.to,
  sources: REQUEST_STATUSES.filter((from) => canMove(from, change.to)),
  fail_reason: change.failReason ?? null,
  refund_fail_reason: change.refundFailReason ?? null,
  details: change.details ?? null,
  next_action: change.next?.action ?? null,
  next_action_ms: change.next?.at ?? null,
})

/**
 * Moves requests and writes their outbox events in the caller's transaction, in one statement. A request that may not move
 * (`REQUEST_TRANSITIONS`) stays as it is; the ids that moved are returned.
 */
export const changeStatuses = async (
  client: PoolClient,
  changes: readonly StatusChange[],
  now: number,
): Promise<Set<Hex>> => {
  if (changes.length === 0) return new Set()
  const { rows } = await client.query<{ id: string }>({ ...CHANGE, values: [JSON.stringify(changes.map(toRow)), now] })
  return new Set(rows.map(({ id }): Hex => `0x${id}`))
}
