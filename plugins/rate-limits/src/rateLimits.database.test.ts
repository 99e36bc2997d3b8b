import 'reflect-metadata'
import { CLOCK, environmentOf } from '@causeway/core'
import { PromMetrics } from '@causeway/core/host'
import {
  type Caller,
  defineRoute,
  ENVIRONMENT,
  type IntegratorAuth,
  invalidApiKey,
  type Job,
  LOGGER,
  METRICS,
  POOL,
  RATE_LIMITER,
  type Route,
  validator,
} from '@causeway/core/plugin'
import { createTestDatabase, startTestServer, type TestDatabase, type TestServer } from '@causeway/core/testing'
import { Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { container as root } from 'tsyringe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import plugin from './index.js'
import { type RateLimitOptions, rateLimitOptions } from './options.js'

let database: TestDatabase
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: plugin.name, migrations: plugin.migrations ?? [] }] })
})

afterAll(async () => {
  for (const close of closing) await close()
  await database.drop()
})

/** Any key that begins with `key`, `top` or `proxied` is valid; those of `top` are elevated. */
const auth: IntegratorAuth = {
  authenticate: async (apiKey): Promise<Caller> => {
    if (apiKey === undefined) return { kind: 'anonymous' }
    const kind = /^(key|top|proxied)/.exec(apiKey)?.[1]
    if (kind === undefined) throw invalidApiKey()
    const known = { integratorId: 'acme', apiKeyId: apiKey, keyName: null, elevated: kind === 'top' }
    return { kind: 'integrator', ...known, proxied: kind === 'proxied' }
  },
}

const body = Type.Object({ wallet: Type.String(), signed: Type.Optional(Type.Boolean()) })
const get = (path: string, bucket: string, more: Partial<Route> = {}): Route =>
  defineRoute({
    method: 'GET',
    path,
    bucket,
    summary: '',
    auth: 'optional',
    responses: { 200: Type.Any() },
    handler: () => ({ ok: true }),
    ...more,
  })

const routes: readonly Route[] = [
  get('/status', 'status'),
  get('/lives', 'none'),
  get('/requests', 'requests'),
  get('/requests/v3', 'requests/v3'),
  get('/requests/v2', 'requests', {
    headers: () => ({ sunset: 'Tue, 24 Nov 2026 00:00:00 GMT' }),
    errorBody: ({ status, body: given }) => (status === 429 ? { ...given, successor: '/requests/v3' } : given),
  }),
  get('/things/:id', 'other'),
  defineRoute({
    method: 'POST',
    path: '/quote',
    bucket: 'quote',
    summary: '',
    auth: 'optional',
    errors: 'quote',
    body: Type.Object({ amount: Type.String() }),
    responses: { 200: Type.Any() },
    handler: () => ({ ok: true }),
  }),
  defineRoute({
    method: 'POST',
    path: '/authorize',
    bucket: 'other',
    subjectBucket: 'authorize',
    summary: '',
    auth: 'optional',
    body,
    responses: { 200: Type.Any() },
    handler: async ({ body: { wallet, signed = true }, limit }) => {
      if (signed) await limit(wallet)
      return { ok: true }
    },
  }),
]

interface Started {
  readonly server: TestServer
  readonly registry: Registry
  readonly log: string[]
  readonly jobs: readonly Job[]
}

/** A host of its own over the one database. */
const start = async (
  given: object = {},
  more: { at?: string; trustedProxies?: string[]; databaseUrl?: string } = {},
): Promise<Started> => {
  // A busy machine may be slow, which is not what is tested.
  const options = { storeTimeoutMs: 10_000, ...given }
  validator(rateLimitOptions, 'options')(options)
  const container = root.createChildContainer()
  const registry = new Registry()
  const log: string[] = []
  const at = Date.parse(more.at ?? '2026-08-01T00:00:00Z')
  container.registerInstance(POOL, database.pool)
  // CAST: of the pool only this is read.
  if (more.databaseUrl)
    container.register(POOL, { useValue: { options: { connectionString: more.databaseUrl } } as never })
  container.registerInstance(CLOCK, { now: () => at })
  container.registerInstance(ENVIRONMENT, environmentOf(process.env))
  container.registerInstance(LOGGER, pino({}, { write: (line: string) => void log.push(line) }))
  container.registerInstance(METRICS, new PromMetrics({ registry }))
  // CAST: just checked, and filled in.
  const context = { container, options: options as RateLimitOptions }
  await plugin.register?.({
    ...context,
    provide: (token, factory) => void container.registerInstance(token, factory(container)),
  })
  const server = await startTestServer(routes, {
    auth,
    rateLimiter: container.resolve(RATE_LIMITER),
    trustedProxies: more.trustedProxies ?? [],
  })
  closing.push(async () => {
    await server.close()
    await plugin.stop?.(context)
  })
  return { server, registry, log, jobs: plugin.jobs?.(context) ?? [] }
}

interface Sent {
  readonly key?: string
  readonly method?: string
  readonly body?: unknown
  readonly from?: string
}

const send = async ({ server }: Started, path: string, { key, method, body: sent, from }: Sent = {}) => {
  const answer = await fetch(`${server.server.url}${path}`, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text }
}

const statuses = async (host: Started, times: number, path: string, sent: Sent = {}): Promise<number[]> => {
  const found: number[] = []
  for (let call = 0; call < times; call += 1) found.push((await send(host, path, sent)).status)
  return found
}

const rule = (points: number, seconds = 60) => ({ points, seconds })
const limit = (bucket: string, points: number) => ({
  buckets: { [bucket]: { anonymous: rule(points), key: rule(points), elevated: rule(points) } },
})

/** Counts are shared by all tests, which call from one address: each takes addresses of its own. */
let networks = 0
const newAddress = () => `10.77.${networks >> 8}.${networks++ & 255}`
let made = 0
const newKey = (kind: 'key' | 'top' | 'proxied' = 'key') => `${kind}-of-tests-${made++}`
const behindProxy = { trustedProxies: ['127.0.0.0/8'] }

describe('a limited route', () => {
  it('says on every answer how much is left, and refuses in plain words with Retry-After (wire.md H.1)', async () => {
    const host = await start(limit('status', 2))
    const key = newKey()
    const [first, second, third] = [
      await send(host, '/status', { key }),
      await send(host, '/status', { key }),
      await send(host, '/status', { key }),
    ]
    const rate = ({ headers }: typeof first) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
    expect([first.status, ...rate(first)]).toEqual([200, '2', '1', '60'])
    expect([second.status, ...rate(second).slice(0, 2)]).toEqual([200, '2', '0'])
    expect([third.status, ...rate(third).slice(0, 2)]).toEqual([429, '2', '0'])
    expect(third.headers.get('retry-after')).toBe(rate(third)[2])
    expect(third.text).toMatch(/^\{"message":"Too many requests; try again in \d+ seconds","statusCode":429\}$/)
  })

  it('says so on refusals of every kind too', async () => {
    const host = await start(limit('quote', 9))
    const key = newKey()
    const answers = [
      await send(host, '/quote', { key, body: '{' }),
      await send(host, '/quote', { key, body: {} }),
      await send(host, '/quote', { key: 'unknown-key-of-tests', body: {} }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 401])
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBe('9')
  })

  it('of the quote family refuses with the message alone (wire.md 0.4)', async () => {
    const host = await start(limit('quote', 1))
    const sent = { key: newKey(), body: { amount: '1' } }
    expect(await statuses(host, 2, '/quote', sent)).toEqual([200, 429])
    const { text } = await send(host, '/quote', sent)
    expect(Object.keys(JSON.parse(text))).toEqual(['message', 'statusCode'])
  })

  it('refuses before it reads the body or tells a bad key (wire.md K.1 1)', async () => {
    const host = await start(limit('quote', 1), behindProxy)
    const from = newAddress()
    await send(host, '/quote', { from, body: { amount: '1' } })
    expect(await statuses(host, 1, '/quote', { from, key: 'unknown-key-of-tests', body: '{' })).toEqual([429])
  })

  it('counts every spelling of its path in one bucket; another case is another path', async () => {
    const host = await start(limit('other', 5))
    const key = newKey()
    const spellings = ['/things/a', '/things/a/', '/things/%61', '/things/%61?x=1', '//things/a']
    const found = []
    for (const path of spellings) found.push((await send(host, path, { key })).status)
    found.push((await send(host, '/things/a', { key, method: 'HEAD' })).status)
    expect(found).toEqual([200, 200, 200, 200, 404, 200])
    expect(await statuses(host, 1, '/things/b', { key })).toEqual([429])
    expect(await statuses(host, 1, '/things/a', { key, method: 'HEAD' })).toEqual([429])
    expect(await statuses(host, 1, '/things/%62/', { key })).toEqual([429])
    for (const path of ['/Things/a', '/%74hings/a']) {
      expect([404, 429]).toContain((await send(host, path, { key })).status)
    }
  })

  it('of the bucket none is never limited', async () => {
    const host = await start({ buckets: { other: { anonymous: rule(1) } } })
    const found = await Promise.all(Array.from({ length: 100 }, () => send(host, '/lives')))
    expect(found.every(({ status, headers }) => status === 200 && !headers.has('ratelimit-limit'))).toBe(true)
  })

  it('two hosts over one database together admit the limit', async () => {
    const hosts = [await start(limit('status', 30)), await start(limit('status', 30))] as const
    const key = newKey()
    const found = []
    for (let call = 0; call < 80; call += 1)
      found.push((await send(hosts[call % 2 ? 0 : 1], '/status', { key })).status)
    expect(found.filter((status) => status === 200)).toHaveLength(30)
    expect(found.slice(40)).not.toContain(200)
  })
})

describe('who is counted', () => {
  it('each key by itself, elevated ones with their own limit', async () => {
    const host = await start({ buckets: { status: { key: rule(1), elevated: rule(3) } } })
    expect(await statuses(host, 2, '/status', { key: newKey() })).toEqual([200, 429])
    expect(await statuses(host, 2, '/status', { key: newKey() })).toEqual([200, 429])
    expect(await statuses(host, 4, '/status', { key: newKey('top') })).toEqual([200, 200, 200, 429])
  })

  it('an invalid key against the address', async () => {
    const host = await start({ buckets: { status: { anonymous: rule(2) } } }, behindProxy)
    const from = newAddress()
    expect(await statuses(host, 1, '/status', { from })).toEqual([200])
    expect((await send(host, '/status', { from, key: 'unknown-key-1' })).status).toBe(401)
    expect((await send(host, '/status', { from, key: 'unknown-key-2' })).status).toBe(429)
    expect(await statuses(host, 1, '/status', { from })).toEqual([429])
  })

  it('without a key the address, whatever X-Forwarded-For an untrusted peer sends', async () => {
    const host = await start({ buckets: { 'requests/v3': { anonymous: rule(2) } } })
    const found = []
    for (let call = 0; call < 3; call += 1)
      found.push((await send(host, '/requests/v3', { from: newAddress() })).status)
    expect(found).toEqual([200, 200, 429])
  })

  it('behind a trusted proxy the address it tells, of which a client cannot choose its own', async () => {
    const host = await start({ buckets: { status: { anonymous: rule(1) } } }, behindProxy)
    const [one, two] = [newAddress(), newAddress()]
    expect(await statuses(host, 2, '/status', { from: one })).toEqual([200, 429])
    expect(await statuses(host, 2, '/status', { from: two })).toEqual([200, 429])
    expect(await statuses(host, 1, '/status', { from: `${newAddress()}, ${one}` })).toEqual([429])
  })

  it('IPv6 clients per /64', async () => {
    const host = await start({ buckets: { status: { anonymous: rule(2) } } }, behindProxy)
    const found = []
    for (const from of ['2001:db8:5:1::1', '2001:db8:5:1:ffff::2', '2001:db8:5:1::3', '2001:db8:5:2::1']) {
      found.push((await send(host, '/status', { from })).status)
    }
    expect(found).toEqual([200, 200, 429, 200])
  })

  it('a proxied caller by address, and the key as a whole', async () => {
    const host = await start({ proxiedMultiple: 2, buckets: { status: { key: rule(2) } } }, behindProxy)
    const key = newKey('proxied')
    expect(await statuses(host, 3, '/status', { key, from: newAddress() })).toEqual([200, 200, 429])
    expect(await statuses(host, 3, '/status', { key, from: newAddress() })).toEqual([200, 200, 429])
    expect(await statuses(host, 1, '/status', { key, from: newAddress() })).toEqual([429])
  })
})

describe('POST /authorize (wire.md H.1)', () => {
  const wallet = (digit: string) => ({ wallet: `0x${digit.repeat(40)}` })

  it('elevated keys: 5 of 60 s with one wallet in any case, 30 in all', async () => {
    const host = await start()
    const key = newKey('top')
    expect(await statuses(host, 5, '/authorize', { key, body: wallet('a') })).toEqual(Array(5).fill(200))
    expect(await statuses(host, 1, '/authorize', { key, body: wallet('A') })).toEqual([429])
    expect(await statuses(host, 1, '/authorize', { key: newKey('top'), body: wallet('a') })).toEqual([200])
    for (const digit of '1234') {
      expect(await statuses(host, 5, '/authorize', { key, body: wallet(digit) })).toEqual(Array(5).fill(200))
    }
    // The refused one counts for its caller too.
    expect(await statuses(host, 4, '/authorize', { key, body: wallet('5') })).toEqual(Array(4).fill(200))
    const refused = await send(host, '/authorize', { key, body: wallet('6') })
    expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([429, '30'])
  })

  it('others: 5 of 60 s with one wallet whoever asks, 20 per key or address', async () => {
    const host = await start({}, behindProxy)
    const [key, from] = [newKey(), newAddress()]
    expect(await statuses(host, 3, '/authorize', { key, body: wallet('b') })).toEqual(Array(3).fill(200))
    expect(await statuses(host, 3, '/authorize', { from, body: wallet('b') })).toEqual([200, 200, 429])
    for (const who of [{ key }, { from: newAddress() }]) {
      const found = []
      for (let call = 0; call < 25; call += 1) {
        found.push((await send(host, '/authorize', { ...who, body: { wallet: `${newKey()}` } })).status)
      }
      expect(found.filter((status) => status === 200)).toHaveLength('key' in who ? 17 : 20)
    }
  })

  it('calls that a wallet did not sign use up the limit of their caller alone (faults.md F153)', async () => {
    const host = await start({}, behindProxy)
    const [stranger, owner] = [newAddress(), newAddress()]
    const unsigned = { from: stranger, body: { ...wallet('d'), signed: false } }
    expect(await statuses(host, 21, '/authorize', unsigned)).toEqual([...Array(20).fill(200), 429])
    expect(await statuses(host, 6, '/authorize', { from: owner, body: wallet('d') })).toEqual([
      ...Array(5).fill(200),
      429,
    ])
  })

  it('the caller is counted before its key is checked (wire.md K.1 1)', async () => {
    const host = await start({}, behindProxy)
    const from = newAddress()
    const sent = { from, key: 'unknown-key-of-tests', body: wallet('c') }
    expect(await statuses(host, 21, '/authorize', sent)).toEqual([...Array(20).fill(401), 429])
  })

  it('a body that is no object, or names no wallet, counts for its caller', async () => {
    const host = await start()
    const key = newKey()
    const found = []
    for (const given of ['[]', 'null', '7', '{}', '{"wallet":7}']) {
      found.push((await send(host, '/authorize', { key, body: given })).headers.get('ratelimit-remaining'))
    }
    expect(found).toEqual(['19', '18', '17', '16', '15'])
  })
})

describe('GET /requests and /requests/v2 (wire.md H.1)', () => {
  it('share one bucket, that of /requests/v3 is its own', async () => {
    const host = await start(limit('requests', 3))
    const key = newKey('top')
    expect(await statuses(host, 2, '/requests', { key })).toEqual([200, 200])
    expect(await statuses(host, 2, '/requests/v2', { key })).toEqual([200, 429])
    expect(await statuses(host, 1, '/requests', { key })).toEqual([429])
    expect(await statuses(host, 1, '/requests/v3', { key })).toEqual([200])
  })

  it('elevated keys: 20 a second of /requests/v3, in a bucket that no other operation uses', async () => {
    const host = await start()
    const key = newKey('top')
    const rate = async (path: string) => {
      const { headers } = await send(host, path, { key })
      return ['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`))
    }
    expect(await rate('/requests')).toEqual(['10', '9'])
    expect(await rate('/requests/v3')).toEqual(['20', '19'])
    const started = performance.now()
    const found = await Promise.all(
      Array.from({ length: 60 }, () => send(host, '/requests/v3', { key: `${key}-full` })),
    )
    const seconds = Math.floor((performance.now() - started) / 1000) + 1
    const admitted = found.filter(({ status }) => status === 200).length
    expect(admitted).toBeGreaterThanOrEqual(20)
    expect(admitted).toBeLessThanOrEqual(20 * seconds)
  })

  it('v2 says nothing of limits and refuses in a body of its own', async () => {
    const host = await start(limit('requests', 1))
    const key = newKey()
    const [good, refused] = [await send(host, '/requests/v2', { key }), await send(host, '/requests/v2', { key })]
    expect([good.status, refused.status]).toEqual([200, 429])
    expect(JSON.parse(refused.text)).toEqual({
      message: 'Too many requests',
      successor: '/requests/v3',
      statusCode: 429,
    })
    for (const { headers } of [good, refused]) {
      expect(headers.get('sunset')).toBe('Tue, 24 Nov 2026 00:00:00 GMT')
      const told = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
      expect(told.filter((name) => headers.has(name))).toEqual([])
    }
  })

  it('v2 has half from 2026-09-01 and a quarter from 2026-10-01; what it refuses is not taken from /requests', async () => {
    const admitted = async (at: string) => {
      const host = await start(limit('requests', 8), { at })
      const key = newKey()
      const found = await statuses(host, 9, '/requests/v2', { key })
      const rest = await statuses(host, 9, '/requests', { key })
      return [found, rest].map((list) => list.filter((status) => status === 200).length)
    }
    expect(await admitted('2026-08-31T23:59:59Z')).toEqual([8, 0])
    expect(await admitted('2026-09-01T00:00:00Z')).toEqual([4, 4])
    expect(await admitted('2026-10-01T00:00:00Z')).toEqual([2, 6])
  })
})

describe('the store', () => {
  it('unreachable: calls are limited all the same, said once and counted, without its address', async () => {
    const databaseUrl = 'postgres://someone:secret-of-store@127.0.0.1:1/none'
    const host = await start(limit('status', 2), { databaseUrl })
    expect(await statuses(host, 3, '/status', { key: newKey() })).toEqual([200, 200, 429])
    expect(await statuses(host, 3, '/status', { key: newKey() })).toEqual([200, 200, 429])
    expect(host.log).toHaveLength(1)
    expect(host.log[0]).toContain('"code":"ECONNREFUSED"')
    expect(host.log[0]).not.toMatch(/secret-of-store|127\.0\.0\.1/)
    const text = await host.registry.metrics()
    expect(text).toMatch(/^causeway_rate_limit_store_failures_total [1-9]/m)
    expect(text).toContain('causeway_rate_limited_total{bucket="status",tier="key"} 2')
  })

  it('in Redis without its URL: does not start, and says what to set', async () => {
    await expect(start({ store: 'redis', redis: { env: 'NO_SUCH_VARIABLE' } })).rejects.toThrow(
      /environment variable NO_SUCH_VARIABLE is not set/,
    )
  })

  it('in memory: limits all the same, with no work in the background', async () => {
    const host = await start({ store: 'memory', ...limit('status', 2) })
    expect(await statuses(host, 3, '/status', { key: newKey() })).toEqual([200, 200, 429])
    expect(host.jobs).toEqual([])
  })

  it('in PostgreSQL is rid of what ended, until the host stops', async () => {
    const { jobs } = await start()
    await database.pool.query(`insert into rate_limit_counts values ('long ago', 1, 1)`)
    const stop = new AbortController()
    const running = jobs[0]?.run(stop.signal)
    await expect
      .poll(async () => (await database.pool.query(`select 1 from rate_limit_counts where key = 'long ago'`)).rowCount)
      .toBe(0)
    stop.abort()
    await running
  })
})
