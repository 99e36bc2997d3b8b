import type { Pool, PoolClient } from 'pg'
import { EVENTS_CHANNEL, type Notifier } from '../database/notifier.js'
import type { RequestStatus } from '../request/requestStatus.js'
import { compareCursors, type OutboxCursor } from './outboxCursor.js'
import type { OutboxEvent } from './statusEvent.js'

export interface OutboxBatch {
  /** In the order of their cursors; those of one request in the order of its versions. */
  readonly events: readonly OutboxEvent[]
  /** There may be more right now: the batch is full. */
  readonly full: boolean
  /** The place up to which everything was handed over. */
  readonly end: OutboxCursor
  /** Events are written that no reader may take yet, because a transaction of this database that began before them has not ended. */
  readonly unsettled: boolean
}

/** Columns of `request_events e` that `toOutboxEvent` reads. */
export const EVENT_COLUMNS = `e.xid::text as xid, e.seq::text as seq, encode(e.request_id, 'hex') as request_id, e.version, e.status,
  e.api_key_id, (select r.integrator_id from requests r where r.id = e.request_id) as integrator_id, (extract(epoch from e.created_at) * 1000)::bigint::text as created_ms, e.payload`

/** Of `request_events e`: nothing is told of a request that another one took the place of (wire.md 5.2). */
export const IS_TOLD = `not exists (select from requests r where r.id = e.request_id and r.superseded_by is not null)`

export interface EventRow {
  readonly xid: string
  readonly seq: string
  readonly request_id: string
  readonly version: number
  readonly status: RequestStatus
  readonly api_key_id: string | null
  readonly integrator_id: string | null
  readonly created_ms: string
  readonly payload: string
}

export const toOutboxEvent = (row: EventRow): OutboxEvent => ({
  cursor: { xid: BigInt(row.xid), seq: BigInt(row.seq) },
  requestId: `0x${row.request_id}`,
  version: row.version,
  status: row.status,
  apiKeyId: row.api_key_id,
  integratorId: row.integrator_id,
  createdAt: Number(row.created_ms),
  payload: row.payload,
})

/** Whether events are written from a place on. */
const waiting = (place: string): string => `exists (select from request_events where xid >= ${place})`

/**
 * The place below every transaction of this database that is under way, so that a late commit is never skipped. Transactions
 * are numbered for the whole server: where some hold events back, those of other databases are left out, as they write none here.
 */
const BOUND = `outbox_place(case when ${waiting('outbox_place(pg_snapshot_xmin(pg_current_snapshot()))')} then coalesce(
    (select min(x) from pg_snapshot_xip(pg_current_snapshot()) x where not exists (
      select from pg_stat_activity a where a.backend_xid = x::xid and a.datname <> current_database())),
    pg_snapshot_xmax(pg_current_snapshot()))
  else pg_snapshot_xmin(pg_current_snapshot()) end)`

const END = { name: 'outbox_end', text: `select (${BOUND})::text as xid` }

const AFTER = {
  name: 'outbox_after',
  text: `with bound as materialized (select ${BOUND} as place)
    select u.unsettled, (select place from bound)::text as place, e.* from (select ${waiting('(select place from bound)')} as unsettled) u
    left join lateral (
      select ${EVENT_COLUMNS} from request_events e
      where (e.xid, e.seq) > ($1::xid8, $2::bigint) and e.xid < (select place from bound) and ${IS_TOLD} order by e.xid, e.seq limit $3) e on true`,
}

/** How often is looked without being told: a notification may be lost. */
const NET_MS = 1_000
/** First and longest wait for transactions that hold events back. */
const UNSETTLED_MS = 2
const LONGEST_UNSETTLED_MS = 100

/** Reads the outbox: every event that is told once its place is certain, none twice, those of one request in order (architecture.md 6, Outbox). */
export class OutboxReader {
  readonly #pool: Pick<Pool | PoolClient, 'query'>

  constructor(deps: { readonly pool: Pick<Pool | PoolClient, 'query'> }) {
    this.#pool = deps.pool
  }

  /** The place of now: what is settled lies before it, all else will come after it. */
  async end(): Promise<OutboxCursor> {
    const { rows } = await this.#pool.query<{ xid: string }>(END)
    return { xid: BigInt(rows[0]?.xid ?? 0), seq: 0n }
  }

  /** At most `limit` events after a cursor. */
  async after(cursor: OutboxCursor, limit: number): Promise<OutboxBatch> {
    const { rows } = await this.#pool.query<{ unsettled: boolean; place: string } & (EventRow | { seq: null })>({
      ...AFTER,
      values: [cursor.xid.toString(), cursor.seq.toString(), limit],
    })
    const events = rows.flatMap((row) => (row.seq === null ? [] : [toOutboxEvent(row)]))
    const full = events.length === limit
    const last = events.at(-1)?.cursor ?? cursor
    const settled = { xid: BigInt(rows[0]?.place ?? 0), seq: 0n }
    const end = full || compareCursors(settled, last) < 0 ? last : settled
    return { events, full, end, unsettled: rows[0]?.unsettled ?? false }
  }

  /**
   * Hands over every event after `from`, batch by batch, as soon as it is settled, until the signal aborts. `take` is awaited
   * before the next batch is read; what it or the database throws is thrown.
   */
  async follow(
    from: OutboxCursor,
    { notifier, limit, signal }: { readonly notifier: Notifier; readonly limit: number; readonly signal: AbortSignal },
    take: (events: readonly OutboxEvent[]) => void | Promise<void>,
  ): Promise<void> {
    const wakes = new OutboxWakes({ notifier, signal })
    let cursor = from
    try {
      while (!signal.aborted) {
        wakes.heard()
        const batch = await this.after(cursor, limit)
        const last = batch.events.at(-1)
        if (last !== undefined) {
          await take(batch.events)
          cursor = last.cursor
        }
        if (!batch.full) await wakes.wait(batch.unsettled)
      }
    } finally {
      wakes.end()
    }
  }
}

/** Wakes a reader of the outbox: when events are written, soon again while some are held back, and now and then. */
export class OutboxWakes {
  readonly #over = new AbortController()
  #told = false
  #wake: () => void = () => undefined
  #unsettledMs = UNSETTLED_MS

  constructor({ notifier, signal }: { readonly notifier: Notifier; readonly signal: AbortSignal }) {
    const tell = () => {
      this.#told = true
      this.#wake()
    }
    const end = () => this.#over.abort()
    notifier.on(EVENTS_CHANNEL, tell, this.#over.signal)
    signal.addEventListener('abort', end, { once: true })
    this.#over.signal.addEventListener('abort', () => {
      signal.removeEventListener('abort', end)
      tell()
    })
    if (signal.aborted) end()
  }

  /** Listens no more; a reader that fails and starts again has new wakes. */
  end(): void {
    this.#over.abort()
  }

  /** To be called before looking: what is told from now on ends the next wait at once. */
  heard(): void {
    this.#told = false
  }

  /** Waits for the next reason to look, or for the end; `unsettled` is what the last look found. */
  async wait(unsettled: boolean): Promise<void> {
    this.#unsettledMs = unsettled ? Math.min(this.#unsettledMs * 2, LONGEST_UNSETTLED_MS) : UNSETTLED_MS
    if (this.#told || this.#over.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, unsettled ? this.#unsettledMs : NET_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => undefined
  }
}
