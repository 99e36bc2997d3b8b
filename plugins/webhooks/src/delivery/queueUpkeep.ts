import type { Clock } from '@causeway/core'
import {
  type DatabasePool,
  type KeySecrets,
  keepDayPartitions,
  type LeaseKeeper,
  pause,
  withTransaction,
} from '@causeway/core/plugin'
import { turnOffRevoked } from '../endpoint/turnOffRevoked.js'

export interface QueueUpkeepDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly leases: LeaseKeeper
  readonly secrets: KeySecrets
  /** Days that deliveries stay in the log. */
  readonly keepDays: number
}

const TICK_MS = 1_000
const PARTITIONS_MS = 3_600_000
const BATCH = 2_000

/**
 * Streams that nobody may send any more, nor is sending; held, so that the next statement sees all that is in them. Steps from
 * endpoint to endpoint: a long queue of one that is on costs nothing.
 */
const STOPPED = `with recursive queued as (
    select (select min(endpoint_id) from webhook_streams where claimed_by is null) as id
    union all
    select (select min(s.endpoint_id) from webhook_streams s where s.claimed_by is null and s.endpoint_id > q.id)
    from queued q where q.id is not null
  ), off as (
    select q.id from queued q left join webhook_endpoints e on e.id = q.id where q.id is not null and e.enabled is not true limit 1
  )
  select s.endpoint_id, encode(s.request_id, 'hex') as request from webhook_streams s
  where s.endpoint_id = (select id from off) and s.claimed_by is null order by s.request_id limit $1 for update of s skip locked`

/** Parks what waits for an endpoint that is off, and drops what waits for one that is no more. */
const PARK = `with stopped as (
    select endpoint_id, decode(request, 'hex') as request_id from unnest($1::bigint[], $2::text[]) as t (endpoint_id, request)
  ), streams as (
    delete from webhook_streams s using stopped t where s.endpoint_id = t.endpoint_id and s.request_id = t.request_id
  ), gone as (
    delete from webhook_queue q using stopped t where q.endpoint_id = t.endpoint_id and q.request_id = t.request_id returning q.*
  )
  insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at, outcome,
    reason, tries, replay_of)
  select g.id, g.endpoint_id, g.request_id, g.event_id, g.status, g.body, g.event_at, g.queued_at, to_timestamp($3 / 1000.0),
    'parked', coalesce(e.disabled_reason, 'the endpoint was off'), g.tries, g.replay_of
  from gone g join webhook_endpoints e on e.id = g.endpoint_id`

/** Keeps the queue free of what nobody may send, notices revoked keys, and drops old days of the log. */
export class QueueUpkeep {
  readonly #deps: QueueUpkeepDeps

  constructor(deps: QueueUpkeepDeps) {
    this.#deps = deps
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#deps.leases.run('webhooks upkeep', signal, async (lease) => {
      let partitionsAt = Number.NEGATIVE_INFINITY
      while (!lease.signal.aborted) {
        if (performance.now() - partitionsAt > PARTITIONS_MS) {
          await this.#keepPartitions()
          partitionsAt = performance.now()
        }
        await this.#stopRevoked()
        while ((await this.#park()) > 0 && !lease.signal.aborted);
        await pause(TICK_MS, lease.signal)
      }
    })
  }

  async #keepPartitions(): Promise<void> {
    const { pool, clock, keepDays } = this.#deps
    const kept = { table: 'webhook_deliveries', column: 'ended_at', days: keepDays }
    await keepDayPartitions(pool, { ...kept, now: clock.now() })
  }

  /** Turns off the endpoints of revoked keys that have something in the queue (wire.md H.4, Key revoked). */
  async #stopRevoked(): Promise<void> {
    const { pool, secrets, clock } = this.#deps
    const { rows } = await pool.query<{ api_key_id: string }>(
      `select e.api_key_id from webhook_endpoints e
       cross join lateral (select from webhook_streams s where s.endpoint_id = e.id limit 1) waiting where e.enabled`,
    )
    if (rows.length === 0) return
    const keys = rows.map(({ api_key_id: id }) => id)
    const live = await secrets.secretsOf(keys)
    const revoked = keys.filter((id) => !live.has(id))
    if (revoked.length > 0) await withTransaction(pool, (client) => turnOffRevoked(client, revoked, clock.now()))
  }

  async #park(): Promise<number> {
    const { pool, clock } = this.#deps
    return withTransaction(pool, async (client) => {
      const { rows } = await client.query<{ endpoint_id: bigint; request: string }>(STOPPED, [BATCH])
      if (rows.length === 0) return 0
      const endpoints = rows.map((row) => row.endpoint_id)
      await client.query(PARK, [endpoints, rows.map(({ request }) => request), clock.now()])
      return rows.length
    })
  }
}
