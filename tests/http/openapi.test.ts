import { request as httpRequest } from 'node:http'
import { openApiPath } from '@causeway/core/host'
import { HttpError, type IdempotentCalls, type Route, tooManyRequests } from '@causeway/core/plugin'
import { sendRaw, startTestServer } from '@causeway/core/testing'
import { DEFAULT_PLUGINS } from '@causeway/host'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiCall, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { until } from '../harness/until.js'
import { walletErrors } from '../sponsorship/walletErrors.js'
import { addressErrors } from './addressErrors.js'
import { dashboardErrors, foreignStatus, operatorSession, strangerStatus } from './dashboardErrors.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'

/** Nobody's funding wallet. */
const WALLET = `0x${'5a'.repeat(20)}`
const UNKNOWN_KEY = `cct_test_${'A'.repeat(43)}`
const UNKNOWN_ID = `0x${'ab'.repeat(32)}`

/** Keeps the answers of no call: every key was used before, for the same call or another. */
const usedKeys = (kind: 'running' | 'other-body'): IdempotentCalls => ({ begin: async () => ({ kind }) })

type Operation = Readonly<Record<string, unknown>>

let world: HttpWorld
let toDatabase: TcpProxy
let session: Readonly<Record<string, string>>
let document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** The default plugins that the harness does not have already. */
const defaultPlugins = () =>
  Object.fromEntries(
    DEFAULT_PLUGINS.map((name) => [name.replace('@causeway/plugin-', ''), {}] as const).filter(
      ([name]) => name !== 'solver',
    ),
  )

beforeAll(async () => {
  world = await startHttpWorld({
    plugins: () => ({
      ...defaultPlugins(),
      'api-keys': { maxKeysPerIntegrator: 2 },
      'rate-limits': { scale: 1_000 },
      // Served whatever the day is.
      'requests-v2': { sunsetAt: '2999-01-01' },
    }),
    balances: ({ chains: [{ chain, usdc }] }) => ({ chainId: chain.chainId, currency: usdc }),
    databaseUrl: async (own) => {
      const url = new URL(own)
      toDatabase = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
      url.host = `127.0.0.1:${toDatabase.port}`
      return url.toString()
    },
  })
  const { body } = await callApi(world.host.url, '/documentation/json')
  // CAST: the first test validates it.
  document = body as typeof document
  session = await operatorSession(world)
})
afterAll(async () => {
  await world?.close()
  await toDatabase?.cut()
})

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${openApiPath(path)}`
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
const operationOf = (route: Route): Operation => {
  const found = operations().find(({ name }) => name === nameOf(route))
  if (found === undefined) throw new Error(`${nameOf(route)} is not described`)
  return found.operation
}
const statusesOf = (operation: Operation): readonly number[] => Object.keys(Object(operation.responses)).map(Number)

describe('GET /documentation/json (wire.md 0.1)', () => {
  it('is a valid OpenAPI 3.1 document of the documented title and version', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Cross-chain solver', version: '1.0.0' } })
  })

  it('has its versions in its paths (Versioning 1)', () => {
    const versioned = ['/quote/v2', '/requests/v2', '/requests/v3', '/intents/status/v3', '/currencies/v2']
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/quote', ...versioned]))
  })

  it('may be kept for a while, and is not sent again to who has it', async () => {
    const first = await callApi(world.host.url, '/documentation/json')
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    const etag = first.headers.get('etag') ?? ''
    const second = await callApi(world.host.url, '/documentation/json', { headers: { 'if-none-match': etag } })
    expect([second.status, second.text]).toEqual([304, ''])
  })

  it('has every route of the host, and nothing else', () => {
    const names = world.host.routes.map(nameOf).sort()
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names)
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /quote/v2',
        'GET /integrators/quote-data',
        'GET /lives',
        'GET /documentation/json',
      ]),
    )
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operation } of operations()) expect(listAt(operation, 'tags').length).toBeGreaterThan(0)
  })

  it('says what needs a key from when on, and when what ends (wire.md H.7)', () => {
    const says = (method: string, path: string): string => textAt(Object(document.paths[path])[method], 'description')
    expect(says('post', '/quote/v2')).toContain('From 2026-10-02T00:00:00.000Z on every call needs an API key')
    for (const path of ['/quote', '/price']) expect(says('post', path)).toBe('A body with `referrer` needs an API key.')
    // The date of this deployment; 2026-11-24T00:00:00.000Z where nothing else is configured.
    expect(says('get', '/requests/v2')).toContain('From 2999-01-01T00:00:00.000Z on it answers 410')
    const deprecated = operations().filter(({ operation }) => operation.deprecated === true)
    expect(deprecated.map(({ name }) => name).toSorted()).toEqual(
      expect.arrayContaining(['GET /requests', 'GET /requests/v2']),
    )
    expect(deprecated.map(({ name }) => name)).not.toContain('POST /quote')
  })

  it('has every parameter that a route declares, and no reference to nothing', () => {
    for (const route of world.host.routes) {
      const described = listAt(operationOf(route), 'parameters').map((item) =>
        valueAt(item, 'name') === undefined ? textAt(item, '$ref') : `${textAt(item, 'in')} ${textAt(item, 'name')}`,
      )
      const declared = [
        ...Object.keys(Object(route.query?.properties)).map((name) => `query ${name}`),
        ...[...route.path.matchAll(/:(\w+)/g)].map(([, name]) => `path ${name}`),
        ...Object.keys(route.requestHeaders ?? {}).map((name) => `header ${name}`),
      ]
      expect([nameOf(route), described]).toEqual([nameOf(route), expect.arrayContaining(declared)])
      expect(valueAt(operationOf(route), 'requestBody') !== undefined).toBe(route.body !== undefined)
    }
    for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect([path, valueAt(document, path.replaceAll('/', '.')) !== undefined]).toEqual([path, true])
    }
  })

  it('says where a key is needed, taken, and not looked at', () => {
    const expected = { required: [{ apiKey: [] }], optional: [{}, { apiKey: [] }], none: [] }
    for (const route of world.host.routes) expect(operationOf(route).security).toEqual(expected[route.auth])
  })
})

/** A call that meets the checks before the handler, to be spoiled in one way. */
const callOf = (route: Route): ApiCall & { readonly method: string } => ({
  method: route.method,
  ...(route.body === undefined ? {} : { body: {} }),
})
const target = (route: Route, values = '1'): string => route.path.replace(/:\w+/g, values)

/** A parameter or body that no schema takes: a text with U+0000, a body that is no JSON. */
const malformed = async (route: Route): Promise<number> => {
  const behindSession = route.path.startsWith('/dashboard/')
  const call = { ...callOf(route), apiKey: world.host.apiKey, ...(behindSession ? { headers: session } : {}) }
  if (route.body !== undefined) return (await callApi(world.host.url, target(route), { ...call, body: '{' })).status
  const [name] = Object.keys(Object(route.query?.properties))
  if (name === undefined) return (await callApi(world.host.url, target(route, '%00'), call)).status
  return (await callApi(world.host.url, `${target(route)}?${name}=%00`, call)).status
}

/** A body that never ends. */
const slowBody = (url: string, route: Route): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': '10' }
    const request = httpRequest(`${url}${target(route)}`, { method: route.method, headers })
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    request.on('error', reject)
    request.write('{')
  })

/** The same routes in a service where one thing is broken. */
const brokenServers = async () => {
  const { routes } = world.host
  const crash = (): never => {
    throw new TypeError('x is not a function')
  }
  const retire = (): never => {
    throw new HttpError(410, 'Retired', { fields: { successor: '/next', migrationGuide: '/guide' } })
  }
  const auth = { authenticate: async () => ({ kind: 'anonymous' }) as const }
  const bare = routes.map(({ authorize: _a, preValidate: _p, body: _b, query: _q, params: _r, ...route }) => ({
    ...route,
    auth: 'none' as const,
  }))
  const added = {
    kind: 'integrator',
    integratorId: 'i',
    apiKeyId: 'k',
    keyName: null,
    elevated: false,
    proxied: true,
  } as const
  const [limited, down, crashing, retired, impatient, repeated, reused, proxied] = await Promise.all([
    startTestServer(routes, {
      auth,
      rateLimiter: { take: async () => ({ headers: {}, refusal: tooManyRequests(1) }) },
    }),
    startTestServer(routes, { auth, serviceUnavailable: () => true }),
    startTestServer(
      routes.map((route) => ({ ...route, auth: 'none' as const, authorize: crash })),
      { auth },
    ),
    startTestServer(
      routes.map((route) => ({ ...route, authorize: retire })),
      { auth },
    ),
    startTestServer(routes, { auth, limits: { bodyMilliseconds: 50 } }),
    startTestServer(bare, { auth, idempotentCalls: usedKeys('running') }),
    startTestServer(bare, { auth, idempotentCalls: usedKeys('other-body') }),
    startTestServer(routes, { auth: { authenticate: async () => added } }),
  ])
  return { limited, down, crashing, retired, impatient, repeated, reused, proxied }
}

describe('every documented error is reachable, and looks as documented', () => {
  let broken: Awaited<ReturnType<typeof brokenServers>>
  /** A quote of the tests' own integrator. */
  let stored: string
  let other: Awaited<ReturnType<HttpWorld['host']['createApiKey']>>

  beforeAll(async () => {
    broken = await brokenServers()
    const given = await postQuote(world, nativeBody(world), '/quote', world.host.apiKey)
    stored = textAt(given.body, 'requestId')
    other = await world.host.createApiKey('another integrator')
  })
  afterAll(() => Promise.all(Object.values(broken ?? {}).map((server) => server.close())))

  const at =
    (server: keyof typeof broken, headers: Readonly<Record<string, string>> = {}) =>
    async (route: Route): Promise<number> =>
      (await callApi(broken[server].server.url, target(route), { ...callOf(route), headers })).status

  /** What the checks before the handler answer, and failures of ours. */
  const COMMON: Readonly<Record<number, (route: Route) => Promise<number>>> = {
    400: malformed,
    401: async (route) =>
      route.auth === 'none'
        ? strangerStatus(world, route.method, target(route))
        : (await callApi(world.host.url, target(route), { ...callOf(route), apiKey: UNKNOWN_KEY })).status,
    403: (route) => foreignStatus(world, route.method, target(route)),
    408: (route) => slowBody(broken.impatient.server.url, route),
    409: at('repeated', { 'idempotency-key': 'a' }),
    410: at('retired'),
    413: async (route) =>
      (
        await sendRaw(`${world.host.url}${target(route)}`, {
          method: route.method,
          headers: { 'content-length': '300000' },
        })
      ).status,
    415: async (route) => {
      const headers = { 'content-type': 'text/plain', 'content-length': '3' }
      return (await sendRaw(`${world.host.url}${target(route)}`, { method: route.method, headers, body: 'a=b' })).status
    },
    422: at('reused', { 'idempotency-key': 'a' }),
    429: at('limited'),
    500: at('crashing'),
    503: at('down'),
  }

  /** Statuses of the server itself, alike for operations of one kind. */
  const SHARED: ReadonlySet<number> = new Set([408, 409, 410, 413, 415, 422, 429, 500, 503])

  /** Members of an operation that the server reads before its handler runs. */
  const kindOf = ({ method, auth, body, query, authorize }: Route): string =>
    [method, auth, body !== undefined, query !== undefined, authorize !== undefined].join()

  /** With a key that was added for a browser. */
  const proxied = async (method: string, path: string): Promise<number> => {
    const { url } = broken.proxied.server
    return (await callApi(`${url}`, path, { method, ...(['GET', 'DELETE'].includes(method) ? {} : { body: {} }) }))
      .status
  }

  const get = async (path: string, apiKey?: string) =>
    (await callApi(world.host.url, path, apiKey === undefined ? {} : { apiKey })).status

  const setMetadata = async (requestId: string, apiKey: string) => {
    const body = { requestId, additionalMetadata: { moonpayId: 'x' } }
    return (await callApi(world.host.url, '/requests/metadata', { body, apiKey })).status
  }

  const fastFill = async (requestId: string, apiKey: string) =>
    (await callApi(world.host.url, '/fast-fill', { body: { requestId }, apiKey })).status

  const origin = () => world.network.chains[0].chain.chainId

  /** What an operation answers of its own; a documented one without a row here fails the test. */
  const own = (): Readonly<Record<string, () => Promise<number>>> => ({
    ...dashboardErrors(world, () => session),
    ...addressErrors(world, () => stored),
    ...walletErrors(world, proxied),
    'GET / 404': () => get('/'),
    'GET /intents/status 404': () => get(`/intents/status?requestId=${UNKNOWN_ID}`),
    'GET /intents/status/v2 404': () => get(`/intents/status/v2?requestId=${UNKNOWN_ID}`),
    'GET /intents/status/v3 404': () => get(`/intents/status/v3?requestId=${UNKNOWN_ID}`),
    'GET /track/api/{id} 401': () => get(`/track/api/${WALLET}`),
    'GET /track/api/{id} 404': () => get(`/track/api/${UNKNOWN_ID}`),
    'GET /transactions/status 404': () => get(`/transactions/status?chainId=${origin()}&txHash=${UNKNOWN_ID}`),
    'POST /transactions/index 404': async () => {
      const body = { chainId: origin(), txHash: UNKNOWN_ID }
      return (await callApi(world.host.url, '/transactions/index', { body })).status
    },
    'GET /integrators/quote-data 403': () => get(`/integrators/quote-data?requestId=${stored}`, other.apiKey),
    'GET /integrators/quote-data 404': () => get(`/integrators/quote-data?requestId=${UNKNOWN_ID}`, world.host.apiKey),
    'GET /requests/v2 403': () => get(`/requests/v2?apiKey=${other.apiKey}`, world.host.apiKey),
    'GET /requests/{requestId}/signature 404': () => get(`/requests/${UNKNOWN_ID}/signature`),
    'GET /requests/{requestId}/signature/v2 404': () => get(`/requests/${UNKNOWN_ID}/signature/v2`),
    'GET /requests/v3 403': () => get(`/requests/v3?apiKey=${other.apiKey}`, world.host.apiKey),
    'POST /requests/metadata 403': () => setMetadata(stored, other.apiKey),
    'POST /requests/metadata 404': () => setMetadata(UNKNOWN_ID, other.apiKey),
    'POST /fast-fill 403': () => fastFill(stored, other.apiKey),
    'POST /fast-fill 404': () => fastFill(UNKNOWN_ID, world.host.apiKey),
    'GET /balance-events/{wallet} 403': () => get(`/balance-events/${WALLET}`, world.host.apiKey),
    'GET /balance-statements/{wallet} 403': () => get(`/balance-statements/${WALLET}`, world.host.apiKey),
    'GET /balance-statements/{wallet}/csv 403': () => get(`/balance-statements/${WALLET}/csv`, world.host.apiKey),
    'GET /metrics/usage 403': () => get(`/metrics/usage?granularity=hourly&apiKey=${other.id}`, world.host.apiKey),
    'GET /lives 503': async () => {
      await toDatabase.cut()
      try {
        return await until('health to say so', async () => ((await get('/lives')) === 503 ? 503 : null))
      } finally {
        await toDatabase.restore()
      }
    },
  })

  it('by a call to each operation, and to one of each kind for what is checked before any handler', async () => {
    const rows = own()
    const unreached: string[] = []
    const reach = async (name: string, status: number, call: () => Promise<number>): Promise<void> => {
      const reached = await call()
      if (reached !== status) unreached.push(`${name} (got ${reached})`)
    }
    const reachedKinds = new Set<string>()
    for (const route of world.host.routes) {
      const shared: Promise<void>[] = []
      for (const status of statusesOf(operationOf(route)).filter((item) => item >= 400)) {
        const name = `${nameOf(route)} ${status}`
        const row = rows[name]
        const kind = SHARED.has(status) ? `${kindOf(route)} ${status}` : name
        if (row !== undefined) await reach(name, status, row)
        else if (!reachedKinds.has(kind)) {
          reachedKinds.add(kind)
          shared.push(reach(name, status, async () => COMMON[status]?.(route) ?? 0))
        }
      }
      await Promise.all(shared)
    }
    expect(unreached).toEqual([])
  })

  it('and no row is left of an operation that is gone', () => {
    const documented = world.host.routes.flatMap((route) =>
      statusesOf(operationOf(route)).map((status) => `${nameOf(route)} ${status}`),
    )
    expect(documented).toEqual(expect.arrayContaining(Object.keys(own())))
  })
})
