import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { DatabaseClock, moveClock } from './databaseClock.js'

const TWO_HOURS = 7_200_000

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())
afterEach(async () => {
  vi.restoreAllMocks()
  await moveClock(database.pool, 0)
})

const databaseNow = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ ms: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::text as ms`,
  )
  return Number(rows[0]?.ms)
}

/** How far the clock is from the database's, seconds; the time that the question takes is on both sides of it. */
const secondsOff = async (clock: DatabaseClock): Promise<number> => {
  const before = clock.now()
  const now = await databaseNow()
  return Math.round(Math.max(0, now - clock.now(), before - now) / 1000)
}

const wrongBy = (milliseconds: number): void => {
  const real = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => real() + milliseconds)
}

it.each([TWO_HOURS, -TWO_HOURS])(
  'F129: says the time of the database on a host that is wrong by %i ms',
  async (off) => {
    wrongBy(off)
    const clock = new DatabaseClock()
    await clock.refresh(database.pool)
    expect(await secondsOff(clock)).toBe(0)
    expect(Number.isInteger(clock.now())).toBe(true)
  },
)

it('F129: a host whose clock jumps between two readings notices nothing of it', async () => {
  const clock = new DatabaseClock()
  await clock.refresh(database.pool)
  wrongBy(TWO_HOURS)
  expect(await secondsOff(clock)).toBe(0)
  expect(await clock.refresh(database.pool)).toBe(false)
  vi.restoreAllMocks()
  expect(await clock.refresh(database.pool)).toBe(false)
  expect(await secondsOff(clock)).toBe(0)
})

it('is not shaken by an answer that was long on its way', async () => {
  const clock = new DatabaseClock()
  // The quickest answer of several bounds the base most.
  for (let at = 0; at < 20; at += 1) await clock.refresh(database.pool)
  const { pool } = database
  const query = pool.query.bind(pool)
  const late = { query: (...question: unknown[]) => Reflect.apply(query, pool, question).then(held) }
  const held = (answer: unknown) => new Promise((resolve) => setTimeout(() => resolve(answer), 60))
  const base = clock.now() - performance.now()
  // CAST: of a pool the clock uses `query` alone.
  await clock.refresh(late as unknown as typeof pool)
  expect(Math.abs(clock.now() - performance.now() - base)).toBeLessThan(10)
})

it('follows the offset row at the next reading, and tells when that sets business time back', async () => {
  const clock = new DatabaseClock()
  await clock.refresh(database.pool)
  await moveClock(database.pool, TWO_HOURS)
  expect(await clock.refresh(database.pool)).toBe(false)
  expect(clock.now() - (await databaseNow())).toBeGreaterThan(TWO_HOURS - 60_000)
  await moveClock(database.pool, 0)
  expect(await clock.refresh(database.pool)).toBe(true)
  expect(await clock.refresh(database.pool)).toBe(false)
  expect(await secondsOff(clock)).toBe(0)
})
