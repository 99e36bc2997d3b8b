import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { type Counted, type CountStore, countedMs, type Grant, type TakeRequest } from './sharedCounter.js'

/** Made by this plugin's migrations. */
const TABLE = 'rate_limit_counts'
const POOL_SIZE = 4

export interface PostgresCounterDeps {
  readonly connectionString: string
  /** For a connection, and for an answer. */
  readonly timeoutMs: number
}

interface TakenRow {
  readonly granted: number
  readonly grant_id: number
  readonly counted: number
  readonly free_in: number
}

const TAKE = {
  name: 'rate_limit_take',
  text: `insert into ${TABLE} as c (key, leaves, held, granted, grant_id, counted, free_in, expire)
    select $1, t.* from rate_limit_take('{}', '{}', $2, $3, $4, null, 0, 0) t
    on conflict (key) do update set (leaves, held, granted, grant_id, counted, free_in, expire) =
      (select t.* from rate_limit_take(c.leaves, c.held, $2, $3, $4, $5, $6, $7) t)
    returning granted, grant_id, counted, free_in`,
}

/** Counts in an unlogged table by the server's clock, over a few connections of its own that do not wait for the disk. */
export class PostgresCounter implements CountStore {
  readonly #pool: Pool

  constructor({ connectionString, timeoutMs }: PostgresCounterDeps) {
    this.#pool = createPool({
      connectionString,
      timeoutMs,
      max: POOL_SIZE,
      applicationName: 'causeway rate limits',
      asynchronousCommit: true,
    })
  }

  async take(key: string, request: TakeRequest): Promise<Grant> {
    const { points, rule, settled } = request
    const values = [
      ...[key, points, rule.points, countedMs(request)],
      ...[settled?.id ?? null, settled?.unused ?? 0, settled?.earlierBy ?? 0],
    ]
    const { rows } = await this.#pool.query<TakenRow>({ ...TAKE, values })
    const [row] = rows
    if (row === undefined) throw new Error('The count was not stored.')
    return { granted: row.granted, id: row.grant_id, counted: row.counted, freeIn: row.free_in }
  }

  async look(keys: readonly string[]): Promise<ReadonlyMap<string, Counted>> {
    const { rows } = await this.#pool.query<{ key: string; points: number; milliseconds: number }>({
      name: 'rate_limit_look',
      text: `select c.key, sum(g.held)::int as points, min(g.leaves) - n.now as milliseconds
        from ${TABLE} c, (select rate_limit_now() as now) n, unnest(c.leaves, c.held) as g(leaves, held)
        where c.key = any($1) and g.leaves > n.now group by c.key, n.now`,
      values: [keys],
    })
    return new Map(rows.map(({ key, points, milliseconds }) => [key, { points, milliseconds }]))
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

const GRACE_MS = 60_000

/** Removes counts of windows that ended a minute ago. */
export const removeEnded = async (pool: Pool): Promise<void> => {
  await pool.query(`delete from ${TABLE} where expire < $1`, [Date.now() - GRACE_MS])
}
