import type { Pool } from 'pg'

/** How long is kept what is dropped after its time, days (architecture.md 6, Retention). */
export interface RetentionDays {
  /** Quotes that nobody paid, and at least until a day after the deadline of their order. */
  readonly quotes: number
  /** Changes of status, as they were told. */
  readonly events: number
  /** What operators did by hand. */
  readonly audit: number
}

export const DEFAULT_RETENTION: RetentionDays = { quotes: 8, events: 30, audit: 400 }

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const PINNED_MS = 36_500 * DAY_MS
/** A deposit of the last moment is seen this long after, even where the hosts were down. */
const LATE_MS = DAY_MS
/** Events that a reader of the outbox has not taken are kept this many times as long. */
const UNREAD_FACTOR = 2
const REMOVED_AT_ONCE = 5_000

/** Until when a quote is kept, Unix milliseconds, and in which partition: 'long' are those whose order outlives the others. */
export const quoteKept = (
  { now, orderDeadline, pinned }: { readonly now: number; readonly orderDeadline: number; readonly pinned: boolean },
  days: number,
): { readonly kept: 'days' | 'long'; readonly until: number } => {
  // Money may come to an address for ever.
  if (pinned) return { kept: 'long', until: now + PINNED_MS }
  const usual = now + days * DAY_MS
  const needed = orderDeadline * 1000 + LATE_MS
  return needed > usual ? { kept: 'long', until: needed } : { kept: 'days', until: usual }
}

/** Makes the partitions that are written to in the next time. */
export const keepPartitions = async (
  pool: Pick<Pool, 'query'>,
  days: Pick<RetentionDays, 'quotes'>,
  now: number,
): Promise<void> => {
  const spans = [
    { table: 'quotes_days', unit: 'day', first: now, last: now + (days.quotes + 1) * DAY_MS },
    { table: 'request_events', unit: 'week', first: now - WEEK_MS, last: now + 3 * WEEK_MS },
    { table: 'operator_audit', unit: 'month', first: now - DAY_MS, last: now + 5 * WEEK_MS },
  ]
  for (const { table, unit, first, last } of spans) {
    await pool.query({
      name: 'keep_spans',
      text: 'select keep_spans($1, $2, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0))',
      values: [table, unit, first, last],
    })
  }
}

/**
 * Drops what is over, a partition in a transaction of its own, so that a host may die at any place and several may do it. Returns
 * the names of what was dropped. What cannot be locked at once waits for the next time.
 */
export const dropExpired = async (
  pool: Pick<Pool, 'query'>,
  days: RetentionDays,
  now: number,
): Promise<readonly string[]> => {
  const at = (milliseconds: number): string => new Date(milliseconds).toISOString()
  const ago = (count: number): string => at(now - count * DAY_MS)
  const events = [ago(days.events), ago(days.events * UNREAD_FACTOR), at(now)]
  const dropped = [
    ...(await repeated(pool, `drop_span('quotes_days', 'day', $1, $1)`, [at(now)])),
    // Of hosts of the version before.
    ...(await repeated(pool, 'drop_quotes($1)', [at(now)])),
    ...(await repeated(pool, 'drop_events($1, $2, $3)', events)),
    ...(await repeated(pool, `drop_span('operator_audit', 'month', $1, $2)`, [ago(days.audit), at(now)])),
  ]
  for (const table of ['quotes_days_default', 'quotes_weeks_default', 'quotes_long'])
    await removeQuotes(pool, table, at(now))
  // Only what was written while the clock had jumped lies there.
  await pool.query('delete from request_events_default where created_at < $1', [ago(days.events * UNREAD_FACTOR)])
  return dropped
}

/** One partition after another until there is none to drop now. */
const repeated = async (pool: Pick<Pool, 'query'>, call: string, values: readonly string[]): Promise<string[]> => {
  const names: string[] = []
  for (;;) {
    const { rows } = await pool.query<{ name: string | null }>(`select ${call} as name`, [...values])
    const name = rows[0]?.name ?? null
    if (name === null) return names
    names.push(name)
  }
}

/** Quotes that share a partition with others that must stay, some thousand at a time so that no statement takes long. */
const removeQuotes = async (pool: Pick<Pool, 'query'>, table: string, at: string): Promise<void> => {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    const { rows } = await pool.query<{ removed: number }>('select drop_quote_rows($1, $2) as removed', [table, at])
    removed = rows[0]?.removed ?? 0
  }
}

/** Whether any quote was dropped so far: an order id that nobody knows may have been that of one. */
export const haveQuotesBeenDropped = async (db: Pick<Pool, 'query'>): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'quotes_dropped',
    text: `select 1 from dropped_partitions where name like 'quotes%' limit 1`,
  })
  return rowCount === 1
}
