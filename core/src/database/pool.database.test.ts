import { once } from 'node:events'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { fromBytea, toBytea } from './hexBytea.js'
import { createPool, isUniqueViolation, prepared, TransactionAbortedError, withTransaction } from './pool.js'

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
  pool = database.pool
  await pool.query('create table marks (name text constraint marks_once primary key, value int not null default 0)')
})
afterAll(() => database.drop())

const marks = prepared<{ name: string; value: number }>('marks', 'select name, value from marks where name = $1')
const put = (client: pg.Pool | pg.PoolClient, name: string) =>
  client.query('insert into marks (name) values ($1)', [name])
const endBackend = (pid: number) => pool.query('select pg_terminate_backend($1)', [pid])
const pidOf = async (client: pg.PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0

it('reads amounts of any size without losing a digit, alone and in arrays', async () => {
  const largest = 2n ** 256n - 1n
  const { rows } = await pool.query(
    `select $1::numeric as one, array[$1::numeric, null] as many, $2::int8 as big, array[$2::int8] as bigs,
      $3::bytea as bytes, timestamptz '2026-01-02T03:04:05.678Z' as time`,
    [largest, 2n ** 63n - 1n, toBytea('0x00ff')],
  )
  expect(rows[0]).toEqual({
    one: largest.toString(),
    many: [largest.toString(), null],
    big: 2n ** 63n - 1n,
    bigs: [2n ** 63n - 1n],
    bytes: Buffer.from([0, 255]),
    time: new Date('2026-01-02T03:04:05.678Z'),
  })
})

it('leaves the parsers of other users of pg alone', async () => {
  const { default: driver } = await import('pg')
  const client = new driver.Client({ connectionString: database.url })
  await client.connect()
  expect((await client.query('select 1::int8 as one')).rows[0]).toEqual({ one: '1' })
  await client.end()
})

it('refuses hex that is not whole bytes instead of dropping some', () => {
  expect(fromBytea(toBytea('0xAb01'))).toBe('0xab01')
  expect(toBytea('0x')).toHaveLength(0)
  for (const wrong of ['0xabc', '0xzz', '0x12zz34'] as const) expect(() => toBytea(wrong)).toThrow(TypeError)
})

it('commits what worked and rolls back what threw', async () => {
  await withTransaction(pool, (client) => put(client, 'kept'))
  const failing = withTransaction(pool, async (client) => {
    await put(client, 'dropped')
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await marks(pool, ['kept'])).toEqual([{ name: 'kept', value: 0 }])
  expect(await marks(pool, ['dropped'])).toEqual([])
})

it('does not call a transaction done whose failed statement was swallowed', async () => {
  const swallowing = withTransaction(pool, async (client) => {
    await put(client, 'half')
    await put(client, 'half').catch(() => undefined)
  })
  await expect(swallowing).rejects.toThrow(TransactionAbortedError)
  expect(await marks(pool, ['half'])).toEqual([])
})

it('tells which unique constraint refused a row', async () => {
  await put(pool, 'unique')
  const error = await put(pool, 'unique').catch((reason: unknown) => reason)
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'marks_once')).toBe(true)
  expect(isUniqueViolation(error, 'another')).toBe(false)
})

it('runs a serialisation failure again, as often as it was told', async () => {
  await put(pool, 'counter')
  let runs = 0
  const add = (meddle: boolean, retries: number) =>
    withTransaction(
      pool,
      async (client) => {
        runs += 1
        const [mark] = await marks(client, ['counter'])
        if (meddle && runs === 1) await add(false, 0)
        await client.query('update marks set value = $1 where name = $2', [(mark?.value ?? 0) + 1, 'counter'])
      },
      { isolation: 'repeatable read', retries },
    )
  await add(true, 1)
  expect(await marks(pool, ['counter'])).toEqual([{ name: 'counter', value: 2 }])
  expect(runs).toBe(3)
  runs = 0
  await expect(add(true, 0)).rejects.toMatchObject({ code: '40001' })
})

it('survives a connection that the server ends in the middle of a transaction', async () => {
  const broken = withTransaction(pool, async (client) => {
    const ended = new Promise((resolve) => client.once('end', resolve))
    await endBackend(await pidOf(client))
    await ended
    await put(client, 'late')
  })
  await expect(broken).rejects.toThrow()
  expect(await marks(pool, ['late'])).toEqual([])
})

it('survives a connection that the server ends while it is idle', async () => {
  const small = createPool({ connectionString: database.url, max: 1, applicationName: 'idle' })
  const client = await small.connect()
  const pid = await pidOf(client)
  client.release()
  const noticed = once(small, 'error')
  await endBackend(pid)
  await noticed
  expect(await marks(small, ['kept'])).toHaveLength(1)
  await small.end()
})

it('may give up on answers, and commit without waiting for the disk, for its own connections alone', async () => {
  const hasty = createPool({
    connectionString: database.url,
    max: 1,
    applicationName: 'hasty',
    timeoutMs: 2_000,
    asynchronousCommit: true,
  })
  const asked = `select source, setting from pg_settings where name = 'synchronous_commit'`
  expect((await hasty.query(asked)).rows).toEqual([{ source: 'session', setting: 'off' }])
  expect((await pool.query(asked)).rows[0]?.source).not.toBe('session')
  await expect(hasty.query('select pg_sleep(20)')).rejects.toThrow(/timeout/i)
  expect((await hasty.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await hasty.end()
})

it('lets a statement run for its time; the server ends it, and a server that is silent is given up a second later', async () => {
  const bounded = createPool({ connectionString: database.url, max: 1, applicationName: 'bounded', statementMs: 200 })
  await expect(bounded.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
  const silent = withTransaction(bounded, async (client) => {
    // The server lets it run, as one would that hears nothing more.
    await client.query('set local statement_timeout = 0')
    await client.query('select pg_sleep(5)')
  })
  await expect(silent).rejects.toThrow('Query read timeout')
  expect((await bounded.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await bounded.end()
})
