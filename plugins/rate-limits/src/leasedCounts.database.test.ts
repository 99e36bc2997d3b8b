import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LeasedCounts } from './leasedCounts.js'
import { migrations } from './migrations.js'
import { PostgresCounter, removeEnded } from './postgresCounter.js'
import type { Grant, Rule, SharedCounter, TakeRequest } from './sharedCounter.js'

let database: TestDatabase
let shared: PostgresCounter
let keys = 0

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/plugin-rate-limits', migrations }] })
  shared = new PostgresCounter({ connectionString: database.url, timeoutMs: 10_000 })
})

afterAll(async () => {
  await shared.close()
  await database.drop()
})

const newKey = () => `count-${keys++}`

/** A counter that tells how often it was asked, and fails when told to. */
class Watched implements SharedCounter {
  questions = 0
  failing = false

  async take(key: string, request: TakeRequest): Promise<Grant> {
    this.questions += 1
    if (this.failing) throw new Error('no connection to redis://:password@store')
    return shared.take(key, request)
  }

  async close(): Promise<void> {}
}

const hostOf = (
  more: { counter?: SharedCounter | undefined; sliceShare?: number; maxEntries?: number; now?: () => number } = {},
) => {
  const failures: unknown[] = []
  const leases = new LeasedCounts({
    counter: shared,
    sliceShare: 0.1,
    maxEntries: 1_000,
    now: () => performance.now(),
    onFailure: (error) => void failures.push(error),
    ...more,
  })
  return { leases, failures }
}

/** Calls until refused, at most 500 times; how many were admitted. */
const drain = async ({ leases }: ReturnType<typeof hostOf>, key: string, rule: Rule): Promise<number> => {
  for (let admitted = 0; admitted < 500; admitted += 1) {
    if (!(await leases.take(key, rule)).admitted) return admitted
  }
  return 500
}

describe('hosts that count together', () => {
  it('admit exactly the limit when both are asked until they refuse, whatever the slice', async () => {
    for (const sliceShare of [0.001, 0.1, 0.3, 1]) {
      const [key, rule] = [newKey(), { points: 50, seconds: 60 }]
      const [one, two] = [hostOf({ sliceShare }), hostOf({ sliceShare })]
      let admitted = 0
      for (let call = 0; call < 150; call += 1) {
        const host = call % 3 === 0 ? one : two
        if ((await host.leases.take(key, rule)).admitted) admitted += 1
      }
      expect(admitted).toBeLessThanOrEqual(50)
      expect(admitted).toBeGreaterThanOrEqual(50 - 2 * Math.ceil(50 * sliceShare))
      expect(admitted + (await drain(one, key, rule)) + (await drain(two, key, rule))).toBe(50)
    }
  })

  it('admit at most the limit and at least the limit less one slice of each other host, in any order of calls', async () => {
    const calls = fc.array(fc.record({ host: fc.nat(2), burst: fc.integer({ min: 1, max: 6 }) }), { maxLength: 25 })
    const rules = fc.record({
      points: fc.integer({ min: 1, max: 40 }),
      sliceShare: fc.constantFrom(0.01, 0.1, 0.25, 0.7, 1),
    })
    const property = fc.asyncProperty(calls, rules, async (order, { points, sliceShare }) => {
      const [key, rule] = [newKey(), { points, seconds: 60 }]
      const hosts = [0, 1, 2].map(() => hostOf({ sliceShare }))
      let admitted = 0
      await Promise.all(
        order.map(async ({ host, burst }) => {
          for (let call = 0; call < burst; call += 1) {
            if ((await hosts[host]?.leases.take(key, rule))?.admitted) admitted += 1
          }
        }),
      )
      expect(admitted).toBeLessThanOrEqual(points)
      const [first, ...others] = hosts
      if (first !== undefined) admitted += await drain(first, key, rule)
      expect(admitted).toBeGreaterThanOrEqual(points - 2 * Math.max(1, Math.ceil(points * sliceShare)))
      for (const host of others) admitted += await drain(host, key, rule)
      expect(admitted).toBe(points)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it('admit no more than the limit in any time as long as the window, wherever it begins', async () => {
    const [key, rule] = [newKey(), { points: 7, seconds: 1 }]
    const [one, two] = [hostOf({ sliceShare: 0.3 }), hostOf({ sliceShare: 0.3 })]
    const startedAt = performance.now()
    const admittedAt: number[] = []
    while (admittedAt.length < 4 * rule.points) {
      for (const { leases } of [one, two]) {
        if ((await leases.take(key, rule)).admitted) admittedAt.push(performance.now() - startedAt)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    const spans = admittedAt.slice(rule.points).map((at, index) => at - (admittedAt[index] ?? 0))
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(1_000 - 5)
  })
})

describe('a window that slides, on one clock', () => {
  /** A host that counts alone, and when it admitted calls at the given times. */
  const admittedOf = async (rule: Rule, times: readonly number[], sliceShare = 0.2) => {
    let time = 0
    const { leases } = hostOf({ counter: undefined, sliceShare, now: () => time })
    const admitted: number[] = []
    for (const at of times) {
      time = at
      if ((await leases.take('one', rule)).admitted) admitted.push(at)
    }
    return admitted
  }

  it('takes five a minute never for ten across the end of a minute', async () => {
    const burst = (at: number) => Array.from({ length: 5 }, (_, index) => at + index * 100)
    const calls = [...burst(0), ...burst(59_400), ...burst(60_000), ...burst(119_000)]
    const admitted = await admittedOf({ points: 5, seconds: 60 }, calls)
    expect(admitted).toEqual([...burst(0), ...burst(60_000)])
  })

  it('admits calls in just the pace of the limit without end, also where a host takes several points at once', async () => {
    for (const points of [5, 10, 20]) {
      const pace = Array.from({ length: 5 * points }, (_, index) => index * (60_000 / points))
      expect(await admittedOf({ points, seconds: 60 }, pace)).toEqual(pace)
    }
  })

  it('admits at most the limit in any window, for any calls and slices', async () => {
    const gaps = fc.array(fc.oneof(fc.nat(200), fc.integer({ min: 500, max: 4_000 })), { maxLength: 120 })
    const points = fc.integer({ min: 1, max: 30 })
    const property = fc.asyncProperty(gaps, points, fc.constantFrom(0.01, 0.2, 1), async (list, most, share) => {
      let at = 0
      const calls = list.map((gap) => (at += gap))
      const admitted = await admittedOf({ points: most, seconds: 10 }, calls, share)
      for (const [index, time] of admitted.entries()) {
        const later = admitted[index + most]
        if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(10_000)
      }
    })
    await fc.assert(property, { numRuns: 300 })
  })
})

describe('one host', () => {
  it('asks once for a slice, also when many calls come at once, and for the next when it is used up', async () => {
    const counter = new Watched()
    const host = hostOf({ counter, sliceShare: 0.25 })
    const [key, rule] = [newKey(), { points: 40, seconds: 60 }]
    const calls = (length: number) => Promise.all(Array.from({ length }, () => host.leases.take(key, rule)))
    expect((await calls(9)).every(({ admitted }) => admitted)).toBe(true)
    expect(counter.questions).toBe(1)
    expect((await calls(1)).map(({ remaining }) => remaining)).toEqual([30])
    expect(counter.questions).toBe(2)
    expect((await calls(1)).map(({ remaining }) => remaining)).toEqual([29])
    expect(counter.questions).toBe(2)
  })

  it('does not ask again for what is refused until the window ends', async () => {
    const counter = new Watched()
    const host = hostOf({ counter })
    const [key, rule] = [newKey(), { points: 2, seconds: 60 }]
    expect(await drain(host, key, rule)).toBe(2)
    const asked = counter.questions
    const refused = await host.leases.take(key, rule)
    expect(refused).toMatchObject({ admitted: false, limit: 2, remaining: 0 })
    expect(refused.milliseconds).toBeGreaterThan(50_000)
    expect(counter.questions).toBe(asked)
  })

  it('says what is left', async () => {
    const host = hostOf({ sliceShare: 0.3 })
    const [key, rule] = [newKey(), { points: 4, seconds: 60 }]
    const left: number[] = []
    for (let call = 0; call < 4; call += 1) left.push((await host.leases.take(key, rule)).remaining)
    expect(left).toEqual([3, 2, 1, 0])
  })

  it('without a store admits the limit by itself', async () => {
    const host = hostOf({ counter: undefined })
    expect(await drain(host, newKey(), { points: 9, seconds: 60 })).toBe(9)
  })

  it('remembers no more counts than it may, the latest ones', async () => {
    const host = hostOf({ counter: undefined, maxEntries: 3 })
    const rule = { points: 1, seconds: 60 }
    const takes = async (...names: string[]) => {
      const answers: boolean[] = []
      for (const name of names) answers.push((await host.leases.take(name, rule)).admitted)
      return answers
    }
    expect(await takes('a', 'b', 'c', 'b', 'd')).toEqual([true, true, true, false, true])
    expect(await takes('d', 'a')).toEqual([false, true])
  })
})

describe('a store that fails', () => {
  it('leaves each host with the same limits, and counts again when it is back', async () => {
    let time = 0
    const counter = new Watched()
    const host = hostOf({ counter, now: () => time })
    const [key, rule] = [newKey(), { points: 20, seconds: 60 }]
    counter.failing = true
    expect(await drain(host, key, rule)).toBe(20)
    expect(host.failures).toHaveLength(1)
    expect(await drain(host, newKey(), rule)).toBe(20)
    expect(counter.questions).toBe(1)
    counter.failing = false
    time = 60_000
    await host.leases.take(key, rule)
    expect(counter.questions).toBe(2)
    const other = hostOf()
    expect((await other.leases.take(key, rule)).remaining).toBe(17)
  })

  it('is one that does not answer in time', async () => {
    const held = await database.pool.connect()
    const late = new PostgresCounter({ connectionString: database.url, timeoutMs: 200 })
    await held.query('begin; lock table rate_limit_counts')
    const host = hostOf({ counter: late })
    // The table is let go only afterwards.
    expect((await host.leases.take(newKey(), { points: 5, seconds: 60 })).admitted).toBe(true)
    expect(host.failures).toHaveLength(1)
    await held.query('rollback')
    held.release()
    await late.close()
  })

  it('is one that nobody listens at', async () => {
    const gone = new PostgresCounter({ connectionString: 'postgres://nobody@127.0.0.1:1/none', timeoutMs: 200 })
    const host = hostOf({ counter: gone })
    expect(await drain(host, newKey(), { points: 5, seconds: 60 })).toBe(5)
    expect(host.failures).toHaveLength(1)
    await gone.close()
  })
})

describe('the table', () => {
  it('is unlogged', async () => {
    const { rows } = await database.pool.query(
      `select relpersistence from pg_class where relname = 'rate_limit_counts'`,
    )
    expect(rows).toEqual([{ relpersistence: 'u' }])
  })

  it('loses the counts of windows that ended a minute ago', async () => {
    await database.pool.query(
      `insert into rate_limit_counts values ('ended', 1, $1), ('ending', 1, $2), ('open', 1, $3)`,
      [Date.now() - 61_000, Date.now() - 1_000, Date.now() + 60_000],
    )
    await removeEnded(database.pool)
    const { rows } = await database.pool.query(
      `select key from rate_limit_counts where key in ('ended', 'ending', 'open') order by key`,
    )
    expect(rows).toEqual([{ key: 'ending' }, { key: 'open' }])
  })
})
