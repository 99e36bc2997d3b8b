import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../errors/serviceError.js'
import { ANONYMOUS, noIntegrators } from './access/integratorAuth.js'
import { HttpError, tooManyRequests } from './httpError.js'
import { MessageSchema } from './openapi/sharedSchemas.js'
import { reply } from './reply.js'
import { Content, ContentSchema } from './request/content.js'
import { defineRoute, type Route } from './route.js'
import {
  Any,
  auth,
  fieldsOf,
  integrator,
  json,
  startTestedApplication,
  type TestedApplication,
} from './testedApplication.test.support.js'
import { startTestServer } from './testServer.js'

let app: TestedApplication
let url: string

beforeAll(async () => {
  app = await startTestedApplication()
  url = app.url
})
afterAll(() => app?.close())

const post: TestedApplication['post'] = (...call) => app.post(...call)

describe('order of checks (wire.md K.1 1)', () => {
  it('answers the rate limit before bad JSON', async () => {
    app.refuseRate = true
    const answer = await post('/ordered', '{', { 'x-api-key': 'bad' })
    app.refuseRate = false
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      429,
      '3',
      { message: 'Too many requests', statusCode: 429 },
    ])
    expect(app.seen).toEqual(['rate'])
  })
  it('answers bad JSON before a bad key', async () => {
    const answer = await post('/ordered', '{', { 'x-api-key': 'bad' })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { message: 'The body is not valid JSON', errorCode: 'INVALID_REQUEST', statusCode: 400 },
    ])
  })
  it('answers a bad key before the schema, also where the key is optional (H.1)', async () => {
    const answer = await post('/ordered', {}, { 'x-api-key': 'bad' })
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { message: 'The API key is not valid', errorCode: 'UNAUTHORIZED', statusCode: 401 },
    ])
    expect(app.seen).toEqual(['rate', 'authorize'])
  })
  it("lets a route's own key rule answer before a refused key (wire.md 1.1 1)", async () => {
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
      statusCode: 400,
    })
    expect(app.seen).toEqual(['rate', 'authorize', 'preValidate'])
  })
  it('gives the handler the body with defaults, unknown fields ignored', async () => {
    const answer = await post('/ordered', { amount: '1', later: { x: 1 } }, { 'x-api-key': 'good-key-of-16-letters' })
    expect(await answer.json()).toEqual({ amount: '1', mode: 'fast', caller: 'integrator' })
    expect(answer.headers.get('ratelimit-limit')).toBe('10')
    expect(app.seen).toEqual(['rate', 'authorize', 'preValidate', 'handler'])
  })
  it('answers 401 {message} where a key is required and none is given', async () => {
    const answer = await post('/keyed', {})
    expect([answer.status, await fieldsOf(answer)]).toEqual([401, ['message', 'statusCode']])
    const made = await post('/keyed', {}, { 'x-api-key': 'good-key-of-16-letters' })
    expect([made.status, made.headers.get('x-made'), await made.json()]).toEqual([201, '1', { made: true }])
  })
  it('treats an absent body as {}', async () => {
    const answer = await fetch(`${url}/ordered`, { method: 'POST' })
    expect(await answer.json()).toEqual({
      message: 'body.amount is required',
      errorCode: 'INVALID_REQUEST',
      statusCode: 400,
    })
  })
})

it('adds a default key to calls without one: it owns nothing, a key that was sent counts first, an invalid one adds nothing', async () => {
  const shared = { method: 'GET', summary: '', bucket: 'other', responses: { 200: Any } } as const
  const handler: Route['handler'] = ({ caller }) => caller
  let key: string | undefined = 'good-key-of-16-letters'
  const server = await startTestServer(
    [
      defineRoute({ ...shared, path: '/required', auth: 'required', handler }),
      defineRoute({ ...shared, path: '/optional', auth: 'optional', handler }),
      defineRoute({ ...shared, path: '/none', auth: 'none', handler }),
    ],
    { auth, defaultKey: { keyOf: ({ headers }) => (headers['x-forwarded-for'] === undefined ? key : undefined) } },
  )
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.server.url}${path}`, { headers })
    return answer.status === 200 ? answer.json() : answer.status
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  for (const path of ['/required', '/optional']) expect(await get(path)).toEqual({ ...integrator, proxied: true })
  expect(await get('/none')).toEqual(ANONYMOUS)
  expect(await get('/required', { 'x-api-key': key })).toEqual(integrator)
  expect(await get('/required', { 'x-api-key': 'bad' })).toBe(401)
  expect([await get('/required', forwarded), await get('/optional', forwarded)]).toEqual([401, ANONYMOUS])
  for (const none of ['revoked', undefined]) {
    key = none
    expect([await get('/required'), await get('/optional')]).toEqual([401, ANONYMOUS])
  }
  await server.close()
})

it('counts a call in a further bucket by its caller, before the key is checked, and by what its handler proves (wire.md 2.8)', async () => {
  const counted: unknown[] = []
  const limited = defineRoute({
    method: 'POST',
    path: '/limited',
    summary: '',
    bucket: 'other',
    subjectBucket: 'wallets',
    auth: 'optional',
    body: Type.Any(),
    responses: { 200: Any },
    handler: async ({ body, limit }) => {
      await limit(String(body))
      return {}
    },
  })
  const server = await startTestServer([limited], {
    auth,
    rateLimiter: {
      take: async ({ bucket, further, route }) => {
        counted.push([bucket, further, route])
        return { headers: {}, ...(further?.subject === 'over' ? { refusal: tooManyRequests(3) } : {}) }
      },
    },
  })
  const send = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(`${server.server.url}/limited`, { method: 'POST', headers: { ...json, ...headers }, body })).status
  const bad = { 'x-api-key': 'bad' }
  expect([await send('{', bad), await send('{}', bad), await send('"over"')]).toEqual([400, 401, 429])
  const first = ['other', undefined, '/limited']
  const ofCaller = ['wallets', { subject: undefined }, '/limited']
  expect(counted).toEqual([first, first, ofCaller, first, ofCaller, ['wallets', { subject: 'over' }, '/limited']])
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
  expect(['content-type', 'content-length', 'content-security-policy'].map((name) => page.headers.get(name))).toEqual([
    'text/html; charset=utf-8',
    '5',
    "default-src 'none'",
  ])
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
