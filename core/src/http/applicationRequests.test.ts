import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../testing/sendRaw.js'
import { createApplication } from './application.js'
import { createLogger } from './logging/logger.js'
import { defineRoute } from './route.js'
import { Any, fieldsOf, startTestedApplication, type TestedApplication } from './testedApplication.test.support.js'
import { startTestServer } from './testServer.js'

let app: TestedApplication
let url: string

beforeAll(async () => {
  app = await startTestedApplication()
  url = app.url
})
afterAll(() => app?.close())

const post: TestedApplication['post'] = (...call) => app.post(...call)

describe('error bodies (wire.md 0.4)', () => {
  const bodies = async (how: string) => {
    const families = ['plain', 'quote', 'execute'] as const
    return Promise.all(
      families.map(async (family) => {
        const answer = await fetch(`${url}/fail/${family}/${how}`, { headers: { 'x-request-id': 'trace-1' } })
        return [answer.status, await answer.json()]
      }),
    )
  }
  it('shows a service error in each family, its data to quotes only', async () => {
    const data = {
      errorData: { a: 1 },
      approxSimulatedBlock: 7,
      failedCallData: { from: '0x', to: '0x', data: '0x', value: '0' },
    }
    expect(await bodies('service')).toEqual([
      [400, { message: 'No quote', statusCode: 400 }],
      [400, { message: 'No quote', errorCode: 'NO_QUOTES', ...data, statusCode: 400 }],
      [400, { error: 'No quote', statusCode: 400 }],
    ])
    expect((await bodies('busy'))[1]).toEqual([
      503,
      { message: 'Busy', errorCode: 'SERVICE_UNAVAILABLE', statusCode: 503 },
    ])
    expect((await bodies('unknown'))[1]).toEqual([
      500,
      { message: 'Lost', errorCode: 'UNKNOWN_ERROR', requestId: '0xabc', statusCode: 500 },
    ])
  })
  it('shows HTTP errors in each family', async () => {
    expect(await bodies('conflict')).toEqual([
      [409, { message: 'Already there', at: 1, statusCode: 409 }],
      [409, { message: 'Already there', at: 1, statusCode: 409 }],
      [409, { error: 'Already there', at: 1, statusCode: 409 }],
    ])
    expect((await bodies('limited'))[1]).toEqual([429, { message: 'Too many requests', statusCode: 429 }])
  })
  it('shows nothing of an unexpected error but the request id', async () => {
    const message = 'Something went wrong on our side; when you report it, quote request id trace-1'
    const expected = [
      [500, { message, statusCode: 500 }],
      [500, { message, errorCode: 'UNKNOWN_ERROR', requestId: 'trace-1', statusCode: 500 }],
      [500, { error: message, statusCode: 500 }],
    ]
    expect(await bodies('crash')).toEqual(expected)
    expect(await bodies('thrown')).toEqual(expected)
  })
  it('lets a route shape its own', async () => {
    const answer = await fetch(`${url}/coded`)
    expect([answer.status, await answer.json()]).toEqual([400, { message: 'No', code: 'E400', statusCode: 400 }])
  })
})

describe('paths and methods (wire.md H.6)', () => {
  it('answers 404 for an unknown path and 405 with Allow for a wrong method', async () => {
    const unknown = await fetch(`${url}/nowhere`)
    expect([unknown.status, await unknown.json()]).toEqual([404, { message: 'There is no such path', statusCode: 404 }])
    const wrong = await fetch(`${url}/keyed`, { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, PUT, OPTIONS'])
    expect(await fieldsOf(wrong)).toEqual(['message', 'statusCode'])
  })
  it('names the nearest path, by another version, a typing error or a plural, and none where all are far', async () => {
    const messageOf = async (path: string) => {
      const answer = await fetch(`${url}${path}`)
      return [answer.status, Object((await answer.json()) as object).message]
    }
    const near = (route: string) => [404, `There is no such path; did you mean ${route}?`]
    expect(await messageOf('/ordred')).toEqual(near('POST /ordered'))
    expect(await messageOf('/ordered/v7')).toEqual(near('POST /ordered'))
    expect(await messageOf('/thing/0x01')).toEqual(near('GET /things/{id}'))
    expect(await messageOf(`/${'ordered'.repeat(30)}`)).toEqual([404, 'There is no such path'])
  })
  it('tolerates a trailing slash, answers HEAD and prefers a literal path', async () => {
    expect((await fetch(`${url}/who/`)).status).toBe(200)
    const head = await fetch(`${url}/who`, { method: 'HEAD' })
    expect([head.status, Number(head.headers.get('content-length')) > 0, await head.text()]).toEqual([200, true, ''])
    expect(await (await fetch(`${url}/things/all`)).json()).toEqual({ all: true })
  })
  it('answers a path with two slashes in a row by 404 that names the path (faults.md F169)', async () => {
    for (const [method, path, declared] of [
      ['GET', '//who', '/who'],
      ['POST', '//ordered', '/ordered'],
      ['GET', `/things//0x${'ab'.repeat(32)}`, '/things/:id'],
    ] as const) {
      const answer = await sendRaw(url, { method, path })
      const message = `There is no such path: two slashes follow each other. Call ${declared}, and remove the slash at the end of the base address.`
      expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { message, statusCode: 404 }])
    }
    const unknown = await sendRaw(url, { method: 'GET', path: '//nowhere' })
    expect([unknown.status, JSON.parse(unknown.text).message]).toEqual([404, 'There is no such path'])
  })
  it('serves beneath a prefix', async () => {
    const prefixed = await startTestServer(app.routes, { prefix: '/api' })
    expect((await fetch(`${prefixed.server.url}/api/who`)).status).toBe(200)
    expect((await fetch(`${prefixed.server.url}/who`)).status).toBe(404)
    await prefixed.close()
  })
  it('refuses two routes in one place', () => {
    const one = defineRoute({
      method: 'GET',
      path: '/a/:x',
      summary: '',
      bucket: 'none',
      auth: 'none',
      responses: { 200: Any },
      handler: () => ({}),
    })
    const log = createLogger({ level: 'silent' })
    expect(() => createApplication({ routes: [one, { ...one, path: '/a/:y' }], log })).toThrow(
      'Two routes are declared for GET /a/:y',
    )
  })
  it('survives request targets that are no paths', async () => {
    for (const path of [
      '*',
      'http://[',
      '//',
      '/%',
      '/things/%E0%A4%A',
      '/?%',
      '/who?__proto__[x]=1',
      '/%00',
      '/who#x',
    ]) {
      const answer = await sendRaw(url, { method: 'GET', path })
      expect(answer.status, path).toBeLessThan(500)
    }
  })
})

describe('query and path', () => {
  const id = `0x${'aB'.repeat(32)}`
  const get = async (query: string, of = id) => {
    const answer = await fetch(`${url}/things/${of}?${query}`)
    return [answer.status, (await answer.json()) as { message?: string; query?: unknown }] as const
  }
  it('reads decimal text, booleans, lists and defaults; unknown parameters are ignored (wire.md 0.1)', async () => {
    expect((await get('referrer=x&referrer=y'))[1].query).toEqual({ limit: 20 })
    const all = await get('limit=5&deep=true&ratio=-1.5&kind=a&ids=1&ids=2')
    expect(all[1].query).toEqual({ limit: 5, deep: true, ratio: -1.5, kind: 'a', ids: [1, 2] })
    expect((await get('ids=7'))[1].query).toEqual({ limit: 20, ids: [7] })
  })
  it.each([
    'limit=1e3',
    'limit=0x10',
    'limit=',
    'limit=%201',
    'limit=05',
    'limit=1.5',
    'limit=51',
    'limit=NaN',
    'limit=+5',
    'limit=9999999999999999999999',
    'deep=1',
    'kind=c',
    'ids=x',
    'limit=1&limit=2',
  ])('refuses %s with 400 (wire.md H.6)', async (query) => {
    const [status, body] = await get(query)
    expect(status).toBe(400)
    expect(body.message).toMatch(/^query\.(limit|deep|kind|ids)/)
  })
  it('names a bad path parameter without repeating it', async () => {
    expect(await get('', 'x'.repeat(3000))).toEqual([
      400,
      { message: 'path.id must be 0x and 64 hex digits', statusCode: 400 },
    ])
    expect((await get('kind=c'))[1]).toEqual({ message: 'query.kind must be one of a, b', statusCode: 400 })
  })
})

describe('amounts (faults.md F75)', () => {
  it.each([
    '-1',
    '1e18',
    '0x10',
    ' 1',
    '1.0',
    '1_000',
    '٣',
    '',
    '01',
    '9'.repeat(79),
    '9'.repeat(100_000),
    '1\n',
    1,
    null,
    true,
    {},
    ['1'],
  ])('refuses %j', async (amount) => {
    const answer = await post('/ordered', { amount })
    expect([answer.status, ((await answer.json()) as { errorCode: unknown }).errorCode]).toEqual([
      400,
      'INVALID_REQUEST',
    ])
  })
  it('accepts 0 (refused later as too low) and 78 digits', async () => {
    expect((await post('/ordered', { amount: '0' })).status).toBe(200)
    expect((await post('/ordered', { amount: '9'.repeat(78) })).status).toBe(200)
  })
})

describe('headers', () => {
  it('answers preflights with 204 and the allowed headers (wire.md H.6, K.5 3)', async () => {
    const answer = await fetch(`${url}/ordered`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.b', 'access-control-request-method': 'POST' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-max-age')).toBe('600')
    expect(answer.headers.get('access-control-allow-headers')).toEqual(
      expect.stringMatching(/^content-type, x-api-key, relay-sdk-version, relay-kit-ui-version, x-request-id/),
    )
  })
  it.each([
    'content-type,sentry-trace,baggage',
    'traceparent, tracestate, x-datadog-trace-id, newrelic, x-requested-with, cache-control',
  ])('allows the headers that a preflight asks for: %s (faults.md F169)', async (names) => {
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': names }
    const answer = await sendRaw(`${url}/ordered`, { method: 'OPTIONS', headers })
    expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([204, names])
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })
  it('does not repeat header names that are none', async () => {
    for (const names of ['<script>', 'x'.repeat(3_000), 'a"b']) {
      const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': names }
      const answer = await sendRaw(`${url}/ordered`, { method: 'OPTIONS', headers })
      expect(answer.headers['access-control-allow-headers']).toMatch(/^content-type, x-api-key/)
    }
  })
  it('exposes deprecation, rate and tracing headers on every answer, errors too', async () => {
    for (const path of ['/who', '/nowhere', '/fail/plain/crash']) {
      const exposed = (await fetch(url + path)).headers.get('access-control-expose-headers')
      for (const name of ['Deprecation', 'Sunset', 'Link', 'RateLimit-Remaining', 'Retry-After', 'X-Request-Id'])
        expect(exposed).toContain(name)
    }
  })
  it('keeps a plain request id and replaces any other', async () => {
    const idOf = async (given: string) =>
      (await fetch(`${url}/who`, { headers: { 'x-request-id': given } })).headers.get('x-request-id')
    expect(await idOf('abc-1')).toBe('abc-1')
    for (const bad of ['a b', 'x'.repeat(200), `cct_live_${'a'.repeat(43)}`, '<script>'])
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/)
  })
  it('answers 304 for a known ETag and sends the route headers and caching rule', async () => {
    const first = await fetch(`${url}/cached`)
    const etag = first.headers.get('etag') ?? ''
    expect([first.headers.get('cache-control'), first.headers.get('sunset'), await first.json()]).toEqual([
      'public, max-age=60',
      'soon',
      { cached: true },
    ])
    const again = await sendRaw(`${url}/cached`, { method: 'GET', headers: { 'if-none-match': `"x", W/${etag}` } })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect((await fetch(`${url}/who`)).headers.get('cache-control')).toBe('no-store')
  })
  it('believes x-forwarded-for from listed proxies only, read from its end', async () => {
    const ipOf = async (forwarded: string) =>
      JSON.parse((await sendRaw(`${url}/who`, { method: 'GET', headers: { 'x-forwarded-for': forwarded } })).text).ip
    expect(await ipOf('6.6.6.6, 9.9.9.9, 10.1.2.3')).toBe('9.9.9.9')
    expect(await ipOf('6.6.6.6, ::ffff:8.8.8.8')).toBe('8.8.8.8')
    expect(await ipOf('6.6.6.6, nonsense')).toBe('127.0.0.1')
    const strict = await startTestServer(app.routes)
    const answer = await sendRaw(`${strict.server.url}/who`, {
      method: 'GET',
      headers: { 'x-forwarded-for': '6.6.6.6' },
    })
    expect(JSON.parse(answer.text).ip).toBe('127.0.0.1')
    await strict.close()
  })
})

it('answers 503 when the time limit passes and aborts the handler', async () => {
  app.seen.length = 0
  const answer = await fetch(`${url}/slow`)
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { message: 'The request took too long; try again', statusCode: 503 },
  ])
  expect(app.seen).toContain('aborted')
})

it('aborts the handler when the client goes away', async () => {
  app.seen.length = 0
  const controller = new AbortController()
  const gone = fetch(`${url}/slow`, { signal: controller.signal }).catch(() => 'gone')
  await expect.poll(() => app.seen.includes('rate')).toBe(true)
  controller.abort()
  expect(await gone).toBe('gone')
  await expect.poll(() => app.observed.some(([route, , status]) => route === '/slow' && status === 499)).toBe(true)
  expect(app.seen).toContain('aborted')
})

it('serves only what is always served while unavailable', async () => {
  app.down = true
  const [refused, lives] = await Promise.all([fetch(`${url}/who`), fetch(`${url}/lives`)])
  app.down = false
  expect([refused.status, lives.status]).toEqual([503, 200])
})

it('observes the declared path, never the one asked for', async () => {
  app.observed.length = 0
  await fetch(`${url}/things/0xsecret?x=1`)
  await fetch(`${url}/secret`)
  expect(app.observed.map(([route, method, status]) => [route, method, status])).toEqual([
    ['/things/:id', 'GET', 400],
    ['unmatched', 'GET', 404],
  ])
})
