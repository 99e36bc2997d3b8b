import type { Diagnosis } from '@causeway/core/chain'
import { findSessionProblem } from '@causeway/core/host'
import type { Pool } from 'pg'
import { clockDifference } from '../../application/opening/machineClock.js'
import type { HostConfig } from '../../config/schema/schema.js'

interface ServerFacts {
  readonly version: number
  readonly encoding: string
  readonly fsync: string
  readonly commit: string
  readonly connections: number
}

const LEAST_VERSION = 150_000

const ok = (check: string, message: string): Diagnosis => ({ check, subject: 'database', state: 'ok', message })

const fault = (check: string, message: string, remedy: string): Diagnosis => ({
  check,
  subject: 'database',
  state: 'fault',
  message,
  remedy,
})

/** A database that answers; null with the finding when it does not. */
export const checkReachable = async (pool: Pool): Promise<Diagnosis> => {
  try {
    await pool.query('select 1')
    return ok('database', 'answers')
  } catch (error) {
    const [message, remedy] = REFUSALS[String(Reflect.get(Object(error), 'code'))] ?? UNREACHABLE
    return fault('database', message, remedy)
  }
}

const UNREACHABLE = [
  'cannot be reached',
  'Check DATABASE_URL (or "database.url"), that the server runs, and that it lets this user in.',
] as const

const NOT_LET_IN = [
  'cannot be reached: its server runs and does not let this user in',
  'Check user and password in DATABASE_URL (or "database.url"), and pg_hba.conf of the server.',
] as const

/** What a server that answers refuses a connection with, by code of PostgreSQL. */
const REFUSALS: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  '28000': NOT_LET_IN,
  '28P01': NOT_LET_IN,
  '3D000': ['is not on that server', 'Make it (createdb), or correct its name in DATABASE_URL (or "database.url").'],
}

/** Whether sessions keep the settings of the service and find its tables: role, database and pooler permitting. */
export const checkSessions = async (url: string): Promise<Diagnosis> => {
  const problem = await findSessionProblem(url)
  return problem === null
    ? ok('database sessions', 'keep their settings')
    : fault('database sessions', problem.message, problem.remedy)
}

/** What one process takes of a server. */
interface ServerDemand {
  readonly database: Pick<HostConfig['database'], 'poolSize' | 'searchPoolSize'>
}

/** Settings of the server that money depends on, and its clock against this machine's. */
export const checkServer = async (pool: Pool, { database }: ServerDemand): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('max_connections')::int as connections`,
  )
  const facts = rows[0]
  if (facts === undefined) return []
  const connections = database.poolSize + database.searchPoolSize
  return [
    facts.version < LEAST_VERSION
      ? fault('database version', `is PostgreSQL ${Math.floor(facts.version / 10_000)}`, 'Use PostgreSQL 15 or newer.')
      : ok('database version', `PostgreSQL ${Math.floor(facts.version / 10_000)}`),
    facts.encoding === 'UTF8'
      ? ok('database encoding', 'UTF8')
      : fault('database encoding', `is ${facts.encoding}`, 'Make a database with encoding UTF8.'),
    facts.fsync === 'on' && facts.commit !== 'off'
      ? ok('database durability', 'commits are flushed')
      : fault(
          'database durability',
          `fsync is ${facts.fsync}, synchronous_commit ${facts.commit}: a crash may forget what was paid`,
          'Set both to "on".',
        ),
    facts.connections <= connections
      ? fault(
          'database connections',
          `max_connections is ${facts.connections}, and one process takes up to ${connections}`,
          'Raise max_connections, or lower "database.poolSize" or "database.searchPoolSize".',
        )
      : ok('database connections', `${facts.connections} allowed, ${connections} for a process`),
    await checkClock(pool),
  ]
}

/** The database's clock against this machine's, by the rule of a start. */
const checkClock = async (pool: Pool): Promise<Diagnosis> => {
  const difference = await clockDifference(pool)
  return difference === null
    ? ok('clock', 'agrees with this machine')
    : fault('clock', difference.message, difference.remedy)
}
