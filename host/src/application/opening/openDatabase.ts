import { join, resolve } from 'node:path'
import { findSessionProblem, type PostgresUse, useEmbeddedPostgres } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../../config/loadConfig.js'

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

/** Who opens a database: a host, which is there to stay, or a command beside it. */
export type DatabaseUser = 'host' | 'command'

/**
 * Connects to the configured database, or uses the embedded one and says so; that one stops with the last process that uses it.
 * @throws DatabaseUnavailableError
 */
export const openDatabase = async (loaded: LoadedConfig, log: Logger, user: DatabaseUser): Promise<OpenDatabase> => {
  const { config } = loaded
  const embedded = config.database.url === undefined ? await useEmbedded(loaded, log, user) : null
  const url = embedded?.url ?? config.database.url ?? ''
  const pool = createPool({
    connectionString: url,
    max: config.database.poolSize,
    applicationName: 'causeway',
    // What an operator asks for may take its time.
    ...(user === 'host' ? { statementMs: config.database.answerSeconds * 1000 } : {}),
  })
  const searchPool = createPool({
    connectionString: url,
    max: config.database.searchPoolSize,
    applicationName: 'causeway search',
    plansOnce: true,
    statementMs: SEARCH_MS,
  })
  const close = async () => {
    await Promise.all([pool.end(), searchPool.end()])
    await embedded?.leave()
  }
  try {
    await checkSessions(url)
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  return { pool, searchPool, url, close }
}

const checkSessions = async (url: string): Promise<void> => {
  const problem = await findSessionProblem(url).catch((error: unknown) => {
    throw unavailable(error)
  })
  if (problem !== null)
    throw new DatabaseUnavailableError(`The database cannot be used: ${problem.message}. ${problem.remedy}`)
}

const useEmbedded = async (
  { config, folder, environment }: LoadedConfig,
  log: Logger,
  user: DatabaseUser,
): Promise<PostgresUse> => {
  const dataDir = resolve(folder, config.dataDir)
  log.info({ dataDir }, 'no DATABASE_URL is set: using the embedded PostgreSQL, which serves this machine only')
  try {
    const leavesOrphan = user === 'command'
    return await useEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), environment, leavesOrphan })
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
