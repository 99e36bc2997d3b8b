import type { Clock } from '@causeway/core'
import { type DatabaseClient, type DatabasePool, WEBHOOKS_CHANNEL, withTransaction } from '@causeway/core/plugin'
import type { DeliveryAttempt } from './deliveryAttempt.js'

export type DeliveryState = 'waiting' | 'delivered' | 'parked'

/** A delivery as its owner sees it. */
export interface LoggedDelivery {
  readonly id: bigint
  readonly state: DeliveryState
  /** Why it was parked. */
  readonly reason: string | null
  readonly requestId: string
  readonly eventId: string
  readonly status: string
  readonly eventAt: Date
  readonly queuedAt: Date
  readonly endedAt: Date | null
  /** While it waits. */
  readonly nextAt: Date | null
  /** The delivery it repeats. */
  readonly replayOf: bigint | null
  /** Whether it was sent again since. */
  readonly replayed: boolean
  readonly body: string
  readonly tries: readonly DeliveryAttempt[]
}

interface Row {
  readonly id: bigint
  readonly state: DeliveryState
  readonly reason: string | null
  readonly request: string
  readonly event_id: string
  readonly status: string
  readonly event_at: Date
  readonly queued_at: Date
  readonly ended_at: Date | null
  readonly next_at: Date | null
  readonly replay_of: bigint | null
  readonly replayed: boolean
  readonly body: string
  readonly tries: readonly DeliveryAttempt[]
}

const COLUMNS = `encode(d.request_id, 'hex') as request, d.event_id, d.status, d.event_at, d.queued_at, d.replay_of, d.body, d.tries`
const WAITING = `select d.id, 'waiting' as state, null as reason, ${COLUMNS}, false as replayed, null::timestamptz as ended_at, s.next_at
  from webhook_queue d left join webhook_streams s using (endpoint_id, request_id)`
const OVER = `select d.id, d.outcome as state, d.reason, ${COLUMNS}, d.replayed, d.ended_at, null::timestamptz as next_at from webhook_deliveries d`

export interface ListQuery {
  readonly endpointId: bigint
  readonly limit: number
  /** Id of the last delivery of the page before. */
  readonly before?: bigint
  readonly state?: DeliveryState
}

/** Which of the log are sent again: of events within times, from the log's own days. */
export interface ReplayRange {
  readonly endpointId: bigint
  readonly from: Date
  readonly to: Date
  /** Every event once; else those parked, also when they were sent again, and not replayed yet. */
  readonly all: boolean
  /** Only later ones than this: the last of the call before. */
  readonly after?: bigint
  readonly limit: number
}

/** A delivery put into the queue again. */
interface Repeated {
  readonly id: bigint
  readonly replayOf: bigint
}

/** Deliveries of an endpoint, waiting and over, and how they are sent again. */
export class DeliveryLog {
  readonly #deps: { readonly pool: DatabasePool; readonly clock: Clock }

  constructor(deps: { readonly pool: DatabasePool; readonly clock: Clock }) {
    this.#deps = deps
  }

  /** Newest first; one more than `limit` where there are more. */
  async list({ endpointId, limit, before, state }: ListQuery): Promise<readonly LoggedDelivery[]> {
    const page = `d.endpoint_id = $1 and ($2::bigint is null or d.id < $2)`
    const parts = [
      ...(state === undefined || state === 'waiting' ? [`(${WAITING} where ${page} order by d.id desc limit $3)`] : []),
      ...(state === 'waiting'
        ? []
        : [`(${OVER} where ${page} and ($4::text is null or d.outcome = $4) order by d.id desc limit $3)`]),
    ]
    const values = [endpointId, before ?? null, limit + 1, ...(state === 'waiting' ? [] : [state ?? null])]
    const { rows } = await this.#deps.pool.query<Row>(
      `select * from (${parts.join(' union all ')}) d order by id desc limit $3`,
      values,
    )
    return rows.map(deliveryOf)
  }

  async find(endpointId: bigint, id: bigint): Promise<LoggedDelivery | null> {
    const one = 'where d.endpoint_id = $1 and d.id = $2'
    const { rows } = await this.#deps.pool.query<Row>(`${WAITING} ${one} union all ${OVER} ${one}`, [endpointId, id])
    return rows[0] === undefined ? null : deliveryOf(rows[0])
  }

  /** Puts a delivery that is over into the queue again, behind what waits for its request. Its id there; null when not over. */
  async replay(endpointId: bigint, id: bigint): Promise<bigint | null> {
    const [repeated] = await this.#queueAgain('d.endpoint_id = $1 and d.id = $3', [endpointId, id], 1)
    return repeated?.id ?? null
  }

  /** The same for a range, the oldest first: how many were taken, and the last of them where there may be more. */
  async replayRange({ endpointId, from, to, all, after = 0n, limit }: ReplayRange) {
    const which = all ? 'd.replay_of is null' : `d.outcome = 'parked' and not d.replayed`
    const wanted = `d.endpoint_id = $1 and d.event_at >= $3 and d.event_at < $4 and d.id > $5 and ${which}`
    const taken = await this.#queueAgain(wanted, [endpointId, from, to, after], limit)
    return { queued: taken.length, last: taken.length < limit ? null : (taken.at(-1)?.replayOf ?? null) }
  }

  /** What was sent outside the queue: a test. */
  async add(delivery: {
    readonly endpointId: bigint
    readonly eventId: string
    readonly body: string
    readonly attempt: DeliveryAttempt
    readonly delivered: boolean
  }): Promise<void> {
    const { endpointId, eventId, body, attempt, delivered } = delivery
    await this.#deps.pool.query(
      `insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at, outcome,
         reason, tries, replayed)
       values (nextval(pg_get_serial_sequence('webhook_queue', 'id')), $1, '\\x', $2, 'test', $3, $4, $4, $5, $6, $7, $8::jsonb, true)`,
      [
        endpointId,
        eventId,
        body,
        new Date(attempt.at),
        new Date(this.#deps.clock.now()),
        delivered ? 'delivered' : 'parked',
        delivered ? null : 'a test is not repeated',
        JSON.stringify([attempt]),
      ],
    )
  }

  #queueAgain(
    wanted: string,
    [endpointId, ...values]: readonly unknown[],
    limit: number,
  ): Promise<readonly Repeated[]> {
    const now = new Date(this.#deps.clock.now())
    return withTransaction(this.#deps.pool, async (client) => {
      const taken = await takeFromLog(client, wanted, [endpointId, now, ...values], limit)
      await client.query(
        `insert into webhook_streams as s (endpoint_id, request_id, next_at)
         select distinct endpoint_id, request_id, $2::timestamptz from webhook_queue where id = any($1::bigint[]) order by 1, 2
         on conflict (endpoint_id, request_id) do update set next_at = s.next_at`,
        [taken.map(({ id }) => id), now],
      )
      await client.query(`select pg_notify('${WEBHOOKS_CHANNEL}', '')`)
      return taken
    })
  }
}

const takeFromLog = async (
  client: DatabaseClient,
  wanted: string,
  values: readonly unknown[],
  limit: number,
): Promise<readonly Repeated[]> => {
  const { rows } = await client.query<{ id: bigint; replay_of: bigint }>(
    `with chosen as (
       select d.* from webhook_deliveries d where ${wanted} and d.status <> 'test' order by d.id limit ${limit} for update
     ), marked as (
       update webhook_deliveries d set replayed = true from chosen c where d.id = c.id and d.ended_at = c.ended_at
     )
     insert into webhook_queue (endpoint_id, request_id, event_id, status, body, event_at, queued_at, replay_of)
     select endpoint_id, request_id, event_id, status, body, event_at, $2::timestamptz, id from chosen order by id returning id, replay_of`,
    [...values],
  )
  return rows
    .map(({ id, replay_of: replayOf }) => ({ id, replayOf }))
    .sort((one, other) => (one.replayOf < other.replayOf ? -1 : 1))
}

const deliveryOf = (row: Row): LoggedDelivery => ({
  id: row.id,
  state: row.state,
  reason: row.reason,
  requestId: `0x${row.request}`,
  eventId: row.event_id,
  status: row.status,
  eventAt: row.event_at,
  queuedAt: row.queued_at,
  endedAt: row.ended_at,
  nextAt: row.next_at,
  replayOf: row.replay_of,
  replayed: row.replayed,
  body: row.body,
  tries: row.tries,
})
