import { Router } from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Logger } from 'pino'
import type { IdempotentCalls } from '../idempotency/idempotentCalls.js'
import type { DefaultKey } from './access/defaultKey.js'
import { ANONYMOUS, type IntegratorAuth, noIntegrators } from './access/integratorAuth.js'
import type { CallFacts, CallObserver } from './callObserver.js'
import { allowedHeaders, setCorsHeaders, setPreflightHeaders } from './cors.js'
import { ClientGone } from './deadline.js'
import { errorResponse } from './errorBody.js'
import { HttpError, methodNotAllowed } from './httpError.js'
import { nearestRoute } from './misspelt/nearestRoute.js'
import { clientAddressReader } from './request/clientAddress.js'
import { DEFAULT_BODY_LIMITS } from './request/jsonBody.js'
import { isConsolePath, type ListenerName, listenerOf } from './request/listenerName.js'
import type { RateLimiter } from './request/rateLimiter.js'
import { discardUnreadBody } from './request/unreadBody.js'
import { requestIdOf } from './requestContext.js'
import { HTTP_METHODS, type Route } from './route.js'
import { type Arrival, routePipeline } from './routePipeline.js'
import { sendError } from './sendJson.js'

/** Told once per answer; `route` is the declared path, or `unmatched`, so the number of values is bounded. */
export type RequestObserver = (route: string, method: string, status: number, seconds: number) => void

export interface ApplicationLimits {
  /** Default 262144 (wire.md H.6). */
  readonly bodyBytes?: number
  /** How long a body may take to arrive; default 10000. */
  readonly bodyMilliseconds?: number
  /** How long a request may take; default 30000. */
  readonly requestMilliseconds?: number
}

export interface ApplicationOptions {
  readonly routes: readonly Route[]
  readonly log: Logger
  /** Default: no key is valid. */
  readonly auth?: IntegratorAuth | undefined
  /** Default: calls without a key stay anonymous. */
  readonly defaultKey?: DefaultKey | undefined
  readonly rateLimiter?: RateLimiter | undefined
  /** Default: no `Idempotency-Key` counts. */
  readonly idempotentCalls?: IdempotentCalls | undefined
  readonly limits?: ApplicationLimits
  /** Addresses or CIDR ranges whose `x-forwarded-for` or `Forwarded` is believed. */
  readonly trustedProxies?: readonly string[]
  /** The only listener that knows the paths of the operator console; null: none does. Default: `main`. */
  readonly consoleOn?: ListenerName | null
  readonly observe?: RequestObserver | undefined
  /** Told of each call of a declared route; without any, nothing is noted on the way. */
  readonly callObservers?: readonly CallObserver[]
  /** While true every route but those `alwaysServed` answers 503. */
  readonly serviceUnavailable?: () => boolean
  /** Holds every answer, errors too, against what is declared and fails with 500 where it does not fit; for tests. Default false. */
  readonly checkResponses?: boolean
  /** Path before every route, for example `/api`. */
  readonly prefix?: string
}

interface State {
  arrival: Omit<Arrival, 'params'>
  /** Declared path of the route that took the request. */
  route: string
}

/** Status the log and metrics show where the client left before its answer. */
const CLIENT_CLOSED_REQUEST = 499

const UNMATCHED = 'unmatched'

const parameterCount = (route: Route): number => route.path.split('/:').length

const sortedRoutes = (routes: readonly Route[]): readonly Route[] => {
  const seen = new Set<string>()
  for (const route of routes) {
    const key = `${route.method} ${route.path.replace(/:[^/]+/g, ':')}`
    if (seen.has(key)) throw new Error(`Two routes are declared for ${route.method} ${route.path}`)
    seen.add(key)
  }
  // A literal path goes before a parameter in its place, whatever plugin came first.
  return [...routes].sort((a, b) => parameterCount(a) - parameterCount(b))
}

const pathOf = (koa: Context): string => {
  try {
    return koa.path
  } catch (error) {
    throw new HttpError(400, 'The request target is not a path', { cause: error })
  }
}

const buildRouter = (options: ApplicationOptions): Router<State> => {
  const router = new Router<State>({ sensitive: true, ...(options.prefix ? { prefix: options.prefix } : {}) })
  const deps = {
    auth: options.auth ?? noIntegrators,
    defaultKey: options.defaultKey,
    rateLimiter: options.rateLimiter,
    idempotentCalls: options.idempotentCalls,
    log: options.log,
    bodyLimits: {
      bytes: options.limits?.bodyBytes ?? DEFAULT_BODY_LIMITS.bytes,
      milliseconds: options.limits?.bodyMilliseconds ?? DEFAULT_BODY_LIMITS.milliseconds,
    },
    milliseconds: options.limits?.requestMilliseconds ?? 30_000,
    serviceUnavailable: options.serviceUnavailable ?? (() => false),
    checkResponses: options.checkResponses ?? false,
  }
  for (const route of sortedRoutes(options.routes)) {
    const serve = routePipeline(route, deps)
    router.register(route.path, [route.method], async (koa) => {
      koa.state.route = route.path
      await serve(koa, { ...koa.state.arrival, params: koa.params })
    })
  }
  return router
}

const unknownPath = (message = 'There is no such path'): HttpError => new HttpError(404, message)

/**
 * A base address that ends with a slash makes two in a row. The path beneath is not served: a proxy that guards `/console` may let
 * `//console` pass.
 */
const refuseDoubleSlash = (path: string, router: Router<State>): void => {
  const single = path.replace(/\/{2,}/g, '/')
  if (single === path) return
  const declared = HTTP_METHODS.flatMap((method) =>
    router.match(single, method).pathAndMethod.map((layer) => layer.path),
  )
  if (declared[0] === undefined) return
  throw unknownPath(
    `There is no such path: two slashes follow each other. Call ${String(declared[0])}, and remove the slash at the end of the base address.`,
  )
}

const answerUnmatched = (koa: Context, router: Router<State>, routes: readonly Route[]): never => {
  const path = pathOf(koa)
  const methods = HTTP_METHODS.filter((method) => router.match(path, method).route)
  if (methods.length === 0) {
    refuseDoubleSlash(path, router)
    const nearest = nearestRoute(path, routes)
    throw nearest === null ? unknownPath() : unknownPath(`There is no such path; did you mean ${nearest}?`)
  }
  throw methodNotAllowed([...(methods.includes('GET') ? ['HEAD'] : []), ...methods, 'OPTIONS'])
}

/**
 * Builds the HTTP application of a set of routes, apart from any listener. Throws at once for two routes in one place
 * or a malformed proxy list.
 *
 * Every answer is JSON and carries CORS headers and `X-Request-Id`; unknown paths are 404 and wrong methods 405
 * `{message}`; HEAD is answered where GET is; a trailing slash is tolerated (wire.md H.6).
 */
export const createApplication = (options: ApplicationOptions): Koa => {
  const app = new Koa<State>()
  const router = buildRouter(options)
  const addressOf = clientAddressReader(options.trustedProxies ?? [], () =>
    options.log.warn(
      'a trusted proxy sent a client address that cannot be read (x-forwarded-for, Forwarded): such callers count as the proxy',
    ),
  )
  const headers = allowedHeaders(options.routes)

  const { callObservers = [], consoleOn = 'main' } = options
  const tell = (koa: Context, { caller, errorCode }: CallFacts, status: number): void => {
    const call = { route: koa.state.route, method: koa.method, status, errorCode, caller }
    for (const observer of callObservers) {
      try {
        observer.finished(call)
      } catch (error) {
        options.log.warn({ err: error }, 'an observer of calls failed')
      }
    }
  }

  const refuse = (koa: Context, requestId: string, error: unknown): void => {
    const answer = errorResponse(error, 'plain', requestId)
    if (answer.unexpected) options.log.error({ err: error, requestId }, 'request failed')
    sendError(koa, answer)
  }

  app.use(async (koa, next) => {
    const started = performance.now()
    const requestId = requestIdOf(koa.req)
    const facts = callObservers.length === 0 ? undefined : { caller: ANONYMOUS, errorCode: null }
    koa.state.arrival = { requestId, ip: addressOf(koa.req), facts }
    koa.state.route = UNMATCHED
    koa.res.setHeader('x-request-id', requestId)
    koa.res.setHeader('x-content-type-options', 'nosniff')
    setCorsHeaders(koa.res)
    let gone = false
    try {
      if (koa.method === 'OPTIONS') {
        setPreflightHeaders(koa, headers)
        koa.status = 204
      } else {
        if (isConsolePath(pathOf(koa)) && listenerOf(koa.req) !== consoleOn) throw unknownPath()
        await next()
      }
    } catch (error) {
      gone = error instanceof ClientGone
      if (gone) koa.respond = false
      else refuse(koa, requestId, error)
    }
    discardUnreadBody(koa.req)
    const status = gone ? CLIENT_CLOSED_REQUEST : koa.res.statusCode
    options.observe?.(koa.state.route, koa.method, status, (performance.now() - started) / 1000)
    if (facts && koa.state.route !== UNMATCHED) tell(koa, facts, status)
  })
  app.use(router.routes())
  const described = options.routes.filter(({ path }) => !isConsolePath(path) && !path.startsWith('/dashboard'))
  app.use((koa) => answerUnmatched(koa, router, described))
  // Without a listener Koa prints errors, stack included, to standard error.
  app.on('error', (error: unknown) => options.log.debug({ err: error }, 'connection failed'))
  return app
}
