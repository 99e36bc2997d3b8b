import type { Context } from 'koa'
import type { Logger } from 'pino'
import { ServiceError } from '../errors/serviceError.js'
import type { IdempotentCalls } from '../idempotency/idempotentCalls.js'
import { callerOf, type DefaultKey, type KeyedCall } from './access/defaultKey.js'
import { ANONYMOUS, type Caller, type IntegratorAuth, missingApiKey } from './access/integratorAuth.js'
import { type CallFacts, errorCodeOf } from './callObserver.js'
import { ClientGone, Deadline } from './deadline.js'
import { type ErrorResponse, errorResponse, withoutStatusCode, withStatusCode } from './errorBody.js'
import { answerChecks } from './openapi/answerChecks.js'
import { declaredHeaders } from './openapi/declaredHeaders.js'
import { reply } from './reply.js'
import { IdempotentRoute } from './request/idempotentRoute.js'
import { type BodyLimits, readJsonBody } from './request/jsonBody.js'
import { valueReader } from './request/queryValues.js'
import type { RateLimitedCall, RateLimiter } from './request/rateLimiter.js'
import { validator } from './request/validate.js'
import { HttpRequestContext } from './requestContext.js'
import type { HandlerResult, Route } from './route.js'
import { sendError, sendResult } from './sendJson.js'

export interface PipelineDeps {
  readonly auth: IntegratorAuth
  readonly defaultKey: DefaultKey | undefined
  readonly rateLimiter: RateLimiter | undefined
  readonly log: Logger
  readonly bodyLimits: BodyLimits
  /** Time limit of a whole request in milliseconds. */
  readonly milliseconds: number
  readonly serviceUnavailable: () => boolean
  /** Whether answers, and the headers a route reads, are held against what it declares. */
  readonly checkResponses: boolean
  /** Without it no `Idempotency-Key` counts. */
  readonly idempotentCalls: IdempotentCalls | undefined
}

/** What the application knows of a request before its route runs. */
export interface Arrival {
  readonly requestId: string
  readonly ip: string
  readonly params: Readonly<Record<string, string>>
  /** Filled on the way where somebody observes calls. */
  readonly facts: CallFacts | undefined
}

const accept = (): void => {}
const nothing = (): undefined => undefined

/** The three parts of a route's input as functions from what arrived to what the handler gets. */
const partsOf = (route: Route) => ({
  checkBody: route.body ? validator(route.body, 'body') : accept,
  readQuery: route.query ? valueReader(route.query) : nothing,
  checkQuery: route.query ? validator(route.query, 'query') : accept,
  readParams: route.params ? valueReader(route.params) : nothing,
  checkParams: route.params ? validator(route.params, 'path') : accept,
})

/** The caller, looked up at most once per request however often it is asked for. */
const callerOnce = (
  route: Route,
  { auth, defaultKey }: Pick<PipelineDeps, 'auth' | 'defaultKey'>,
  call: KeyedCall,
  facts: CallFacts | undefined,
): (() => Promise<Caller>) => {
  let caller: Promise<Caller> | undefined
  return () => {
    if (!caller) {
      caller = route.auth === 'none' ? Promise.resolve(ANONYMOUS) : callerOf(auth, defaultKey, call)
      // An earlier check may fail before anyone waits for a refusal that is already under way.
      caller.then(
        (known) => {
          if (facts) facts.caller = known
        },
        () => {},
      )
    }
    return caller
  }
}

const logFailure = (route: Route, ctx: HttpRequestContext, error: unknown, answer: ErrorResponse): void => {
  const fields = { err: error, route: route.path, status: answer.status }
  if (answer.unexpected) ctx.log.error(fields, 'request failed')
  else if (answer.status >= 500) ctx.log.warn(fields, 'request could not be served')
  else if (ctx.log.isLevelEnabled('debug')) ctx.log.debug(fields, 'request refused')
}

/**
 * Makes the function that serves one route: rate limit, JSON, `subjectBucket`, key, `authorize`, `preValidate`, schema,
 * handler (wire.md K.1 1), each failure answered in the route's error family.
 */
export const routePipeline = (
  route: Route,
  deps: PipelineDeps,
): ((koa: Context, arrival: Arrival) => Promise<void>) => {
  const parts = partsOf(route)
  const family = route.errors ?? 'plain'
  const checks = deps.checkResponses ? answerChecks(route) : undefined

  const answerOf = (error: unknown, ctx: HttpRequestContext): ErrorResponse => {
    const answer = errorResponse(error, family, ctx.requestId)
    const shaped = route.errorBody ? { ...answer, body: route.errorBody(answer) } : answer
    return route.exactErrors?.(answer.status) === true ? withoutStatusCode(shaped) : withStatusCode(shaped)
  }
  const idempotent =
    route.changes && deps.idempotentCalls
      ? new IdempotentRoute(route, { calls: deps.idempotentCalls, milliseconds: deps.milliseconds, answerOf })
      : undefined

  const limitRate = async (
    koa: Context,
    ctx: HttpRequestContext,
    counted: Pick<RateLimitedCall, 'bucket' | 'further' | 'caller'>,
  ): Promise<void> => {
    if (!deps.rateLimiter || counted.bucket === 'none') return
    const call = { ...counted, method: route.method, route: route.path, ip: ctx.ip }
    const decision = await deps.rateLimiter.take(call)
    for (const [name, value] of Object.entries(decision.headers)) koa.res.setHeader(name, value)
    if (decision.refusal) throw decision.refusal
  }

  const serve = async (koa: Context, arrival: Arrival, ctx: HttpRequestContext): Promise<void> => {
    for (const [name, value] of Object.entries(route.headers?.() ?? {})) koa.res.setHeader(name, value)
    if (!route.alwaysServed && deps.serviceUnavailable()) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is starting or stopping; try again')
    }
    const findCaller = callerOnce(route, deps, { ip: ctx.ip, headers: koa.req.headers }, arrival.facts)
    await limitRate(koa, ctx, { bucket: route.bucket, caller: findCaller })
    const body = route.body ? await readJsonBody(koa.req, deps.bodyLimits) : undefined
    const limitFurther = async (subject: string | undefined): Promise<void> => {
      if (route.subjectBucket === undefined) return
      await limitRate(koa, ctx, { bucket: route.subjectBucket, further: { subject }, caller: findCaller })
    }
    await limitFurther(undefined)
    const caller = await findCaller().catch(async (error: unknown) => {
      // An invalid key is no key to the route's own rule, and that answers first (wire.md 1.1 1).
      await route.authorize?.(body, ANONYMOUS, ctx)
      throw error
    })
    if (route.auth === 'required' && caller.kind === 'anonymous') throw missingApiKey()
    if (route.authorize) await route.authorize(body, caller, ctx)
    route.preValidate?.(body, ctx)
    // Before the schema, which writes its defaults into the body.
    const call = idempotent?.callOf(caller, ctx, { params: arrival.params, query: koa.query, body }) ?? null
    const params = parts.readParams(arrival.params)
    parts.checkParams(params)
    const query = parts.readQuery(koa.query)
    parts.checkQuery(query)
    parts.checkBody(body)
    const handle = async (): Promise<HandlerResult> => {
      const result = await route.handler({ body, query, params, caller, ctx, limit: limitFurther })
      checks?.result(result)
      return result
    }
    const result = call && idempotent ? await idempotent.run(call, ctx, handle) : await handle()
    if (arrival.facts) arrival.facts.errorCode = errorCodeOf(result)
    sendResult(koa, route, result)
  }

  /** The answer, or where it is not as declared what is wrong with it. */
  const checked = (answer: ErrorResponse, ctx: HttpRequestContext): ErrorResponse => {
    try {
      checks?.error(answer)
      return answer
    } catch (undeclared) {
      return answerOf(undeclared, ctx)
    }
  }

  const refuse = (koa: Context, ctx: HttpRequestContext, error: unknown, facts: CallFacts | undefined): void => {
    const answer = checked(answerOf(error, ctx), ctx)
    if (facts) facts.errorCode = errorCodeOf(reply(answer.body, answer))
    logFailure(route, ctx, error, answer)
    sendError(koa, answer)
  }

  return async (koa, arrival) => {
    const deadline = new Deadline(koa.res, deps.milliseconds)
    const headers = deps.checkResponses ? declaredHeaders(route, koa.req.headers) : koa.req.headers
    const ctx = new HttpRequestContext({
      ...arrival,
      path: koa.path,
      request: koa.req,
      headers,
      deadline,
      log: deps.log,
    })
    try {
      await deadline.race(serve(koa, arrival, ctx))
    } catch (error) {
      if (error instanceof ClientGone) throw error
      refuse(koa, ctx, error, arrival.facts)
    }
  }
}
