import type { DatabasePool } from '@causeway/core/plugin'

/** What an integrator asks to see. */
export interface UsageQuery {
  readonly integratorId: string
  /** Null: every key. */
  readonly apiKeyIds: readonly string[] | null
  readonly granularity: Granularity
  /** Unix milliseconds; both included, `from` down to the start of its bucket. */
  readonly from: number
  readonly to: number
  /** Most rows; the reader gives one more where there are more. */
  readonly maxRows: number
}

export type Granularity = 'minutely' | 'hourly' | 'daily'

/** Longest range of each granularity, seconds; also how far back the default goes (wire.md 4.13). */
export const SPAN_SECONDS: Readonly<Record<Granularity, number>> = {
  minutely: 24 * 3600,
  hourly: 7 * 24 * 3600,
  daily: 14 * 24 * 3600,
}

const UNITS: Readonly<Record<Granularity, string>> = { minutely: 'minute', hourly: 'hour', daily: 'day' }

export interface UsageRow {
  readonly apiKeyId: string
  /** Start of the bucket. */
  readonly at: Date
  readonly endpoint: string
  readonly status: number
  readonly errorCode: string | null
  readonly count: number
}

interface Found {
  readonly api_key_id: string
  readonly bucket: Date
  readonly endpoint: string
  readonly status: number
  readonly error_code: string
  readonly count: string
}

const READ = `select api_key_id, date_trunc($1, minute, 'UTC') as bucket, endpoint, status, error_code, sum(count)::text as count
  from usage_counts
  where integrator_id = $2 and ($3::text[] is null or api_key_id = any($3))
    and minute >= date_trunc($1, to_timestamp($4 / 1000.0), 'UTC') and minute <= to_timestamp($5 / 1000.0)
  group by 1, 2, 3, 4, 5 order by 2, 1, 3, 4, 5 limit $6`

/** Reads counts of calls, oldest first. Days and hours are those of UTC. */
export const readUsage = async (pool: DatabasePool, query: UsageQuery): Promise<readonly UsageRow[]> => {
  const { granularity, integratorId, apiKeyIds, from, to, maxRows } = query
  const values = [UNITS[granularity], integratorId, apiKeyIds, from, to, maxRows + 1]
  const { rows } = await pool.query<Found>({ name: 'usage_read', text: READ, values })
  return rows.map((row) => ({
    apiKeyId: row.api_key_id,
    at: row.bucket,
    endpoint: row.endpoint,
    status: row.status,
    errorCode: row.error_code === '' ? null : row.error_code,
    count: Number(row.count),
  }))
}
