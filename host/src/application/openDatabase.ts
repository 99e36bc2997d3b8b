import { join, resolve } from 'node:path'
import { createPool, startEmbeddedPostgres } from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../config/loadConfig.js'

/** The process's database, and how to let go of it. */
export interface OpenDatabase {
  readonly pool: Pool
  /** For searches of the history. */
  readonly searchPool: Pool
  readonly url: string
  close(): Promise<void>
}

/** A database that cannot be used; the message says what to do and holds no URL. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** How long one statement of a search may take. */
const SEARCH_MS = 2_000

/** Connects to the configured database, or starts the embedded one and says so. @throws DatabaseUnavailableError */
export const openDatabase = async ({ config, folder }: LoadedConfig, log: Logger): Promise<OpenDatabase> => {
  const embedded = config.database.url === undefined ? await startEmbedded(resolve(folder, config.dataDir), log) : null
  const url = embedded?.url ?? config.database.url ?? ''
  const pool = createPool({ connectionString: url, max: config.database.poolSize, applicationName: 'causeway' })
  const searchPool = createPool({
    connectionString: url,
    max: config.database.searchPoolSize,
    applicationName: 'causeway search',
    plansOnce: true,
    statementMs: SEARCH_MS,
  })
  const close = async () => {
    await Promise.all([pool.end(), searchPool.end()])
    await embedded?.stop()
  }
  try {
    await pool.query('select 1')
  } catch (error) {
    await close().catch(() => undefined)
    throw unavailable(error)
  }
  return { pool, searchPool, url, close }
}

const startEmbedded = async (dataDir: string, log: Logger) => {
  log.info({ dataDir }, 'no DATABASE_URL is set: using the embedded PostgreSQL, which serves this machine only')
  try {
    return await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') })
  } catch (error) {
    throw new DatabaseUnavailableError(
      'The embedded PostgreSQL does not start. Set DATABASE_URL to a PostgreSQL server instead, or see the cause below.',
      { cause: error },
    )
  }
}

const unavailable = (error: unknown): DatabaseUnavailableError =>
  new DatabaseUnavailableError(
    'The database cannot be reached. Check DATABASE_URL (or "database.url"), that the server runs, and that it lets this user in.',
    { cause: error },
  )
