import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Counted, CountStore } from './sharedCounter.js'

/** Made by this plugin's migration. */
const TABLE = 'rate_limit_counts'
/** The library compares with it; whether a call is admitted is decided by who asks. */
const NO_LIMIT = 2 ** 31 - 1
const POOL_SIZE = 4

export interface PostgresCounterDeps {
  readonly connectionString: string
  /** For a connection, and for an answer. */
  readonly timeoutMs: number
}

/** Counts in an unlogged table, over a few connections of its own that do not wait for the disk. */
export class PostgresCounter implements CountStore {
  readonly #pool: Pool
  readonly #limiter: Promise<RateLimiterPostgres>

  constructor({ connectionString, timeoutMs }: PostgresCounterDeps) {
    this.#pool = createPool({
      connectionString,
      timeoutMs,
      max: POOL_SIZE,
      applicationName: 'causeway rate limits',
      asynchronousCommit: true,
    })
    this.#limiter = openLimiter(this.#pool)
    this.#limiter.catch(() => undefined)
  }

  async take(key: string, points: number, seconds: number): Promise<Counted> {
    const limiter = await this.#limiter
    const result = await limiter.consume(key, points, { customDuration: seconds })
    return { points: result.consumedPoints, milliseconds: result.msBeforeNext }
  }

  async look(keys: readonly string[]): Promise<ReadonlyMap<string, Counted>> {
    const { rows } = await this.#pool.query<{ key: string; points: number; expire: number }>({
      name: 'rate_limit_look',
      text: `select key, points, expire from ${TABLE} where key = any($1)`,
      values: [keys],
    })
    const now = Date.now()
    return new Map(
      rows.flatMap(({ key, points, expire }) =>
        expire > now ? [[key, { points, milliseconds: expire - now }] as const] : [],
      ),
    )
  }

  answers(): Promise<boolean> {
    return this.#pool.query('select 1').then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

/** Loaded when a listener starts; other commands need none of it. */
const openLimiter = async (pool: Pool): Promise<RateLimiterPostgres> => {
  const { RateLimiterPostgres: Limiter } = await import('rate-limiter-flexible')
  return new Limiter({
    storeClient: pool,
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: '',
    points: NO_LIMIT,
    duration: 1,
  })
}

const GRACE_MS = 60_000

/** Removes counts of windows that ended a minute ago. */
export const removeEnded = async (pool: Pool): Promise<void> => {
  await pool.query(`delete from ${TABLE} where expire < $1`, [Date.now() - GRACE_MS])
}
