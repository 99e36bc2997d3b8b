import { type DatabaseClient, type DatabasePool, withTransaction } from '@causeway/core/plugin'
import { auditTurnedOff, KEY_REVOKED, turnOffRevoked } from '../endpoint/turnOffRevoked.js'
import type { ClaimedDelivery } from './claimDeliveries.js'
import type { DeliveryAttempt } from './deliveryAttempt.js'

/** What became of a claimed delivery. */
export type Result = { readonly delivery: ClaimedDelivery; readonly attempt: DeliveryAttempt | null } & (
  | { readonly state: 'delivered' }
  | { readonly state: 'parked'; readonly reason: string }
  /** Again at a time, Unix milliseconds. */
  | { readonly state: 'waiting'; readonly nextAt: number }
)

export interface FinishInput {
  /** Unix milliseconds. */
  readonly now: number
  /** Of deliveries claimed in one life. */
  readonly results: readonly Result[]
  /** An endpoint that only fails for so long is turned off, milliseconds. */
  readonly disableAfterMs: number
  /** How far apart failures may be to count as going on, milliseconds. */
  readonly quietMs: number
}

const RESULTS = `jsonb_to_recordset($2::jsonb) as r(endpoint_id bigint, request text, id bigint, state text, reason text, attempt jsonb, next_ms bigint)`

/** In one order, so that nobody waits in a circle; a statement of its own, so that the next one sees what it waited for. */
const LOCK = {
  name: 'webhooks_finish_lock',
  text: `select s.endpoint_id from webhook_streams s join ${RESULTS} on s.endpoint_id = r.endpoint_id
      and s.request_id = decode(r.request, 'hex')
    where s.claimed_by = $1 order by s.endpoint_id, s.request_id for update of s`,
}

const FINISH = {
  name: 'webhooks_finish',
  text: `with mine as (
      select r.*, s.request_id, r.state = 'waiting' as again, r.state = 'waiting' or exists (
        select from webhook_queue q where q.endpoint_id = s.endpoint_id and q.request_id = s.request_id and q.id <> r.id) as more
      from ${RESULTS} join webhook_streams s on s.endpoint_id = r.endpoint_id and s.request_id = decode(r.request, 'hex')
      where s.claimed_by = $1
    ), gone as (
      delete from webhook_queue q using mine m where q.id = m.id and not m.again
      returning q.*, m.state, m.reason, m.attempt
    ), logged as (
      insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at, outcome,
        reason, tries, replay_of)
      select id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, to_timestamp($3 / 1000.0), state, reason,
        case when attempt is null then tries else tries || attempt end, replay_of from gone
    ), again as (
      update webhook_queue q set attempts = q.attempts + 1, tries = q.tries || m.attempt
      from mine m where q.id = m.id and m.again and m.attempt is not null
    ), ended as (
      delete from webhook_streams s using mine m
      where s.endpoint_id = m.endpoint_id and s.request_id = m.request_id and not m.more
    )
    update webhook_streams s set claimed_by = null, next_at = to_timestamp(coalesce(m.next_ms, $3) / 1000.0)
    from mine m where s.endpoint_id = m.endpoint_id and s.request_id = m.request_id and m.more`,
}

/** Days without a call, or without this service, are no days of failures: the count begins anew behind them. */
const HEALTH = `with health as (
    select e.id, e.api_key_id, h.ok, case when h.ok then null
      when e.failed_at >= to_timestamp($2 / 1000.0) - $5 * interval '1 millisecond' then e.failing_since
      else to_timestamp($2 / 1000.0) end as since
    from unnest($1::bigint[], $4::bool[]) as h (id, ok) join webhook_endpoints e on e.id = h.id
    where (h.ok and e.failing_since is not null) or (not h.ok and e.enabled)
    order by e.id for update of e
  ), judged as (
    select *, coalesce(since <= to_timestamp($2 / 1000.0) - $3 * interval '1 millisecond', false) as off from health
  ), changed as (
    update webhook_endpoints e set
      failing_since = j.since,
      failed_at = case when j.ok then null else to_timestamp($2 / 1000.0) end,
      enabled = e.enabled and not j.off,
      disabled_reason = case when j.off then 'failing' else e.disabled_reason end
    from judged j where e.id = j.id
  )
  select api_key_id from judged where off`

/**
 * Stores what became of deliveries, in one transaction, as far as this process still holds them: another may have taken over
 * while it slept. Keeps the health of endpoints and turns off those that failed for too long.
 */
export const finishDeliveries = async (pool: DatabasePool, input: FinishInput): Promise<readonly string[]> => {
  const { now, results } = input
  const sender = results[0]?.delivery.sender
  const rows = JSON.stringify(results.map(rowOf))
  return withTransaction(
    pool,
    async (client) => {
      await client.query({ ...LOCK, values: [sender, rows] })
      await client.query({ ...FINISH, values: [sender, rows, now] })
      await turnOffRevoked(client, revokedOf(results), now)
      return keepHealth(client, healthOf(results), input)
    },
    { retries: 3 },
  )
}

const rowOf = (result: Result) => ({
  endpoint_id: String(result.delivery.endpointId),
  request: result.delivery.request,
  id: String(result.delivery.id),
  state: result.state,
  reason: result.state === 'parked' ? result.reason : null,
  attempt: result.attempt,
  next_ms: result.state === 'waiting' ? result.nextAt : null,
})

/** Whether each endpoint that was called answered well at least once. */
const healthOf = (results: readonly Result[]): ReadonlyMap<bigint, boolean> => {
  const health = new Map<bigint, boolean>()
  for (const { delivery, attempt, state } of results) {
    if (attempt !== null)
      health.set(delivery.endpointId, state === 'delivered' || health.get(delivery.endpointId) === true)
  }
  return health
}

const revokedOf = (results: readonly Result[]): readonly string[] =>
  results.flatMap((result) =>
    result.state === 'parked' && result.reason === KEY_REVOKED ? [result.delivery.apiKeyId] : [],
  )

const keepHealth = async (
  client: DatabaseClient,
  health: ReadonlyMap<bigint, boolean>,
  { now, disableAfterMs, quietMs }: FinishInput,
): Promise<readonly string[]> => {
  if (health.size === 0) return []
  const { rows } = await client.query<{ api_key_id: string }>({
    name: 'webhooks_health',
    text: HEALTH,
    values: [[...health.keys()], now, disableAfterMs, [...health.values()], quietMs],
  })
  const apiKeyIds = rows.map((row) => row.api_key_id)
  await auditTurnedOff(client, { apiKeyIds, reason: 'failing', at: now })
  return apiKeyIds
}
