import type { Pool, PoolClient } from 'pg'
import { commitTransaction } from './pool.js'

/** One step of a package's tables. Released ones never change. */
export interface Migration {
  /** `0001_what`; applied in the order listed. */
  readonly name: string
  /** Plain SQL, run in one transaction. */
  readonly up: string
  /** A build that does not know this migration must not run against the database. */
  readonly breaking?: boolean
}

export interface PackageMigrations {
  /** For example `@causeway/plugin-quote`. */
  readonly name: string
  readonly migrations: readonly Migration[]
}

export interface MigrateOptions {
  readonly packages: readonly PackageMigrations[]
  onProgress?(event: { readonly package: string; readonly migration: string; readonly milliseconds: number }): void
  /** A migration of a newer build, harmless to this one. */
  onUnknown?(event: { readonly package: string; readonly migration: string }): void
}

/** Key of the advisory lock that whoever changes the tables holds. */
export const MIGRATION_LOCK = 7_160_316

/** `@causeway/plugin-quote` -> `migrations_plugin_quote`. */
export const migrationTable = (name: string): string =>
  `migrations_${name.replace(/^@causeway\//, '').replace(/[^a-z0-9]+/g, '_')}`

/**
 * Brings the database to this build, core first, then plugins in the order given, under one advisory lock, so that several
 * hosts may start at once. Throws when the database holds a breaking migration this build does not know.
 */
export const migrate = async (pool: Pool, options: MigrateOptions): Promise<void> => {
  const client = await pool.connect()
  let failed = false
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    for (const item of options.packages) await migratePackage(client, item, options)
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  } catch (error) {
    failed = true
    throw error
  } finally {
    // After a failure the connection is closed, which gives the lock back whatever state it is in.
    client.release(failed)
  }
}

const migratePackage = async (client: PoolClient, item: PackageMigrations, options: MigrateOptions): Promise<void> => {
  const table = migrationTable(item.name)
  await client.query(`create table if not exists ${table} (
    name text primary key, breaking boolean not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; breaking: boolean }>(`select name, breaking from ${table}`)
  const known = new Set(item.migrations.map(({ name }) => name))
  for (const row of rows) {
    if (known.has(row.name)) continue
    if (row.breaking) {
      throw new Error(
        `The database was changed by a newer ${item.name} (${row.name}). Start that version again, or restore a backup made before it.`,
      )
    }
    options.onUnknown?.({ package: item.name, migration: row.name })
  }
  const applied = new Set(rows.map(({ name }) => name))
  for (const migration of item.migrations) {
    if (!applied.has(migration.name)) await applyMigration(client, table, item.name, migration, options)
  }
}

const applyMigration = async (
  client: PoolClient,
  table: string,
  packageName: string,
  migration: Migration,
  options: MigrateOptions,
): Promise<void> => {
  const started = performance.now()
  await client.query('begin')
  try {
    await client.query(`insert into ${table} (name, breaking) values ($1, $2)`, [
      migration.name,
      migration.breaking === true,
    ])
    await client.query(migration.up)
    await commitTransaction(client)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${migration.name} of ${packageName} failed.`, { cause: error })
  }
  options.onProgress?.({
    package: packageName,
    migration: migration.name,
    milliseconds: Math.round(performance.now() - started),
  })
}
