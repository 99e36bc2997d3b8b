import { createHash } from 'node:crypto'
import { coreMigrations } from '@causeway/core/host'
import { createPool, migrate } from '@causeway/core/plugin'
import pg from 'pg'
import { PLUGINS } from '../host/simHost.js'
import { watchPayoutMoves } from './payoutMoves.js'
import { queryOver } from './query.js'

/** Plans that do not depend on what ran before: the same seed reads rows in the same order. */
const SETTINGS = ['plan_cache_mode=force_generic_plan', 'jit=off']
/** Before the platform's own functions, so that time and chance come from the world. */
const SEARCH_PATH = 'public,sim,pg_catalog'

/** What a server tells of itself: a failover changes the timeline, a restore the cluster. */
export interface ServerIdentity {
  readonly system: bigint
  readonly timeline: number
}

export interface WorldFiles {
  readonly time: string
  readonly identity: string
}

/** Files from which the functions of a world's database read its time and identity. */
export const filesIn = (folder: string): WorldFiles => ({ time: `${folder}/time`, identity: `${folder}/identity` })

const simSql = ({ time, identity }: WorldFiles): string => `
create schema sim;
create sequence sim.chances;
create function sim.clock_timestamp() returns timestamptz language sql volatile as
  $$ select pg_catalog.to_timestamp(pg_catalog.pg_read_file('${time}')::float8 / 1000) $$;
create function sim.now() returns timestamptz language sql volatile as $$ select sim.clock_timestamp() $$;
create function sim.statement_timestamp() returns timestamptz language sql volatile as $$ select sim.clock_timestamp() $$;
create function sim.random() returns float8 language sql volatile as
  $$ select (pg_catalog.hashint8(pg_catalog.nextval('sim.chances'))::bigint + 2147483648) / 4294967296.0 $$;
create function sim.gen_random_uuid() returns uuid language sql volatile as
  $$ select pg_catalog.md5(pg_catalog.nextval('sim.chances')::text)::uuid $$;
create function sim.pg_control_system(out system_identifier bigint) language sql volatile as
  $$ select pg_catalog.split_part(pg_catalog.pg_read_file('${identity}'), ' ', 1)::bigint $$;
create function sim.pg_walfile_name(pg_lsn) returns text language sql volatile as
  $$ select pg_catalog.lpad(pg_catalog.split_part(pg_catalog.pg_read_file('${identity}'), ' ', 2), 8, '0') || '0000000000000000' $$;
`

/** Named in the URL, so that hosts keep the search path. */
const OPTIONS = [`search_path=${SEARCH_PATH}`, ...SETTINGS].map((setting) => `-c ${setting}`).join(' ')

/** Settings of every connection to a world's database, by its URL. */
export const connectionTo = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'causeway simulation',
})

const PACKAGES = [
  { name: '@causeway/core', migrations: coreMigrations },
  ...PLUGINS.map(({ name, migrations = [] }) => ({ name, migrations })),
]

/**
 * Makes the database of a world on a server of its own, anew, with the tables of core and of the plugins that run in it. Returns its
 * URL. What the tables are copied from stays on the server for the next process; another mutant of the migrations has another.
 */
export const createWorldDatabase = async (server: string, files: WorldFiles): Promise<string> => {
  const made = JSON.stringify([PACKAGES, simSql(files), String(watchPayoutMoves)])
  const template = `world_${createHash('sha256').update(made).digest('hex').slice(0, 16)}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  try {
    await admin.query('drop database if exists world with (force)')
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      await admin.query('drop database if exists world_partial with (force)')
      await admin.query('create database world_partial')
      await fillTemplate(databaseUrl(server, 'world_partial'), files)
      await admin.query(`alter database world_partial rename to ${template}`)
    }
    await admin.query(`create database world template ${template} strategy file_copy`)
  } finally {
    await admin.end()
  }
  return withOptions(databaseUrl(server, 'world'))
}

const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}

const withOptions = (url: string): string => {
  const within = new URL(url)
  within.searchParams.set('options', OPTIONS)
  return within.toString()
}

const fillTemplate = async (url: string, files: WorldFiles): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(simSql(files))
  await client.end()
  const pool = createPool({ connectionString: withOptions(url), max: 1, applicationName: 'causeway simulation' })
  try {
    await migrate(pool, { packages: PACKAGES })
    await watchPayoutMoves(queryOver(pool))
  } finally {
    await pool.end()
  }
}
