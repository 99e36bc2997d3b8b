import type { PoolClient } from 'pg'
import { fillSecondsOf } from '../database/schema/recordsSql.js'
import type { FailReason, RefundFailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import { canMove, canMoveAlone, REQUEST_STATUSES, type RequestStatus } from './requestStatus.js'

export interface StatusChange {
  readonly requestId: Hex
  readonly to: RequestStatus
  readonly failReason?: FailReason | null
  readonly refundFailReason?: RefundFailReason | null
  /** Decoded revert text or null. */
  readonly details?: string | null
  /** The user moves the value alone (architecture.md 3): what is allowed besides then. */
  readonly alone?: true
  /** Required while unfinished (invariant 4), absent when finished. */
  readonly next?: { readonly action: string; readonly at: number }
}

/** The body of `request.status.updated` of `m` (wire.md 5.2), made in SQL so that hashes and status come from one snapshot. */
const eventPayload = (toldAs: string): string => `json_build_object(
  'status', m.status,
  'inTxHashes', coalesce((select json_agg(t.tx_id order by t.created_at) from request_txs t where t.request_id = m.id and t.direction = 'in'), '[]'),
  'txHashes', coalesce((select json_agg(t.tx_id order by t.created_at) from request_txs t
     where t.request_id = m.id and t.direction = 'out'
     and t.purpose = case when m.status = 'refund' then 'refund' else 'fill' end), '[]'),
  'updatedAt', (extract(epoch from m.updated_at) * 1000)::bigint,
  'originChainId', m.origin_chain_id, 'destinationChainId', m.destination_chain_id,
  'depositAddress', case when m.deposit_address is null then null else json_build_object(
     'address', m.deposit_address,
     'depositAddressType', coalesce(m.terms::jsonb->'address'->>'type', 'open'),
     'depositor', m.depositor,
     'depositTxHash', m.transfer_tx) end,
  'requestId', '0x' || encode(${toldAs}, 'hex'), 'referrer', m.referrer,
  'details', case when m.details is null then null else json_build_object('message', m.details) end,
  'failReason', case when m.status in ('failure', 'refund') then coalesce(m.fail_reason, 'UNKNOWN') else 'N/A' end,
  'refundFailReason', coalesce(m.refund_fail_reason, 'N/A'))::text`

/** Of `requests m`, the columns of its last event, for when that itself was dropped after its time (architecture.md 6, Retention). */
export const PRESENT_EVENT_COLUMNS = `m.event_xid::text as xid, '0' as seq, encode(m.id, 'hex') as request_id, m.version, m.status,
  m.api_key_id, m.integrator_id, (extract(epoch from m.updated_at) * 1000)::bigint::text as created_ms, ${eventPayload('m.id')} as payload`

const CHANGE = {
  name: 'request_change_status',
  text: `with wanted as (
      select w.*, t.version as told_version, t.event_xid as told_xid from jsonb_to_recordset($1::jsonb) as w(
        id text, status text, sources text[], fail_reason text, refund_fail_reason text, details text,
        next_action text, next_action_ms bigint)
      -- What was told under this id before it was a request comes before what is told now.
      left join lateral (select version, event_xid from told_quotes where quote_id = decode(w.id, 'hex') for update) t on true
    ), m as (
      update requests r set status = w.status, version = greatest(r.version, w.told_version) + 1,
        fail_reason = coalesce(w.fail_reason, r.fail_reason),
        refund_fail_reason = coalesce(w.refund_fail_reason, r.refund_fail_reason),
        details = coalesce(w.details, r.details),
        -- What goes back earned nobody a fee.
        app_fees_usd = case when w.status = 'refund' then 0 else r.app_fees_usd end,
        fill_seconds = case when w.status = 'success' then ${fillSecondsOf('r.id')} else r.fill_seconds end,
        next_action = w.next_action, next_action_at = to_timestamp(w.next_action_ms / 1000.0), attempts = 0,
        trouble = null, trouble_since = null,
        updated_at = to_timestamp($2 / 1000.0),
        event_xid = greatest(r.event_xid, w.told_xid, outbox_place(pg_current_xact_id()))
      from wanted w where r.id = decode(w.id, 'hex') and r.status = any(w.sources)
      returning r.*
    ), own as (
      update told_quotes t set version = m.version, event_xid = m.event_xid, taken = m.status <> 'waiting' from m where t.quote_id = m.id
    ), unfit as (
      select m.id, m.told_as, m.event_xid, count(*) over (partition by m.told_as) as count,
        row_number() over (partition by m.told_as order by m.seq) as nth
      from m where m.told_as is not null and not exists (select from m o where o.id = m.told_as)
        and not exists (select from requests o where o.id = m.told_as and o.status <> 'waiting')
    ), led as (
      insert into told_quotes as t (quote_id, version, event_xid)
      select u.told_as, coalesce((select r.version from requests r where r.id = u.told_as), 1) + u.count, u.event_xid
      from unfit u where u.nth = 1
      on conflict (quote_id) do update set event_xid = greatest(t.event_xid, excluded.event_xid),
        version = t.version + (select u.count from unfit u where u.told_as = excluded.quote_id and u.nth = 1)
      where not t.taken
      returning quote_id, version, event_xid
    ), told as (
      insert into request_events (xid, request_id, version, status, payload, created_at, api_key_id)
      select m.event_xid, m.id, m.version, m.status, ${eventPayload('m.id')}, m.updated_at,
        -- The key hears of it once, under the id of the quote.
        case when exists (select from led l join unfit u on u.told_as = l.quote_id where u.id = m.id) then '' end
      from m
      union all
      select l.event_xid, u.told_as, l.version - u.count + u.nth, m.status, ${eventPayload('u.told_as')}, m.updated_at, m.api_key_id
      from led l join unfit u on u.told_as = l.quote_id join m on m.id = u.id
    )
    select encode(id, 'hex') as id, version from m`,
}

const toRow = (change: StatusChange) => ({
  id: change.requestId.slice(2),
  status: change.to,
  sources: REQUEST_STATUSES.filter((from) => (change.alone ? canMoveAlone : canMove)(from, change.to)),
  fail_reason: change.failReason ?? null,
  refund_fail_reason: change.refundFailReason ?? null,
  details: change.details ?? null,
  next_action: change.next?.action ?? null,
  next_action_ms: change.next?.at ?? null,
})

/**
 * Moves requests and writes their outbox events in the caller's transaction, in one statement; those of a child that its quote tells
 * of (`NewRequest.isTold`) under the id of the quote too, as long as no fit deposit has taken that over. A request that may not move
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
