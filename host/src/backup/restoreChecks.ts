import { migrationTable, type PackageMigrations } from '@causeway/core/plugin'
import type { ClientBase } from 'pg'
import { BackupError } from './backupError.js'
import type { BackupManifest, DatabaseFacts } from './manifest.js'

/** What a backup is compared with before it is put back. */
export interface RestorePlace {
  readonly network: string
  /** Marks of the master keys that this process holds; null where it can read none. */
  readonly masterMarks: readonly string[] | null
  readonly packages: readonly PackageMigrations[]
}

/** What was applied to the backup and this build does not know, with the package's table. */
export const unknownMigrations = (
  { migrations }: DatabaseFacts,
  packages: readonly PackageMigrations[],
): DatabaseFacts['migrations'] => {
  const known = new Map(
    packages.map((item) => [migrationTable(item.name), new Set(item.migrations.map((one) => one.name))]),
  )
  return migrations.filter(({ table, name }) => known.get(table)?.has(name) === false)
}

/**
 * Refuses a backup of another deployment, or of a version that this one may not follow; returns what is worth telling.
 * @throws BackupError
 */
export const checkFits = ({ facts }: BackupManifest, place: RestorePlace): readonly string[] => {
  if (facts.network !== null && facts.network !== place.network) {
    throw new BackupError(
      `The backup is of a deployment of ${facts.network}, and the configuration says "network": "${place.network}". Use the configuration that belongs to it.`,
    )
  }
  const unknown = unknownMigrations(facts, place.packages)
  const breaking = unknown.find((migration) => migration.breaking)
  if (breaking !== undefined) {
    throw new BackupError(
      `The backup was made by a newer version, whose tables this one must not use (${breaking.table}: ${breaking.name}). Restore it with that version.`,
    )
  }
  const told = unknown.map(({ table, name }) => `The backup has ${name} of ${table}, which this version can run with.`)
  const needed = [facts.masterMark, facts.nextMasterMark].filter((mark) => mark !== null)
  if (needed.length === 0) return told
  if (place.masterMarks === null) {
    return [
      ...told,
      'The master key was not compared: this command can read none. A host of role api refuses another one at its start.',
    ]
  }
  if (needed.every((mark) => place.masterMarks?.includes(mark))) return told
  throw new BackupError(
    'The API keys in the backup are sealed under another master key than the configured one. Put the key that belongs to it at "keys.master" (during a rotation the other one at "keys.previousMaster").',
  )
}

const OWN_TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

const GUESTS = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name like 'causeway%'`

/** Refuses a database that hosts are connected to, or that holds anything. @throws BackupError */
export const checkEmpty = async (client: ClientBase): Promise<void> => {
  const { rows: tables } = await client.query<{ name: string }>(OWN_TABLES)
  const { rows: guests } = await client.query<{ count: number }>(GUESTS)
  const connected = guests[0]?.count ?? 0
  if (connected > 0) {
    throw new BackupError(
      `Hosts or commands are connected to this database (${connected} connections). Stop them all, then restore again.`,
    )
  }
  if (tables.length === 0) return
  const leases = tables.some(({ name }) => name === 'leases') ? await heldLeases(client) : []
  if (leases.length > 0) {
    throw new BackupError(
      `Hosts work in this database: they hold ${leases.join(', ')}. Stop them, and restore into an empty database.`,
    )
  }
  throw new BackupError(
    `The database is not empty: it has ${tables.length} tables, ${tables[0]?.name} among them. Make a new one (createdb) and name it in DATABASE_URL; keep this one until the restored one is checked.`,
  )
}

const heldLeases = async (client: ClientBase): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select name from leases where expires_at > clock_timestamp() order by name limit 3',
  )
  return rows.map(({ name }) => name)
}
