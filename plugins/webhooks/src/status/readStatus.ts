import type { Clock } from '@causeway/core'
import type { DatabasePool } from '@causeway/core/plugin'

export interface WebhooksStatusDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
}

/** The answer of `causeway webhooks status --json`. */
export interface WebhooksStatus {
  readonly schemaVersion: 1
  readonly at: string
  readonly endpoints: {
    readonly on: number
    /** Turned off, by their owners or by the service. */
    readonly off: number
    /** On, and the last call failed. */
    readonly failing: number
  }
  readonly queue: {
    readonly waiting: number
    readonly oldestSeconds: number | null
  }
  /** Of deliveries that ended in the last 24 hours, at most the newest 10,000 of them. */
  readonly day: {
    readonly delivered: number
    readonly parked: number
    /** Calls that were made for them, and how many failed. */
    readonly calls: number
    readonly failedCalls: number
    /** Basis points of the calls that failed; null without a call. */
    readonly failureBps: number | null
  }
  /** Status changes that are not in the queue yet; counted up to 10,000. */
  readonly outbox: { readonly behind: number; readonly oldestSeconds: number | null }
  /** Endpoints that fail or that the service turned off, longest first, at most 50. */
  readonly troubled: readonly {
    readonly apiKeyId: string
    readonly enabled: boolean
    readonly disabledReason: string | null
    readonly failingSince: string | null
    readonly waiting: number
  }[]
}

const MOST = 10_000
const MOST_TROUBLED = 50

const SUMS = `select
    (select count(*)::int from webhook_endpoints where enabled) as on,
    (select count(*)::int from webhook_endpoints where not enabled) as off,
    (select count(*)::int from webhook_endpoints where enabled and failing_since is not null) as failing,
    (select count(*)::int from webhook_queue) as waiting,
    (select min(queued_at) from webhook_queue) as oldest_queued,
    (select count(*)::int from (
      select from request_events e, webhook_cursor c where (e.xid, e.seq) > (c.xid, c.seq) limit ${MOST}) behind) as behind,
    (select e.created_at from webhook_cursor c, lateral (
      select created_at from request_events where (xid, seq) > (c.xid, c.seq) order by xid, seq limit 1) e) as oldest_event`

// By their number: the newest are the last of an index, however long the log is.
const DAY = `select count(*) filter (where outcome = 'delivered')::int as delivered, count(*) filter (where outcome = 'parked')::int as parked,
    coalesce(sum(jsonb_array_length(tries)), 0)::int as calls
  from (
    select outcome, tries, ended_at from webhook_deliveries where ended_at > to_timestamp($1 / 1000.0)
    order by id desc limit ${MOST}
  ) newest`

const TROUBLED = `select w.api_key_id, w.enabled, w.disabled_reason, w.failing_since,
    (select count(*)::int from webhook_queue q where q.endpoint_id = w.id) as waiting
  from webhook_endpoints w where w.failing_since is not null or w.disabled_reason is not null
  order by w.failing_since nulls last, w.id limit ${MOST_TROUBLED}`

interface SumsRow {
  readonly on: number
  readonly off: number
  readonly failing: number
  readonly waiting: number
  readonly oldest_queued: Date | null
  readonly behind: number
  readonly oldest_event: Date | null
}

interface DayRow {
  readonly delivered: number
  readonly parked: number
  readonly calls: number
}

interface TroubledRow {
  readonly api_key_id: string
  readonly enabled: boolean
  readonly disabled_reason: string | null
  readonly failing_since: Date | null
  readonly waiting: number
}

const DAY_MS = 86_400_000

/** How deliveries go, in three statements. */
export const readStatus = async ({ pool, clock }: WebhooksStatusDeps): Promise<WebhooksStatus> => {
  const now = clock.now()
  const [sums, day, troubled] = await Promise.all([
    pool.query<SumsRow>(SUMS),
    pool.query<DayRow>(DAY, [now - DAY_MS]),
    pool.query<TroubledRow>(TROUBLED),
  ])
  const [row] = sums.rows
  if (row === undefined) throw new Error('PostgreSQL gave no row for a statement without a table.')
  const secondsSince = (at: Date | null) => (at === null ? null : Math.max(0, Math.floor((now - at.getTime()) / 1000)))
  return {
    schemaVersion: 1,
    at: new Date(now).toISOString(),
    endpoints: { on: row.on, off: row.off, failing: row.failing },
    queue: { waiting: row.waiting, oldestSeconds: secondsSince(row.oldest_queued) },
    day: dayOf(day.rows[0] ?? { delivered: 0, parked: 0, calls: 0 }),
    outbox: { behind: row.behind, oldestSeconds: secondsSince(row.oldest_event) },
    troubled: troubled.rows.map((item) => ({
      apiKeyId: item.api_key_id,
      enabled: item.enabled,
      disabledReason: item.disabled_reason,
      failingSince: item.failing_since?.toISOString() ?? null,
      waiting: item.waiting,
    })),
  }
}

/** The last call of each that was delivered did not fail. */
const dayOf = ({ delivered, parked, calls }: DayRow): WebhooksStatus['day'] => {
  const failedCalls = Math.max(0, calls - delivered)
  const failureBps = calls === 0 ? null : Math.floor((failedCalls * 10_000) / calls)
  return { delivered, parked, calls, failedCalls, failureBps }
}
