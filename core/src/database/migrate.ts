import type { Pool, PoolClient } from 'pg'
import { commitTransaction, isRetryable } from './pool.js'

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

/** Hosts of an earlier version work in the database, and a migration would take the tables from under them. */
export class HostsAtWorkError extends Error {
  override readonly name = 'HostsAtWorkError'
  constructor(migration: string, leases: readonly string[]) {
    super(
      `Hosts work in this database (they hold ${leases.join(', ')}), and ${migration} is not for the version that they run. Stop every host, those of role api too, and make a backup; then start this version.`,
    )
  }
}

export interface MigrateOptions {
  readonly packages: readonly PackageMigrations[]
  onProgress?(event: { readonly package: string; readonly migration: string; readonly milliseconds: number }): void
  /** A migration of a newer build, harmless to this one. */
  onUnknown?(event: { readonly package: string; readonly migration: string }): void
  /** How long hosts that work may take to end before a breaking migration. Default 15 s. */
  readonly patienceMs?: number
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
    if (applied.has(migration.name)) continue
    // Where nothing was applied nobody can be at work.
    if (migration.breaking === true && applied.size > 0) await waitForHosts(client, migration.name, options)
    await applyMigration(client, table, item.name, migration, options)
  }
}

const PATIENCE_MS = 15_000
const ASK_AGAIN_MS = 250

/** Hosts hold leases for as long as they work; one that died gives its own up after `database.leaseSeconds`. */
const waitForHosts = async (client: PoolClient, migration: string, { patienceMs = PATIENCE_MS }: MigrateOptions) => {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const leases = await heldLeases(client)
    if (leases.length === 0) return
    if (performance.now() >= deadline) throw new HostsAtWorkError(migration, leases)
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
}

const heldLeases = async (client: PoolClient): Promise<readonly string[]> => {
  const { rows: tables } = await client.query<{ there: boolean }>(`select to_regclass('leases') is not null as there`)
  if (tables[0]?.there !== true) return []
  const { rows } = await client.query<{ name: string }>(
    'select name from leases where expires_at > clock_timestamp() order by name limit 3',
  )
  return rows.map(({ name }) => name)
}

/** How often a migration is run that hosts at work stood in the way of. */
const TRIES = 10

const applyMigration = async (
  client: PoolClient,
  table: string,
  packageName: string,
  migration: Migration,
  options: MigrateOptions,
): Promise<void> => {
  const started = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      await applyOnce(client, table, migration)
      break
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      // It and a transaction of a host waited for each other's tables, and it gave way: nothing of it is left.
      if (tries < TRIES && isRetryable(error)) continue
      throw new Error(`Migration ${migration.name} of ${packageName} failed.`, { cause: error })
    }
  }
  options.onProgress?.({
    package: packageName,
    migration: migration.name,
    milliseconds: Math.round(performance.now() - started),
  })
}

const applyOnce = async (client: PoolClient, table: string, { name, up, breaking }: Migration): Promise<void> => {
  await client.query('begin')
  await client.query(`insert into ${table} (name, breaking) values ($1, $2)`, [name, breaking === true])
  await client.query(up)
  await commitTransaction(client)
}
