import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../errors/serviceError.js'
import { AmountText, Hash32 } from './amountSchema.js'
import type { RequestObserver } from './application.js'
import { createApplication } from './application.js'
import { Content, ContentSchema } from './content.js'
import { HttpError, tooManyRequests } from './httpError.js'
import { type Caller, type IntegratorAuth, invalidApiKey, noIntegrators } from './integratorAuth.js'
import { createLogger } from './logger.js'
import { PreparedJson } from './preparedJson.js'
import { reply } from './reply.js'
import { defineRoute, type ErrorFamily, type Route } from './route.js'
import { MessageSchema } from './sharedSchemas.js'
import { sendRaw, startTestServer, type TestServer } from './testServer.js'

const fieldsOf = async (answer: Response) => Object.keys((await answer.json()) as object)
const json = { 'content-type': 'application/json' }
const integrator: Caller = { kind: 'integrator', integratorId: 'i', apiKeyId: 'k', keyName: null, elevated: false }
const auth: IntegratorAuth = {
  authenticate: async (key) => {
    if (key === undefined || key === 'good-key-of-16-letters') return key ? integrator : { kind: 'anonymous' }
    throw invalidApiKey()
  },
}

const failures: Record<string, () => unknown> = {
  service: () =>
    new ServiceError('NO_QUOTES', 'No quote', {
      data: {
        errorData: { a: 1 },
        approxSimulatedBlock: 7,
        failedCallData: { from: '0x', to: '0x', data: '0x', value: '0' },
      },
    }),
  busy: () => new ServiceError('SERVICE_UNAVAILABLE', 'Busy'),
  unknown: () => new ServiceError('UNKNOWN_ERROR', 'Lost', { data: { requestId: '0xabc' } }),
  conflict: () => new HttpError(409, 'Already there', { fields: { at: 1 } }),
  limited: () => tooManyRequests(1.2),
  crash: () => new TypeError('x is not a function'),
  thrown: () => 'a text',
}

/** Declared where a test is not about what is declared. */
const Any = Type.Unknown()

const failing = (family: ErrorFamily): Route =>
  defineRoute({
    method: 'GET',
    path: `/fail/${family}/:how`,
    summary: 'Fails as asked',
    bucket: 'none',
    auth: 'none',
    params: Type.Object({ how: Type.String() }),
    responses: { 409: Any, 429: Any },
    errors: family,
    handler: ({ params }) => {
      throw failures[params.how]?.()
    },
  })

let seen: string[] = []
const QuoteBody = Type.Object({
  amount: AmountText(),
  slippage: Type.Optional(Type.Unknown()),
  mode: Type.String({ default: 'fast' }),
})

const routes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/ordered',
    summary: 'Shows the order of checks',
    bucket: 'quote',
    auth: 'optional',
    body: QuoteBody,
    responses: { 200: Type.Object({}) },
    errors: 'quote',
    authorize: (body, caller) => {
      seen.push('authorize')
      const referrer = typeof body === 'object' && body !== null && 'referrer' in body
      if (referrer && caller.kind === 'anonymous') throw new ServiceError('UNAUTHORIZED_QUOTE', 'referrer needs a key')
    },
    preValidate: (body) => {
      seen.push('preValidate')
      const bad = typeof body === 'object' && body !== null && 'slippage' in body && typeof body.slippage !== 'string'
      if (bad) throw new ServiceError('INVALID_SLIPPAGE_TOLERANCE', 'slippage')
    },
    handler: ({ body, caller }) => {
      seen.push('handler')
      return { amount: body.amount, mode: body.mode, caller: caller.kind }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/things/:id',
    summary: 'Reads',
    bucket: 'other',
    auth: 'optional',
    params: Type.Object({ id: Hash32() }),
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
      deep: Type.Optional(Type.Boolean()),
      ratio: Type.Optional(Type.Number()),
      kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      ids: Type.Optional(Type.Array(Type.Integer())),
    }),
    responses: { 200: Any },
    handler: ({ query, params }) => ({ query, params }),
  }),
  defineRoute({
    method: 'GET',
    path: '/things/all',
    summary: 'Literal',
    bucket: 'other',
    auth: 'none',
    responses: { 200: Any },
    handler: () => ({ all: true }),
  }),
  defineRoute({
    method: 'GET',
    path: '/cached',
    summary: 'Cached',
    bucket: 'other',
    auth: 'none',
    cache: 'public, max-age=60',
    etag: true,
    responses: { 200: Any },
    headers: () => ({ sunset: 'soon' }),
    handler: () => PreparedJson.of({ cached: true }),
  }),
  defineRoute({
    method: 'POST',
    path: '/keyed',
    summary: 'Keyed',
    bucket: 'other',
    auth: 'required',
    responses: { 201: Any },
    handler: () => reply({ made: true }, { status: 201, headers: { 'x-made': '1' } }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/keyed',
    summary: 'Keyed',
    bucket: 'other',
    auth: 'none',
    responses: { 200: Any },
    handler: () => ({}),
  }),
  defineRoute({
    method: 'GET',
    path: '/coded',
    summary: 'Own error body',
    bucket: 'other',
    auth: 'none',
    responses: { 400: Any },
    errorBody: ({ body, status }) => ({ ...body, code: `E${status}` }),
    handler: () => {
      throw new HttpError(400, 'No')
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/slow',
    summary: 'Slow',
    bucket: 'other',
    auth: 'none',
    responses: { 200: Any },
    handler: ({ ctx }) =>
      new Promise((_, reject) =>
        ctx.signal.addEventListener('abort', () => {
          seen.push('aborted')
          reject(ctx.signal.reason)
        }),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/who',
    summary: 'Context',
    bucket: 'other',
    auth: 'none',
    responses: { 200: Any },
    handler: ({ ctx }) => ({ ip: ctx.ip, requestId: ctx.requestId, path: ctx.path }),
  }),
  defineRoute({
    method: 'GET',
    path: '/lives',
    summary: 'Health',
    bucket: 'none',
    auth: 'none',
    alwaysServed: true,
    responses: { 200: Any },
    handler: () => ({ ok: true }),
  }),
  failing('plain'),
  failing('quote'),
  failing('execute'),
]

describe('the HTTP application', () => {
  let test: TestServer
  let url: string
  let refuseRate = false
  let down = false
  const observed: Parameters<RequestObserver>[] = []

  beforeAll(async () => {
    test = await startTestServer(routes, {
      auth,
      rateLimiter: {
        take: async () => {
          seen.push('rate')
          return { headers: { 'ratelimit-limit': '10' }, ...(refuseRate ? { refusal: tooManyRequests(3) } : {}) }
        },
      },
      limits: { requestMilliseconds: 300 },
      trustedProxies: ['127.0.0.0/8', '10.1.2.3'],
      serviceUnavailable: () => down,
      observe: (...args) => void observed.push(args),
    })
    url = test.server.url
  })
  afterAll(() => test.close())

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    seen = []
    return fetch(url + path, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  describe('order of checks (wire.md K.1 1)', () => {
    it('answers the rate limit before bad JSON', async () => {
      refuseRate = true
      const answer = await post('/ordered', '{', { 'x-api-key': 'bad' })
      refuseRate = false
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        429,
        '3',
        { message: 'Too many requests' },
      ])
      expect(seen).toEqual(['rate'])
    })
    it('answers bad JSON before a bad key', async () => {
      const answer = await post('/ordered', '{', { 'x-api-key': 'bad' })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { message: 'The body is not valid JSON', errorCode: 'INVALID_REQUEST' },
      ])
    })
    it('answers a bad key before the schema, also where the key is optional (H.1)', async () => {
      const answer = await post('/ordered', {}, { 'x-api-key': 'bad' })
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { message: 'The API key is not valid', errorCode: 'UNAUTHORIZED' },
      ])
      expect(seen).toEqual(['rate', 'authorize'])
    })
    it("lets a route's own key rule answer before a refused key (specification, quote rule 1)", async () => {
      const answer = await post('/ordered', { referrer: 'x' }, { 'x-api-key': 'bad' })
      expect([answer.status, await answer.json()]).toMatchObject([401, { errorCode: 'UNAUTHORIZED_QUOTE' }])
    })
    it('answers authorize before preValidate before the schema', async () => {
      expect(await (await post('/ordered', { referrer: 'x', slippage: 1 })).json()).toMatchObject({
        errorCode: 'UNAUTHORIZED_QUOTE',
      })
      expect(await (await post('/ordered', { slippage: 1 })).json()).toMatchObject({
        errorCode: 'INVALID_SLIPPAGE_TOLERANCE',
      })
      const refused = await post('/ordered', { amount: 5 })
      expect(await refused.json()).toEqual({
        message: 'body.amount must be a decimal string of at most 78 digits in the smallest unit of the currency',
        errorCode: 'INVALID_REQUEST',
      })
      expect(seen).toEqual(['rate', 'authorize', 'preValidate'])
    })
    it('gives the handler the body with defaults, unknown fields ignored', async () => {
      const answer = await post('/ordered', { amount: '1', later: { x: 1 } }, { 'x-api-key': 'good-key-of-16-letters' })
      expect(await answer.json()).toEqual({ amount: '1', mode: 'fast', caller: 'integrator' })
      expect(answer.headers.get('ratelimit-limit')).toBe('10')
      expect(seen).toEqual(['rate', 'authorize', 'preValidate', 'handler'])
    })
    it('answers 401 {message} where a key is required and none is given', async () => {
      const answer = await post('/keyed', {})
      expect([answer.status, await fieldsOf(answer)]).toEqual([401, ['message']])
      const made = await post('/keyed', {}, { 'x-api-key': 'good-key-of-16-letters' })
      expect([made.status, made.headers.get('x-made'), await made.json()]).toEqual([201, '1', { made: true }])
    })
    it('treats an absent body as {}', async () => {
      const answer = await fetch(`${url}/ordered`, { method: 'POST' })
      expect(await answer.json()).toEqual({ message: 'body.amount is required', errorCode: 'INVALID_REQUEST' })
    })
  })

  it('counts a call by a value of its body too, once the body is read and before the key is told (wire.md 2.8)', async () => {
    const counted: unknown[] = []
    const limited = defineRoute({
      method: 'POST',
      path: '/limited',
      summary: '',
      bucket: 'other',
      limitBy: { bucket: 'wallets', subject: (body) => (typeof body === 'string' ? body : undefined) },
      auth: 'optional',
      body: Type.Any(),
      responses: { 200: Any },
      handler: () => ({}),
    })
    const server = await startTestServer([limited], {
      auth,
      rateLimiter: {
        take: async ({ bucket, named, route }) => {
          counted.push([bucket, named, route])
          return { headers: {}, ...(named?.subject === 'mine' ? { refusal: tooManyRequests(3) } : {}) }
        },
      },
    })
    const send = async (body: string) =>
      (await fetch(`${server.server.url}/limited`, { method: 'POST', headers: { ...json, 'x-api-key': 'bad' }, body }))
        .status
    expect([await send('{'), await send('{}'), await send('"mine"')]).toEqual([400, 401, 429])
    const first = ['other', undefined, '/limited']
    expect(counted).toEqual([
      first,
      first,
      ['wallets', { subject: undefined }, '/limited'],
      first,
      ['wallets', { subject: 'mine' }, '/limited'],
    ])
    await server.close()
  })

  it('sends answers that are not JSON, with a type and entity tag of their own', async () => {
    const bytes = Uint8Array.of(0, 255, 7)
    const shared = { method: 'GET', summary: '', bucket: 'none', auth: 'none', etag: true } as const
    const content = await startTestServer([
      defineRoute({
        ...shared,
        path: '/page',
        responses: { 200: ContentSchema('text/html') },
        handler: () => reply(Content.html('<p>ä'), { headers: { 'content-security-policy': "default-src 'none'" } }),
      }),
      defineRoute({
        ...shared,
        path: '/image',
        responses: { 200: ContentSchema('image/png') },
        handler: () => new Content('image/png', bytes),
      }),
      defineRoute({
        ...shared,
        path: '/wrong',
        responses: { 200: ContentSchema('text/html') },
        handler: () => new Content('image/png', bytes),
      }),
      defineRoute({ ...shared, path: '/json', responses: { 200: Any }, handler: () => Content.html('') }),
    ])
    const get = (path: string, headers = {}) => fetch(`${content.server.url}${path}`, { headers })
    const page = await get('/page')
    expect(['content-type', 'content-length', 'content-security-policy'].map((name) => page.headers.get(name))).toEqual(
      ['text/html; charset=utf-8', '5', "default-src 'none'"],
    )
    expect(await page.text()).toBe('<p>ä')
    const image = await get('/image')
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(bytes)
    const known = await get('/image', { 'if-none-match': image.headers.get('etag') ?? '' })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const statuses = await Promise.all(['/wrong', '/json'].map(async (path) => (await get(path)).status))
    expect(statuses).toEqual([500, 500])
    await content.close()
  })

  it('fails statuses, errors and header reads that are not declared, where asked to check them', async () => {
    const route = (path: string, more: Partial<Route>): Route => ({
      ...defineRoute({
        method: 'GET',
        path,
        summary: '',
        bucket: 'none',
        auth: 'none',
        responses: { 200: Any },
        handler: () => ({}),
      }),
      ...more,
    })
    const throws = (error: Error) => () => {
      throw error
    }
    const conflict = throws(new HttpError(409, 'Taken'))
    const quotes = { errors: 'quote', errorCodes: ['NO_QUOTES'] } as const
    const checked = await startTestServer([
      route('/status', { handler: () => reply({}, { status: 201 }) }),
      route('/error', { handler: conflict }),
      route('/error-body', { responses: { 409: Type.Object({ taken: Type.Boolean() }) }, handler: conflict }),
      route('/error-declared', { responses: { 409: MessageSchema }, handler: conflict }),
      route('/code', { ...quotes, handler: throws(new ServiceError('INVALID_ADDRESS', 'No')) }),
      route('/code-declared', { ...quotes, handler: throws(new ServiceError('NO_QUOTES', 'No')) }),
      route('/header', { handler: ({ ctx }) => ({ said: ctx.headers.cookie }) }),
      route('/header-declared', {
        requestHeaders: { cookie: 'Session' },
        handler: ({ ctx }) => ({ said: ctx.headers.cookie }),
      }),
    ])
    const get = async (path: string) => {
      const answer = await fetch(`${checked.server.url}${path}`)
      return [answer.status, ((await answer.json()) as { message?: string }).message] as const
    }
    expect(await get('/status')).toEqual([500, 'GET /status answers 201, which it does not declare'])
    expect(await get('/error')).toEqual([500, 'GET /error answers 409, which it does not declare'])
    expect((await get('/error-body'))[1]).toContain('does not answer 409 as declared: response.taken is required')
    expect(await get('/error-declared')).toEqual([409, 'Taken'])
    expect((await get('/code'))[1]).toContain('does not answer 400 as declared')
    expect((await get('/code-declared'))[0]).toBe(400)
    expect((await get('/header'))[0]).toBe(500)
    expect(checked.logged()).toContain('GET /header reads the header cookie, which it does not declare')
    expect((await get('/header-declared'))[0]).toBe(200)
    await checked.close()
  })

  it('fails answers that are not as declared, where asked to check them', async () => {
    const responses = { 200: Type.Object({ n: Type.Number() }) }
    const route = (path: string, body: object): Route =>
      defineRoute({ method: 'GET', path, summary: '', bucket: 'none', auth: 'none', responses, handler: () => body })
    const checked = await startTestServer([route('/good', { n: 1, more: 1 }), route('/bad', { n: '1' })])
    expect((await fetch(`${checked.server.url}/good`)).status).toBe(200)
    expect((await fetch(`${checked.server.url}/bad`)).status).toBe(500)
    expect(checked.logged()).toContain('response.n must be number')
    await checked.close()
  })

  it('without an installed implementation any key is refused and none is anonymous', async () => {
    await expect(noIntegrators.authenticate('good-key-of-16-letters')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(noIntegrators.authenticate(undefined)).resolves.toEqual({ kind: 'anonymous' })
  })

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
        [400, { message: 'No quote' }],
        [400, { message: 'No quote', errorCode: 'NO_QUOTES', ...data }],
        [400, { error: 'No quote' }],
      ])
      expect((await bodies('busy'))[1]).toEqual([503, { message: 'Busy', errorCode: 'SERVICE_UNAVAILABLE' }])
      expect((await bodies('unknown'))[1]).toEqual([
        500,
        { message: 'Lost', errorCode: 'UNKNOWN_ERROR', requestId: '0xabc' },
      ])
    })
    it('shows HTTP errors in each family', async () => {
      expect(await bodies('conflict')).toEqual([
        [409, { message: 'Already there', at: 1 }],
        [409, { message: 'Already there', at: 1 }],
        [409, { error: 'Already there', at: 1 }],
      ])
      expect((await bodies('limited'))[1]).toEqual([429, { message: 'Too many requests' }])
    })
    it('shows nothing of an unexpected error but the request id', async () => {
      const message = 'Something went wrong on our side; when you report it, quote request id trace-1'
      const expected = [
        [500, { message }],
        [500, { message, errorCode: 'UNKNOWN_ERROR', requestId: 'trace-1' }],
        [500, { error: message }],
      ]
      expect(await bodies('crash')).toEqual(expected)
      expect(await bodies('thrown')).toEqual(expected)
    })
    it('lets a route shape its own', async () => {
      const answer = await fetch(`${url}/coded`)
      expect([answer.status, await answer.json()]).toEqual([400, { message: 'No', code: 'E400' }])
    })
  })

  describe('paths and methods (wire.md H.6)', () => {
    it('answers 404 for an unknown path and 405 with Allow for a wrong method', async () => {
      const unknown = await fetch(`${url}/nowhere`)
      expect([unknown.status, await unknown.json()]).toEqual([404, { message: 'There is no such path' }])
      const wrong = await fetch(`${url}/keyed`, { method: 'DELETE' })
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, PUT, OPTIONS'])
      expect(await fieldsOf(wrong)).toEqual(['message'])
    })
    it('tolerates a trailing slash, answers HEAD and prefers a literal path', async () => {
      expect((await fetch(`${url}/who/`)).status).toBe(200)
      const head = await fetch(`${url}/who`, { method: 'HEAD' })
      expect([head.status, Number(head.headers.get('content-length')) > 0, await head.text()]).toEqual([200, true, ''])
      expect(await (await fetch(`${url}/things/all`)).json()).toEqual({ all: true })
    })
    it('serves beneath a prefix', async () => {
      const prefixed = await startTestServer(routes, { prefix: '/api' })
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
      expect(await get('', 'x'.repeat(3000))).toEqual([400, { message: 'path.id must be 0x and 64 hex digits' }])
      expect((await get('kind=c'))[1]).toEqual({ message: 'query.kind must be one of a, b' })
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
    ])('refuses %j fast', { retry: 4 }, async (amount) => {
      const started = performance.now()
      const answer = await post('/ordered', { amount })
      expect([answer.status, ((await answer.json()) as { errorCode: unknown }).errorCode]).toEqual([
        400,
        'INVALID_REQUEST',
      ])
      expect(performance.now() - started).toBeLessThan(50)
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
      expect(answer.headers.get('access-control-allow-headers')).toBe(
        'content-type, x-api-key, relay-sdk-version, relay-kit-ui-version, idempotency-key',
      )
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
      const strict = await startTestServer(routes)
      const answer = await sendRaw(`${strict.server.url}/who`, {
        method: 'GET',
        headers: { 'x-forwarded-for': '6.6.6.6' },
      })
      expect(JSON.parse(answer.text).ip).toBe('127.0.0.1')
      await strict.close()
    })
  })

  it('answers 503 when the time limit passes and aborts the handler', async () => {
    seen = []
    const answer = await fetch(`${url}/slow`)
    expect([answer.status, await answer.json()]).toEqual([503, { message: 'The request took too long; try again' }])
    expect(seen).toContain('aborted')
  })

  it('aborts the handler when the client goes away', async () => {
    seen = []
    const controller = new AbortController()
    const gone = fetch(`${url}/slow`, { signal: controller.signal }).catch(() => 'gone')
    await expect.poll(() => seen.includes('rate')).toBe(true)
    controller.abort()
    expect(await gone).toBe('gone')
    await expect.poll(() => observed.some(([route, , status]) => route === '/slow' && status === 499)).toBe(true)
    expect(seen).toContain('aborted')
  })

  it('serves only what is always served while unavailable', async () => {
    down = true
    const [refused, lives] = await Promise.all([fetch(`${url}/who`), fetch(`${url}/lives`)])
    down = false
    expect([refused.status, lives.status]).toEqual([503, 200])
  })

  it('observes the declared path, never the one asked for', async () => {
    observed.length = 0
    await fetch(`${url}/things/0xsecret?x=1`)
    await fetch(`${url}/secret`)
    expect(observed.map(([route, method, status]) => [route, method, status])).toEqual([
      ['/things/:id', 'GET', 400],
      ['unmatched', 'GET', 404],
    ])
  })
})
