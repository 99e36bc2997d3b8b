import 'reflect-metadata'
import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import { coreMigrations, EnvironmentKeys } from '@causeway/core/host'
import {
  type Caller,
  CHAINS,
  ChainRegistry,
  DEPLOYMENT,
  HttpError,
  type IntegratorAuth,
  invalidApiKey,
  KEY_OWNERSHIP,
  KEYS,
  POOL,
  type RateLimiter,
  SEARCH_POOL,
  tooManyRequests,
} from '@causeway/core/plugin'
import { createTestDatabase, startTestServer, type TestDatabase } from '@causeway/core/testing'
import { Value } from '@sinclair/typebox/value'
import { pino } from 'pino'
import { container as root } from 'tsyringe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import plugin from './index.js'
import { type RequestsV2Options, requestsV2Options } from './options.js'

const SIGNALS = ['deprecation', 'sunset', 'link']
const LINK =
  '</requests/v2/migration>; rel="deprecation", </requests/v2/migration>; rel="sunset", </requests/v3>; rel="successor-version"'
const MOVED = { successor: '/requests/v3', migrationGuide: '/requests/v2/migration' }

let database: TestDatabase
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(async () => {
  for (const close of closing) await close()
  await database.drop()
})

/** No key is valid. */
const auth: IntegratorAuth = {
  authenticate: async (apiKey): Promise<Caller> => {
    if (apiKey !== undefined) throw invalidApiKey()
    return { kind: 'anonymous' }
  },
}
const refuseAll: RateLimiter = {
  take: async () => ({ headers: {}, refusal: new HttpError(429, 'Too many requests') }),
}

interface Started {
  readonly at?: string
  readonly options?: Partial<RequestsV2Options>
  readonly rateLimiter?: RateLimiter
  readonly unavailable?: boolean
  readonly broken?: boolean
}

/** A host of its own, at a pinned time. */
const start = async ({ at = '2026-10-15T12:00:00Z', options = {}, ...more }: Started = {}) => {
  const container = root.createChildContainer()
  const pool = more.broken ? Object.assign(Object.create(database.pool), { query: 'none' }) : database.pool
  container.register(POOL, { useValue: pool })
  container.register(SEARCH_POOL, { useValue: pool })
  container.register(CHAINS, { useValue: new ChainRegistry([]) })
  container.register(CURRENCIES, {
    useValue: { find: () => undefined, native: () => undefined, ofChain: () => [], all: () => [] },
  })
  container.register(DEPLOYMENT, { useValue: { network: 'testnet', serviceName: 'relay', version: '1.0.0' } })
  container.register(KEYS, { useValue: new EnvironmentKeys(new Map([['master', `0x${'5a'.repeat(32)}`]])) })
  container.register(PRICES, { useValue: { get: async () => [] } })
  container.register(KEY_OWNERSHIP, {
    useValue: {
      ownedKeyIds: async () => {
        throw new HttpError(403, 'Not a key of yours')
      },
      keyNames: async () => new Map(),
    },
  })
  container.register(CLOCK, { useValue: { now: () => Date.parse(at) } })
  const context = { container, options: Value.Default(requestsV2Options, { ...options }) as RequestsV2Options }
  const routes = plugin.routes?.(context) ?? []
  const { server, close } = await startTestServer(routes, {
    auth,
    log: pino({ level: 'silent' }),
    ...(more.rateLimiter === undefined ? {} : { rateLimiter: more.rateLimiter }),
    ...(more.unavailable === undefined ? {} : { serviceUnavailable: () => true }),
  })
  closing.push(close)
  return (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })
}

const signalsOf = ({ headers }: Response) => SIGNALS.map((name) => headers.get(name))
const TOLD = ['@1784678400', 'Tue, 24 Nov 2026 00:00:00 GMT', LINK]

describe('GET /requests/v2 says that it ends (wire.md 3.3)', () => {
  it('200: Deprecation, Sunset and Link with three relations; the body has deprecation', async () => {
    const answer = await (await start())('/requests/v2')
    expect([answer.status, signalsOf(answer)]).toEqual([200, TOLD])
    expect(await answer.json()).toEqual({
      requests: [],
      deprecation: {
        message: expect.stringContaining('deprecated'),
        deprecatedAt: '2026-07-22T00:00:00.000Z',
        throttledFrom: '2026-09-01T00:00:00.000Z',
        sunsetAt: '2026-11-24T00:00:00.000Z',
        ...MOVED,
      },
    })
  })

  it('the three headers are exposed by CORS', async () => {
    const answer = await (await start())('/requests/v2', { origin: 'https://app.example' })
    const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
    for (const name of SIGNALS) expect(exposed).toContain(name)
  })

  it('400, 401, 403: the headers are there, the body is {message}', async () => {
    const call = await start()
    for (const [path, status, headers] of [
      ['/requests/v2?limit=0', 400, {}],
      ['/requests/v2?continuation=x', 400, {}],
      ['/requests/v2', 401, { 'x-api-key': 'wrong' }],
      ['/requests/v2?apiKey=k', 403, {}],
    ] as const) {
      const answer = await call(path, headers)
      expect([path, answer.status, signalsOf(answer)]).toEqual([path, status, TOLD])
      expect(Object.keys((await answer.json()) as object)).toEqual(['message', 'statusCode'])
    }
  })

  it('429: the headers are there, the body is {message, successor, migrationGuide}, and there is no Retry-After', async () => {
    const answer = await (await start({ rateLimiter: refuseAll }))('/requests/v2')
    expect([answer.status, signalsOf(answer), answer.headers.has('retry-after')]).toEqual([429, TOLD, false])
    expect(await answer.json()).toEqual({ message: expect.any(String), ...MOVED })
  })

  it('500 and 503: the headers are there', async () => {
    for (const [more, status] of [
      [{ broken: true }, 500],
      [{ unavailable: true }, 503],
    ] as const) {
      const answer = await (await start(more))('/requests/v2')
      expect([answer.status, signalsOf(answer)]).toEqual([status, TOLD])
    }
  })

  it('dates, successor and guide are configuration', async () => {
    const options = {
      deprecatedAt: '2030-01-01',
      throttledFrom: '2030-02-01',
      sunsetAt: '2030-03-01T12:00:00Z',
      successor: 'https://api.example/requests/v3',
      migrationGuide: 'https://docs.example/move',
    }
    const answer = await (await start({ at: '2026-12-24T00:00:00Z', options }))('/requests/v2')
    expect(answer.status).toBe(200)
    expect(signalsOf(answer)).toEqual([
      '@1893456000',
      'Fri, 01 Mar 2030 12:00:00 GMT',
      '<https://docs.example/move>; rel="deprecation", <https://docs.example/move>; rel="sunset", <https://api.example/requests/v3>; rel="successor-version"',
    ])
    const { successor, migrationGuide } = options
    expect(await answer.json()).toMatchObject({
      deprecation: { sunsetAt: '2030-03-01T12:00:00.000Z', successor, migrationGuide },
    })
  })

  it('the guide is there, also after the end', async () => {
    const answer = await (await start({ at: '2027-01-01T00:00:00Z' }))(MOVED.migrationGuide)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ changes: expect.arrayContaining(['x-api-key is required.']) })
  })
})

describe('GET /requests/v2 is retired on 2026-11-24 (Versioning 2; wire.md H.1, K.3 6)', () => {
  it.each(['2026-07-22T00:00:00Z', '2026-09-01T00:00:00Z', '2026-11-23T23:59:59.999Z'])('%s: served', async (at) => {
    const answer = await (await start({ at }))('/requests/v2')
    expect([answer.status, signalsOf(answer)]).toEqual([200, TOLD])
  })

  it.each(['2026-11-24T00:00:00Z', '2027-03-01T00:00:00Z'])('%s: 410 with the headers', async (at) => {
    const call = await start({ at })
    for (const [path, headers] of [
      ['/requests/v2', {}],
      ['/requests/v2?limit=0', {}],
      ['/requests/v2', { 'x-api-key': 'wrong' }],
    ] as const) {
      const answer = await call(path, headers)
      expect([answer.status, signalsOf(answer)]).toEqual([410, TOLD])
      expect(await answer.json()).toEqual({ message: expect.stringContaining('retired'), ...MOVED, statusCode: 410 })
    }
  })

  it('GET /requests goes on, without any of it (wire.md 3.4, K.3 6)', async () => {
    const answer = await (await start({ at: '2027-03-01T00:00:00Z' }))('/requests')
    expect([answer.status, signalsOf(answer)]).toEqual([200, [null, null, null]])
    expect(await answer.json()).toEqual({ requests: [] })
    const limited = await (
      await start({ rateLimiter: { take: async () => ({ headers: {}, refusal: tooManyRequests(3) }) } })
    )('/requests')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3'])
    expect(Object.keys((await limited.json()) as object)).toEqual(['message', 'statusCode'])
  })
})

describe('GET /requests/{requestId}/signature and /signature/v2 were removed (Versioning 5; wire.md 2.13)', () => {
  it.each(['2026-08-01T00:00:00Z', '2026-12-01T00:00:00Z'])('%s: 404 {message} with and without a key', async (at) => {
    const call = await start({ at })
    for (const id of [`0x${'ab'.repeat(32)}`, 'anything', '%20', '%00']) {
      for (const path of [`/requests/${id}/signature`, `/requests/${id}/signature/v2`]) {
        for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
          const answer = await call(path, headers)
          expect([path, answer.status]).toEqual([path, 404])
          expect(await answer.json()).toEqual({
            message: expect.stringContaining('includeProtocolData'),
            statusCode: 404,
          })
        }
      }
    }
  })
})
