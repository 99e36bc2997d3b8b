import { type Clock, ServiceError } from '@causeway/core'
import { coreMigrations, createLogger } from '@causeway/core/host'
import { type Caller, defineRoute, invalidApiKey, keepDayPartitions, tooManyRequests } from '@causeway/core/plugin'
import { createTestDatabase, startTestServer, type TestDatabase, type TestServer } from '@causeway/core/testing'
import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrations } from './migrations.js'
import { UsageCounter } from './usageCounter.js'
import { usageRoute } from './usageRoute.js'

const DAY_MS = 86_400_000
const NOON = Date.UTC(2030, 4, 10, 12, 0, 30)

const key = (apiKeyId: string, integratorId: string, proxied = false): Caller => ({
  kind: 'integrator',
  integratorId,
  apiKeyId,
  keyName: null,
  elevated: false,
  ...(proxied ? { proxied } : {}),
})
const keys: Readonly<Record<string, Caller>> = {
  'key-a1': key('a1', 'a'),
  'key-a2': key('a2', 'a'),
  'key-b1': key('b1', 'b'),
  'key-shop': key('a1', 'a', true),
}
const ownedKeyIds = async (caller: Caller, named: readonly string[]) =>
  named.map((name) => {
    const found = Object.entries(keys).find(([text, { apiKeyId }]: [string, Caller & { apiKeyId?: string }]) =>
      [text, apiKeyId].includes(name),
    )?.[1]
    if (found?.kind === 'integrator' && caller.kind === 'integrator' && found.integratorId === caller.integratorId) {
      return found.apiKeyId
    }
    throw new ServiceError('FORBIDDEN', 'Not your key')
  })

let now = NOON
const clock: Clock = { now: () => now }
let database: TestDatabase
let counters: readonly [UsageCounter, UsageCounter]
let server: TestServer
let limited = false

beforeAll(async () => {
  database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: '@causeway/plugin-usage', migrations },
    ],
  })
  const log = createLogger({ level: 'silent' })
  const counter = () => new UsageCounter({ pool: database.pool, clock, log, maxWaiting: 100 })
  counters = [counter(), counter()]
  const work = defineRoute({
    method: 'POST',
    path: '/work/:id',
    summary: 'Works or fails',
    bucket: 'other',
    auth: 'optional',
    errors: 'quote',
    params: Type.Object({ id: Type.String() }),
    body: Type.Object({ n: Type.Optional(Type.Number()) }),
    responses: { 200: Type.Unknown() },
    handler: ({ params: { id } }) => {
      if (id === 'none') throw new ServiceError('NO_QUOTES', 'none')
      if (id === 'down') throw new ServiceError('SERVICE_UNAVAILABLE', 'down')
      return {}
    },
  })
  server = await startTestServer(
    [work, usageRoute({ pool: database.pool, clock, ownership: { ownedKeyIds }, maxRows: 20 })],
    {
      auth: {
        authenticate: async (text) => {
          if (text === undefined) return { kind: 'anonymous' }
          const caller = keys[text]
          if (caller === undefined) throw invalidApiKey()
          return caller
        },
      },
      rateLimiter: {
        take: async ({ caller }) => {
          await caller().catch(() => undefined)
          return { headers: {}, ...(limited ? { refusal: tooManyRequests(1) } : {}) }
        },
      },
      callObservers: [counters[0]],
    },
  )
})
afterAll(async () => {
  await server?.close()
  await database?.drop()
})
beforeEach(async () => {
  now = NOON
  limited = false
  await counters[0].flush()
  await database.pool.query('truncate usage_counts')
})

const call = (path: string, apiKey?: string, body?: string) =>
  fetch(`${server.server.url}${path}`, {
    headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
const work = (id: string, apiKey?: string, body = '{}') => call(`/work/${id}`, apiKey, body)

interface Metric {
  readonly apiKey: string
  readonly timestamp: string
  readonly endpoint: string
  readonly statusCode: number
  readonly errorCode?: string
  readonly count: number
}

const usage = async (query = '', apiKey = 'key-a1') => {
  await counters[0].flush()
  const answer = await call(`/metrics/usage${query}`, apiKey)
  // CAST: the schema of the route.
  const body = (await answer.json()) as { readonly metrics: readonly Metric[]; readonly message: string }
  return { status: answer.status, ...body }
}
const rowsOf = (metrics: readonly Metric[]) =>
  metrics
    .filter(({ endpoint }) => endpoint !== '/metrics/usage')
    .map(({ apiKey, endpoint, statusCode, errorCode, count }) => [apiKey, endpoint, statusCode, errorCode, count])

describe('GET /metrics/usage (wire.md 4.13)', () => {
  it('counts per key, declared path, status, and errorCode on 400 alone; refusals of every check too', async () => {
    await Promise.all([work('1', 'key-a1'), work('2', 'key-a1'), work('3', 'key-a2')])
    await work('none', 'key-a1')
    await work('down', 'key-a1')
    await work('1', 'key-a1', '{')
    await work('1', 'key-a1', '{"n":"x"}')
    limited = true
    await work('1', 'key-a1')
    limited = false
    await Promise.all([work('1'), work('1', 'unknown'), call('/nowhere', 'key-a1')])
    const { metrics } = await usage()
    expect(rowsOf(metrics)).toEqual([
      ['a1', '/work/:id', 200, undefined, 2],
      ['a1', '/work/:id', 400, 'INVALID_REQUEST', 2],
      ['a1', '/work/:id', 400, 'NO_QUOTES', 1],
      ['a1', '/work/:id', 429, undefined, 1],
      ['a1', '/work/:id', 503, undefined, 1],
      ['a2', '/work/:id', 200, undefined, 1],
    ])
    expect(metrics[0]?.timestamp).toBe('2030-05-10T12:00:00.000Z')
  })

  it('two hosts add up, also while they write the same rows at once', async () => {
    const finished = { route: '/work/:id', method: 'POST', status: 200, errorCode: null }
    for (let round = 0; round < 10; round += 1) {
      for (const counter of counters) {
        for (const caller of Object.values(keys))
          for (let n = 0; n < 5; n += 1) counter.finished({ ...finished, caller })
      }
      await Promise.all(counters.map((counter) => counter.flush()))
    }
    // The key added for a browser counts with the key it is.
    expect(rowsOf((await usage()).metrics)).toEqual([
      ['a1', '/work/:id', 200, undefined, 200],
      ['a2', '/work/:id', 200, undefined, 100],
    ])
  })

  it('counts that cannot be written are written later', async () => {
    await work('1', 'key-a1')
    await database.pool.query('alter table usage_counts rename to hidden')
    await counters[0].flush()
    await database.pool.query('alter table hidden rename to usage_counts')
    expect(rowsOf((await usage()).metrics)).toEqual([['a1', '/work/:id', 200, undefined, 1]])
  })

  it('sums by minute of a day, hour of a week, day of two weeks', async () => {
    for (const ago of [0, 60_000, 2 * 3_600_000, 2 * DAY_MS, 10 * DAY_MS]) {
      now = NOON - ago
      await work('1', 'key-a1')
      await counters[0].flush()
    }
    now = NOON
    const times = async (granularity: string) =>
      (await usage(`?granularity=${granularity}`)).metrics
        .filter(({ endpoint }) => endpoint === '/work/:id')
        .map(({ timestamp, count }) => `${timestamp.slice(5, 16)} ${count}`)
    expect(await times('minutely')).toEqual(['05-10T10:00 1', '05-10T11:59 1', '05-10T12:00 1'])
    expect(await times('hourly')).toEqual(['05-08T12:00 1', '05-10T10:00 1', '05-10T11:00 1', '05-10T12:00 1'])
    expect(await times('daily')).toEqual(['04-30T00:00 1', '05-08T00:00 1', '05-10T00:00 3'])
    const start = Math.floor((NOON - 2 * DAY_MS) / 1000)
    const past = await usage(`?startTimestamp=${start}&endTimestamp=${start + 60}`)
    expect(rowsOf(past.metrics)).toEqual([['a1', '/work/:id', 200, undefined, 1]])
  })

  it('shows the keys asked for, by key or id; a foreign, unknown or proxied one is 403', async () => {
    await Promise.all([work('1', 'key-a1'), work('1', 'key-a2'), work('1', 'key-b1')])
    const one = [['a2', '/work/:id', 200, undefined, 1]]
    expect(rowsOf((await usage('?apiKey=a2')).metrics)).toEqual(one)
    expect(rowsOf((await usage('?apiKey=key-a2,a2')).metrics)).toEqual(one)
    expect(rowsOf((await usage('?apiKey=a2,key-a1')).metrics)).toHaveLength(2)
    expect((await usage('?apiKey=b1')).status).toBe(403)
    expect((await usage('?apiKey=a1,nobody')).status).toBe(403)
    expect((await usage('', 'key-shop')).status).toBe(403)
    expect((await call('/metrics/usage')).status).toBe(401)
  })

  it('refuses what cannot be meant: times, granularity, empty or more than 50 keys, too many rows', async () => {
    const many = Array.from({ length: 51 }, (_, at) => `k${at}`).join(',')
    const end = Math.floor(NOON / 1000)
    for (const query of [
      '?granularity=weekly',
      '?startTimestamp=-1',
      '?startTimestamp=1.5',
      `?endTimestamp=${'9'.repeat(15)}`,
      `?startTimestamp=${end}&endTimestamp=${end - 1}`,
      `?startTimestamp=${end - 86_401}&endTimestamp=${end}`,
      '?apiKey=',
      '?apiKey=a1,,a2',
      '?apiKey=a1&apiKey=a2',
      `?apiKey=${many}`,
    ]) {
      const { status, message } = await usage(query)
      expect([query, status, typeof message]).toEqual([query, 400, 'string'])
    }
    for (let minute = 0; minute < 21; minute += 1) {
      now = NOON - minute * 60_000
      await work('1', 'key-b1')
    }
    now = NOON
    const refused = await usage('', 'key-b1')
    expect([refused.status, refused.message]).toEqual([
      400,
      'There are more than 20 rows; ask for less time or fewer keys',
    ])
  })

  it('keeps partitions of days ahead of the clock and drops those of more than 15 days ago', async () => {
    const keep = (now: number) =>
      keepDayPartitions(database.pool, { table: 'usage_counts', column: 'minute', now, days: 15 })
    const days = async () => {
      const { rows } = await database.pool.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_counts'::regclass order by 1`,
      )
      return rows.map(({ name }) => name.slice('usage_counts_'.length))
    }
    await Promise.all([keep(NOON), keep(NOON)])
    expect(await days()).toEqual(['20300509', '20300510', '20300511', '20300512', '20300513', 'default'])
    await work('1', 'key-a1')
    await counters[0].flush()
    await keep(NOON + 15 * DAY_MS)
    expect((await days()).slice(0, 2)).toEqual(['20300510', '20300511'])
    const { rows } = await database.pool.query('select tableoid::regclass::text as part from usage_counts')
    expect(rows).toEqual([{ part: 'usage_counts_20300510' }])
    await keep(NOON + 16 * DAY_MS)
    expect((await days())[0]).toBe('20300511')
  })
})
