import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, giveOddSettings, type TestDatabase } from '../testing/testDatabase.js'
import { openKnex } from './openKnex.js'
import { createPool, withTransaction } from './pool.js'
import { findSessionProblem, openConnection, SESSION } from './session.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: [] }] })
  await giveOddSettings(database.url)
})
afterAll(() => database.drop())

const names = [...Object.keys(SESSION), 'search_path', 'statement_timeout', 'idle_in_transaction_session_timeout']
const ASKED = `select name, current_setting(name) as value from unnest(array['${names.join("','")}']) as name`
const valuesOf = (rows: readonly { name: string; value: string }[]) =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]))

it('gives every kind of connection the settings of the service, whatever the database has (faults.md F168)', async () => {
  const settings = { connectionString: database.url, applicationName: 'test', statementMs: 30_000 }
  const pool = createPool({ ...settings, max: 1 })
  const db = openKnex(pool)
  const client = await openConnection(settings)
  try {
    const expected = {
      ...SESSION,
      search_path: 'public',
      statement_timeout: '30s',
      idle_in_transaction_session_timeout: '15s',
    }
    expect(valuesOf((await pool.query(ASKED)).rows)).toEqual(expected)
    expect(valuesOf((await db.raw(ASKED)).rows)).toEqual(expected)
    expect(valuesOf((await client.query(ASKED)).rows)).toEqual(expected)
  } finally {
    await Promise.all([db.destroy(), pool.end(), client.end()])
  }
})

it('reads times, bytes, intervals and floats the same where the database writes them otherwise', async () => {
  const { rows } = await database.pool.query(
    `select timestamptz '2026-02-01T03:04:05.678Z' as time, decode('00ff5c', 'hex') as bytes, interval '-1 day -02:00' as span,
       0.1::float8 + 0.2::float8 as float, '\\d' as text`,
  )
  expect(rows[0]).toMatchObject({
    time: new Date('2026-02-01T03:04:05.678Z'),
    bytes: Buffer.from([0, 255, 92]),
    span: { days: -1, hours: -2 },
    float: 0.1 + 0.2,
    text: '\\d',
  })
})

it('lets transactions of the same row wait for each other instead of failing', async () => {
  const { pool } = database
  await pool.query('create table counters (id int primary key, value int); insert into counters values (1, 0)')
  const add = () =>
    withTransaction(pool, async (client) => {
      await client.query('select value from counters')
      await client.query('update counters set value = value + 1')
    })
  await Promise.all(Array.from({ length: 8 }, add))
  expect((await pool.query('select value from counters')).rows).toEqual([{ value: 8 }])
})

it('finds the tables where a schema of the same name as the role came later', async () => {
  expect(await findSessionProblem(database.url)).toBeNull()
  const { rows } = await database.pool.query<{ name: string }>('select current_user::text as name')
  const own = `"${rows[0]?.name}"`
  await database.pool.query(`create schema ${own}`)
  try {
    const later = createPool({ connectionString: database.url, max: 1, applicationName: 'later' })
    expect((await later.query('select current_schema()::text as name')).rows).toEqual([{ name: 'public' }])
    await later.end()
    expect(await findSessionProblem(database.url)).toBeNull()
  } finally {
    await database.pool.query(`drop schema ${own}`)
  }
})

it('reports a search path that leads away from the tables, unless the URL names it', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await database.pool.query(`create schema empty; alter database ${name} set search_path to empty`)
  try {
    expect(await findSessionProblem(database.url)).toEqual({
      message: 'the tables of Causeway are in schema "public", and search_path of this role leads to "empty"',
      remedy: expect.stringContaining('alter role <role> set search_path = "public"'),
    })
    const named = new URL(database.url)
    named.searchParams.set('options', '-c search_path=empty,public')
    expect(await findSessionProblem(named.toString())).toBeNull()
  } finally {
    await database.pool.query(`alter database ${name} reset search_path; drop schema empty`)
  }
})

it('names a database whose encoding is not UTF8, so that no host starts on it', async () => {
  const name = `latin_${process.pid}_${Date.now()}`
  await database.pool.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  try {
    const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).toString()
    expect(await findSessionProblem(url)).toEqual({
      message: 'the encoding of the database is LATIN1, not UTF8',
      remedy: expect.stringContaining('--encoding=UTF8'),
    })
  } finally {
    await database.pool.query(`drop database ${name} with (force)`)
  }
})
