import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import type { ClientBase, Pool } from 'pg'

/** Loaded on first use: it is slow to load, and most processes never administer. */
const require = createRequire(import.meta.url)

const CONNECT_MS = 10_000

/**
 * Opens knex on the database of the pool, with connections of its own, for administration and search: what goes through
 * it never shares a transaction with the money path (architecture.md 6). Settings of sessions and time limits are those of the pool.
 * Connects on first use; the caller destroys it. `max` is the maximum number of connections.
 */
export const openKnex = (pool: Pool, max = 2): Knex => {
  const { connectionString, application_name, query_timeout, onConnect } = pool.options
  const name = application_name ?? 'causeway'
  // CAST: the package is CommonJS, its main export is the function.
  const knex = require('knex') as (config: Knex.Config) => Knex
  return knex({
    client: 'pg',
    connection: {
      ...(connectionString === undefined ? {} : { connectionString }),
      application_name: `${name} administration`,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      ...(query_timeout === undefined ? {} : { query_timeout }),
    },
    pool: { min: 0, max, afterCreate: afterConnect(onConnect) },
    acquireConnectionTimeout: CONNECT_MS,
  })
}

type Connected = (error: unknown, client: ClientBase) => void

/** The hook of knex for a new connection, made of that of the pool. */
const afterConnect =
  (onConnect: Pool['options']['onConnect']) =>
  (client: ClientBase, done: Connected): void => {
    Promise.resolve(onConnect?.(client)).then(
      () => done(null, client),
      (error: unknown) => done(error, client),
    )
  }

/** Runs `work` with knex of its own and closes it whatever happens; for commands. */
export const withKnex = async <T>(pool: Pool, work: (db: Knex) => Promise<T>): Promise<T> => {
  const db = openKnex(pool)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
