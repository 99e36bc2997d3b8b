import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate, type PackageMigrations } from '../database/migrate.js'
import { createPool } from '../database/pool.js'
import { TEST_DATABASE_VARIABLE } from './testDatabaseVariable.js'

export interface TestDatabase {
  readonly url: string
  readonly pool: pg.Pool
  /** Closes the pool and removes the database. */
  drop(): Promise<void>
}

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

/** One connection of this process to each server, for one task at a time: opening one costs as much as a database. */
const admins = new Map<string, pg.Pool>()

const openAdmin = (url: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The server may stop first; the next task opens another connection.
  pool.on('error', () => undefined)
  admins.set(url, pool)
  return pool
}

const asAdmin = async <T>(url: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> => {
  const client = await (admins.get(url) ?? openAdmin(url)).connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/**
 * A database of one's own, cloned from a template that is migrated once for each distinct set of migrations. Needs the
 * server named by `CAUSEWAY_TEST_DATABASE_URL`.
 */
export const createTestDatabase = async (options: {
  readonly packages: readonly PackageMigrations[]
  readonly poolSize?: number
}): Promise<TestDatabase> => {
  const server = process.env[TEST_DATABASE_VARIABLE]
  if (server === undefined) throw new Error(`Set ${TEST_DATABASE_VARIABLE} to a PostgreSQL server for tests.`)
  const key = createHash('sha256').update(JSON.stringify(options.packages)).digest('hex').slice(0, 16)
  const template = `causeway_template_${key}`
  const name = `causeway_test_${randomBytes(8).toString('hex')}`
  await asAdmin(server, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('causeway_template'))`)
    try {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
      if (rowCount === 0) await makeTemplate(client, server, template, options.packages)
    } finally {
      await client.query(`select pg_advisory_unlock(hashtext('causeway_template'))`)
    }
    // Copies files, which takes a third of the time of logging each page; servers before 15 know no other way.
    const { rows } = await client.query<{ strategy: string }>(
      `select case when current_setting('server_version_num')::int >= 150000 then 'strategy file_copy' else '' end as strategy`,
    )
    await client.query(`create database ${name} template ${template} ${rows[0]?.strategy ?? ''}`)
  })
  const url = withDatabase(server, name)
  const pool = createPool({ connectionString: url, max: options.poolSize ?? 10, applicationName: 'causeway test' })
  return {
    url,
    pool,
    async drop() {
      await pool.end()
      await asAdmin(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Settings that a server, a database or a role may have and no value of the service may depend on. */
const ODD_SETTINGS: Readonly<Record<string, string>> = {
  DateStyle: "'SQL, DMY'",
  IntervalStyle: 'sql_standard',
  TimeZone: "'Asia/Kathmandu'",
  bytea_output: 'escape',
  client_encoding: 'latin1',
  extra_float_digits: '-3',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  statement_timeout: '60000',
}

/** Gives later connections to a database other settings than the service expects. */
export const giveOddSettings = (url: string): Promise<void> =>
  asAdmin(url, async (client) => {
    const name = new URL(url).pathname.slice(1)
    for (const [setting, value] of Object.entries(ODD_SETTINGS))
      await client.query(`alter database ${name} set ${setting} to ${value}`)
  })

const makeTemplate = async (
  client: pg.ClientBase,
  server: string,
  template: string,
  packages: readonly PackageMigrations[],
): Promise<void> => {
  const partial = `${template}_partial`
  await client.query(`drop database if exists ${partial} with (force)`)
  await client.query(`create database ${partial}`)
  const pool = createPool({ connectionString: withDatabase(server, partial), max: 1, applicationName: 'causeway test' })
  try {
    await migrate(pool, { packages })
  } finally {
    await pool.end()
  }
  await client.query(`alter database ${partial} rename to ${template}`)
}
