import type { Clock } from '@causeway/core'
import {
  type DatabasePool,
  failpoint,
  type Lease,
  type LeaseKeeper,
  type Notifier,
  type OutboxCursor,
  type OutboxEvent,
  OutboxReader,
  statusEventBody,
  statusEventId,
  WEBHOOKS_CHANNEL,
  withLease,
} from '@causeway/core/plugin'

export interface EventQueueDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly leases: LeaseKeeper
  readonly notifier: Notifier
  /** Something may be in the queue: sooner than the notice to all processes. */
  onQueued(): void
}

/** Held by the process that does it. */
export const QUEUE_LEASE = 'webhooks queue'
const BATCH = 500

/**
 * Puts events into the queues of their keys' endpoints. Events of an endpoint that is turned off are logged as parked, so that
 * they can be replayed.
 */
const ENQUEUE = {
  name: 'webhooks_enqueue',
  text: `with quick as (
      -- What a crash of the server loses is read from the outbox again.
      select set_config('synchronous_commit', 'off', true) as set
    ), told as (
      select w.id as endpoint_id, w.enabled, decode(e.request, 'hex') as request_id, e.event_id, e.status, e.body,
        to_timestamp(e.at_ms / 1000.0) as event_at, to_timestamp($7 / 1000.0) as now, e.n
      from unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::bigint[]) with ordinality
        as e (key, request, event_id, status, body, at_ms, n)
      join webhook_endpoints w on w.api_key_id = e.key
    ), queued as (
      insert into webhook_queue (endpoint_id, request_id, event_id, status, body, event_at, queued_at)
      select endpoint_id, request_id, event_id, status, body, event_at, now from told where enabled order by n
      returning endpoint_id, request_id
    ), streams as (
      insert into webhook_streams as s (endpoint_id, request_id, next_at)
      select distinct endpoint_id, request_id, to_timestamp($7 / 1000.0) from queued order by 1, 2
      -- Held until the commit, so that nobody removes it as empty.
      on conflict (endpoint_id, request_id) do update set next_at = s.next_at
    ), parked as (
      insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at,
        outcome, reason, tries)
      select nextval(pg_get_serial_sequence('webhook_queue', 'id')), endpoint_id, request_id, event_id, status, body, event_at,
        now, now, 'parked', 'the endpoint was off', '[]' from told where not enabled order by n
    ), moved as (
      update webhook_cursor set xid = $8::xid8, seq = $9::bigint
    )
    select (select set from quick) as quick, pg_notify('${WEBHOOKS_CHANNEL}', '') as told from (select count(*) as n from queued) q
    where q.n > 0`,
}

/** Takes events from the outbox into the queue, each once: the place in the outbox moves in the same transaction. */
export class EventQueue {
  readonly #deps: EventQueueDeps

  constructor(deps: EventQueueDeps) {
    this.#deps = deps
  }

  /** One process does it at a time; the others stand by. */
  run(signal: AbortSignal): Promise<void> {
    return this.#deps.leases.run(QUEUE_LEASE, signal, (lease) => this.#follow(lease))
  }

  async #follow(lease: Lease): Promise<void> {
    const { pool, notifier } = this.#deps
    const reader = new OutboxReader({ pool })
    await reader.follow(await this.#cursor(), { notifier, limit: BATCH, signal: lease.signal }, (events) =>
      this.#take(lease, events),
    )
  }

  async #take(lease: Lease, events: readonly OutboxEvent[]): Promise<void> {
    const last = events.at(-1)
    if (last === undefined) return
    const own = events.filter(({ apiKeyId }) => apiKeyId !== null)
    await failpoint('webhooks.enqueue.before')
    await withLease(this.#deps.pool, lease, (client) =>
      client.query({
        ...ENQUEUE,
        values: [
          own.map(({ apiKeyId }) => apiKeyId),
          own.map(({ requestId }) => requestId.slice(2)),
          own.map(statusEventId),
          own.map(({ status }) => status),
          own.map(statusEventBody),
          own.map(({ createdAt }) => createdAt),
          this.#deps.clock.now(),
          last.cursor.xid.toString(),
          last.cursor.seq.toString(),
        ],
      }),
    )
    await failpoint('webhooks.enqueue.after')
    this.#deps.onQueued()
  }

  async #cursor(): Promise<OutboxCursor> {
    const { rows } = await this.#deps.pool.query<{ xid: string; seq: string }>(
      'select xid::text as xid, seq::text as seq from webhook_cursor',
    )
    return { xid: BigInt(rows[0]?.xid ?? 0), seq: BigInt(rows[0]?.seq ?? 0) }
  }
}
