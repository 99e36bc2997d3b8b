import { Type } from '@sinclair/typebox'
import { ServiceError } from '../errors/serviceError.js'
import { type Caller, type IntegratorAuth, invalidApiKey } from './access/integratorAuth.js'
import type { RequestObserver } from './application.js'
import { HttpError, tooManyRequests } from './httpError.js'
import { AmountText, Hash32 } from './openapi/amountSchema.js'
import { PreparedJson } from './preparedJson.js'
import { reply } from './reply.js'
import { defineRoute, type ErrorFamily, type Route } from './route.js'
import { startTestServer } from './testServer.js'

export const fieldsOf = async (answer: Response) => Object.keys((await answer.json()) as object)
export const json = { 'content-type': 'application/json' }
export const integrator: Caller = {
  kind: 'integrator',
  integratorId: 'i',
  apiKeyId: 'k',
  keyName: null,
  elevated: false,
}
export const auth: IntegratorAuth = {
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
export const Any = Type.Unknown()

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

const QuoteBody = Type.Object({
  amount: AmountText(),
  slippage: Type.Optional(Type.Unknown()),
  mode: Type.String({ default: 'fast' }),
})

/** Routes of every kind; what their handlers and checks pass is written down. */
const routesThat = (seen: string[]): readonly Route[] => [
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

/** An application on a port of its own, with what a test turns and reads. */
export interface TestedApplication {
  readonly url: string
  readonly routes: readonly Route[]
  /** What the last call passed, in its order. */
  readonly seen: string[]
  readonly observed: Parameters<RequestObserver>[]
  refuseRate: boolean
  down: boolean
  /** Forgets what was seen, and calls. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export const startTestedApplication = async (): Promise<TestedApplication> => {
  const seen: string[] = []
  const observed: Parameters<RequestObserver>[] = []
  const routes = routesThat(seen)
  const turned = { refuseRate: false, down: false }
  const test = await startTestServer(routes, {
    auth,
    rateLimiter: {
      take: async () => {
        seen.push('rate')
        return { headers: { 'ratelimit-limit': '10' }, ...(turned.refuseRate ? { refusal: tooManyRequests(3) } : {}) }
      },
    },
    limits: { requestMilliseconds: 300 },
    trustedProxies: ['127.0.0.0/8', '10.1.2.3'],
    serviceUnavailable: () => turned.down,
    observe: (...args) => void observed.push(args),
  })
  const { url } = test.server
  return Object.assign(turned, {
    ...{ url, routes, seen, observed },
    post: (path: string, body: unknown, headers: Record<string, string> = {}) => {
      seen.length = 0
      return fetch(url + path, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    },
    close: () => test.close(),
  })
}
