import type pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { type Migration, migrate, migrationTable } from './migrate.js'
import { createPool } from './pool.js'

const opened: TestDatabase[] = []
let pool: pg.Pool
let url: string

beforeEach(async () => {
  const database = await createTestDatabase({ packages: [] })
  opened.push(database)
  pool = database.pool
  url = database.url
})
afterAll(() => Promise.all(opened.map((database) => database.drop())))

const FIRST: Migration = { name: '0001_first', up: 'create table one (id int); insert into one values (1)' }
const SECOND: Migration = { name: '0002_second', up: 'create table two (id int)', breaking: true }
const core = (...migrations: Migration[]) => [{ name: '@causeway/core', migrations }]

it('names one migration table for each package', () => {
  expect(migrationTable('@causeway/core')).toBe('migrations_core')
  expect(migrationTable('@causeway/plugin-quote')).toBe('migrations_plugin_quote')
})

it('applies each migration once when several hosts start at once', async () => {
  const pools = [1, 2, 3, 4].map(() => createPool({ connectionString: url, max: 1, applicationName: 'host' }))
  const done: string[] = []
  const packages = [...core(FIRST, SECOND), { name: '@causeway/plugin-quote', migrations: [FIRST_OF_PLUGIN] }]
  await Promise.all(
    pools.map((host) =>
      migrate(host, { packages, onProgress: (event) => done.push(`${event.package} ${event.migration}`) }),
    ),
  )
  await Promise.all(pools.map((host) => host.end()))
  expect(done).toEqual(['@causeway/core 0001_first', '@causeway/core 0002_second', '@causeway/plugin-quote 0001_first'])
  expect((await pool.query('select * from one')).rowCount).toBe(1)
  expect((await pool.query('select name from migrations_plugin_quote')).rows).toEqual([{ name: '0001_first' }])
})

const FIRST_OF_PLUGIN: Migration = { name: '0001_first', up: 'create table quotes_of_plugin (id int)' }

it('leaves nothing of a migration that fails, gives the lock back and goes on from there later', async () => {
  const broken = { name: '0002_second', up: 'create table two (id int); select no_such_thing' }
  await expect(migrate(pool, { packages: core(FIRST, broken) })).rejects.toThrow('0002_second of @causeway/core failed')
  expect((await pool.query(`select to_regclass('two') as two`)).rows).toEqual([{ two: null }])
  await migrate(pool, { packages: core(FIRST, SECOND) })
  expect((await pool.query('select name, breaking from migrations_core order by name')).rows).toEqual([
    { name: '0001_first', breaking: false },
    { name: '0002_second', breaking: true },
  ])
})

it('runs a migration again that gave way to a transaction of a host at work', async () => {
  await pool.query('create table one (id int); create table two (id int)')
  const host = await pool.connect()
  // The one whose patience ends first gives way.
  await host.query(`begin; set local deadlock_timeout = '1h'; lock table two`)
  const both = { name: '0001_both', up: 'alter table one add column more int; alter table two add column more int' }
  const migrated = migrate(pool, { packages: core(both) })
  const waits = `select from pg_locks where relation = 'two'::regclass and not granted`
  await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1)
  await host.query('lock table one')
  await host.query('commit')
  host.release()
  await migrated
  expect((await pool.query('select more from one natural join two')).rowCount).toBe(0)
})

it('refuses a database that a newer build changed in a breaking way', async () => {
  await migrate(pool, { packages: core(FIRST, SECOND) })
  await expect(migrate(pool, { packages: core(FIRST) })).rejects.toThrow('newer @causeway/core (0002_second)')
})

it('reports an unknown migration that breaks nothing and goes on', async () => {
  await migrate(pool, { packages: core(FIRST, { ...SECOND, breaking: false }) })
  const unknown: string[] = []
  await migrate(pool, { packages: core(FIRST), onUnknown: (event) => unknown.push(event.migration) })
  expect(unknown).toEqual(['0002_second'])
})

it('takes no tables from under hosts that work: a breaking migration waits for them, and is refused when they go on', async () => {
  const leases = { name: '0001_first', up: 'create table leases (name text, expires_at timestamptz)' }
  await migrate(pool, { packages: core(leases) })
  const hold = (seconds: number) =>
    pool.query(`insert into leases values ('watch:1', clock_timestamp() + $1 * interval '1 second')`, [seconds])
  await hold(60)
  const options = { packages: core(leases, SECOND), patienceMs: 0 }
  await expect(migrate(pool, options)).rejects.toThrow(/they hold watch:1\), and 0002_second .* Stop every host/)
  expect((await pool.query(`select to_regclass('two') as two`)).rows).toEqual([{ two: null }])
  // One that does not break is applied beside them.
  await migrate(pool, { ...options, packages: core(leases, { ...SECOND, name: '0002_added', breaking: false }) })
  await pool.query('delete from leases')
  await hold(0.5)
  await migrate(pool, {
    packages: core(leases, { name: '0002_added', up: '' }, { name: '0003_next', up: '', breaking: true }),
  })
  expect((await pool.query('select name from migrations_core order by 1')).rows).toHaveLength(3)
})
