import type { ClientBase, Pool } from 'pg'
import { BackupError } from './backupError.js'
import type { DatabaseFacts } from './manifest.js'

interface ServerRow {
  readonly major: number
  readonly history: string | null
  readonly at: Date
}

interface DeploymentRow {
  readonly network: string
  readonly master_mark: string | null
  readonly next_master_mark: string | null
}

/** Tables that say which migrations were applied. */
const MIGRATION_TABLES = `select tablename as name from pg_tables
  where schemaname = current_schema() and tablename like 'migrations\\_%' order by tablename`

const has = async (db: Pool | ClientBase, name: string): Promise<boolean> => {
  const { rows } = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [name])
  return rows[0]?.there === true
}

/** Reads what a manifest tells of a database, and its time. @throws BackupError when Causeway never ran on it */
export const readFacts = async (
  db: Pool | ClientBase,
): Promise<{ readonly facts: DatabaseFacts; readonly takenAt: Date }> => {
  const { rows: tables } = await db.query<{ name: string }>(MIGRATION_TABLES)
  if (!tables.some(({ name }) => name === 'migrations_core')) {
    throw new BackupError('This database holds nothing of Causeway. Check DATABASE_URL (or "database.url").')
  }
  const { rows: servers } = await db.query<ServerRow>(
    `select current_setting('server_version_num')::int / 10000 as major, now() as at,
       case when to_regproc('server_history') is null then null else (select server_history()) end as history`,
  )
  const selects = tables.map(({ name }) => `select '${name}' as "table", name, breaking from "${name}"`)
  const { rows: migrations } = await db.query<DatabaseFacts['migrations'][number]>(
    `${selects.join(' union all ')} order by 1, 2`,
  )
  const { rows: deployments } = (await has(db, 'deployment'))
    ? await db.query<DeploymentRow>('select network, master_mark, next_master_mark from deployment')
    : { rows: [] }
  const [server] = servers
  const [deployment] = deployments
  if (server === undefined) throw new BackupError('The database does not say what it is.')
  return {
    takenAt: new Date(server.at),
    facts: {
      serverMajor: server.major,
      history: server.history ?? '-/-',
      network: deployment?.network ?? null,
      masterMark: deployment?.master_mark ?? null,
      nextMasterMark: deployment?.next_master_mark ?? null,
      migrations,
    },
  }
}
