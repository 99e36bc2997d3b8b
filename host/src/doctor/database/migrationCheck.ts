import type { Diagnosis } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { migrationTable, type PackageMigrations } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { hostMigrations } from '../../application/hostMigrations.js'
import type { LoadedPackages } from '../../plugins/loadPackages.js'

/** What `causeway migrate` would apply, package by package. */
export const packageMigrations = (packages: LoadedPackages): readonly PackageMigrations[] => [
  { name: '@causeway/core', migrations: coreMigrations },
  { name: '@causeway/host', migrations: hostMigrations },
  ...packages.plugins.map(({ plugin }) => ({ name: plugin.name, migrations: plugin.migrations ?? [] })),
]

/** Whether the database has the tables of this build, and none of a newer one that this build must not run on. */
export const checkMigrations = async (pool: Pool, packages: LoadedPackages): Promise<readonly Diagnosis[]> => {
  const expected = packageMigrations(packages)
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename like 'migrations\\_%'`,
  )
  const known = new Set(tables.map(({ name }) => name))
  const selects = expected
    .map(({ name }, at) => ({ at, table: migrationTable(name) }))
    .filter(({ table }) => known.has(table))
    .map(({ at, table }) => `select ${at} as at, name, breaking from ${table}`)
  const { rows } =
    selects.length === 0
      ? { rows: [] }
      : await pool.query<{ at: number; name: string; breaking: boolean }>(selects.join(' union all '))
  const pending = expected.flatMap(({ name, migrations }, at) => {
    const applied = new Set(rows.filter((row) => row.at === at).map((row) => row.name))
    return migrations
      .filter((migration) => !applied.has(migration.name))
      .map((migration) => `${name} ${migration.name}`)
  })
  const newer = rows.filter(
    (row) => row.breaking && !expected[row.at]?.migrations.some((migration) => migration.name === row.name),
  )
  const found: Diagnosis[] = []
  if (pending.length > 0) {
    found.push({
      check: 'migrations',
      subject: 'database',
      state: 'fault',
      message: `${pending.length} not applied, the first is ${pending[0]}`,
      remedy: 'Run "causeway migrate"; a start does it too.',
    })
  }
  if (newer.length > 0) {
    found.push({
      check: 'migrations',
      subject: 'database',
      state: 'fault',
      message: `a newer version changed it (${newer[0]?.name})`,
      remedy: 'Start that version again, or restore a backup made before it.',
    })
  }
  if (found.length > 0) return found
  return [{ check: 'migrations', subject: 'database', state: 'ok', message: `${rows.length} applied` }]
}
