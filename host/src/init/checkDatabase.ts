import { createPool } from '@causeway/core/plugin'
import { UsageError } from '../cli/plainError.js'
import { configSchema } from '../config/schema/schema.js'
import { checkReachable, checkServer } from '../doctor/databaseCheck.js'

/** Settings of the server that are put right without the database being made anew; the doctor goes on calling them faults. */
const LATER = new Set(['database durability', 'database connections', 'clock'])

/** The server is there and fit, and the database is empty or one of ours. @throws UsageError */
export const checkDatabase = async (url: string, print: (line: string) => void): Promise<void> => {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('The database is named by a URL that begins with postgres://.')
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'causeway init' })
  try {
    const reachable = await checkReachable(pool)
    const { poolSize, searchPoolSize } = configSchema.properties.database.properties
    // CAST: of the settings of a database only these are looked at.
    const config = { database: { poolSize: poolSize.default, searchPoolSize: searchPoolSize.default } } as Parameters<
      typeof checkServer
    >[1]
    const findings = reachable.state === 'ok' ? [reachable, ...(await checkServer(pool, config))] : [reachable]
    const faults = findings.filter(({ state }) => state === 'fault')
    const fault = faults.find(({ check }) => !LATER.has(check))
    if (fault !== undefined) throw new UsageError(`${fault.check} ${fault.message}. ${fault.remedy ?? ''}`)
    const { rows } = await pool.query<{ tables: number; ours: boolean }>(
      `select count(*)::int as tables, to_regclass('leases') is not null and to_regclass('lanes') is not null as ours
       from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace`,
    )
    if (rows[0] !== undefined && rows[0].tables > 0 && !rows[0].ours)
      throw new UsageError('The database holds tables of something else: make an empty one.')
    for (const { check, message, remedy } of faults) print(`Before real money: ${check} ${message}. ${remedy ?? ''}`)
    print(`database: reachable and fit, ${rows[0]?.ours === true ? 'used by Causeway before' : 'empty'}`)
  } finally {
    await pool.end()
  }
}
