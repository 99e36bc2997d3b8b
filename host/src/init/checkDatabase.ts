import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { UsageError } from '../cli/plainError.js'
import { configSchema } from '../config/schema/schema.js'
import { checkReachable, checkServer, checkSessions } from '../doctor/database/databaseCheck.js'

/** Settings of the server that are put right without the database being made anew; the doctor goes on calling them faults. */
const LATER = new Set(['database durability', 'database connections', 'clock'])

/**
 * The server is there and fit, and the database is empty, or has our tables and no deployment yet: the keys of one are others than
 * those that are about to be made. @throws UsageError without the URL
 */
export const checkDatabase = async (url: string, print: (line: string) => void): Promise<void> => {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('The database is named by a URL that begins with postgres://.')
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'causeway init' })
  try {
    const reachable = await checkReachable(pool)
    const findings =
      reachable.state === 'ok' ? [await checkSessions(url), ...(await checkServer(pool, DEFAULT_POOLS))] : [reachable]
    const faults = findings.filter(({ state }) => state === 'fault')
    const fault = faults.find(({ check }) => !LATER.has(check))
    if (fault !== undefined) throw new UsageError(`${fault.check} ${fault.message}. ${fault.remedy ?? ''}`.trim())
    const tables = await checkFree(pool)
    for (const { check, message, remedy } of faults) print(`Before real money: ${check} ${message}. ${remedy ?? ''}`)
    print(`database: reachable and fit, ${tables === 0 ? 'empty' : 'with the tables of Causeway and nothing in them'}`)
  } finally {
    await pool.end()
  }
}

/** As they are where a configuration says nothing. */
const DEFAULT_POOLS = {
  database: {
    poolSize: configSchema.properties.database.properties.poolSize.default,
    searchPoolSize: configSchema.properties.database.properties.searchPoolSize.default,
  },
}

const TABLES = `select c.relname as name from pg_catalog.pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by 1`

const checkFree = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ name: string }>(TABLES)
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return 0
  if (!names.includes('deployment') || !names.includes('lanes'))
    throw new UsageError(
      `The database holds tables of something else (${names.slice(0, 3).join(', ')}): make an empty one.`,
    )
  const { rows: claims } = await pool.query<{ network: string }>('select network from deployment')
  if (claims[0] !== undefined)
    throw new UsageError(
      `The database belongs to a deployment of ${claims[0].network} already, whose keys are others than those made here. Use its configuration and keys, or make an empty database.`,
    )
  return names.length
}
