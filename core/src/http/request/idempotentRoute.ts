import { createHash } from 'node:crypto'
import { ServiceError } from '../../errors/serviceError.js'
import { failpoint } from '../../failpoint/failpoint.js'
import { canonicalJson } from '../../idempotency/canonicalJson.js'
import type { IdempotentCall, IdempotentCalls, IdempotentRun, KeptAnswer } from '../../idempotency/idempotentCalls.js'
import { isOvertaken } from '../../idempotency/idempotentCallsSql.js'
import type { Caller } from '../access/integratorAuth.js'
import type { ErrorResponse } from '../errorBody.js'
import { HttpError } from '../httpError.js'
import { PreparedJson } from '../preparedJson.js'
import { isReply, reply } from '../reply.js'
import type { HttpRequestContext } from '../requestContext.js'
import type { HandlerResult, Route } from '../route.js'
import { Content } from './content.js'

export interface IdempotentRouteDeps {
  readonly calls: IdempotentCalls
  /** Time limit of a request, milliseconds: how long a call stands as running after a crash. */
  readonly milliseconds: number
  /** The answer that an error of this route gets. */
  answerOf(error: unknown, ctx: HttpRequestContext): ErrorResponse
}

/** What a call asks for, as it arrived: parameters, query and body. */
export interface AskedFor {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const HEADER = 'idempotency-key'
const visibleAscii = /^[\x21-\x7e]{1,255}$/
const RETRY_SECONDS = '1'

/** Refusals that say something of now and nothing of the call: the same call may be served a moment later. */
const PASSING = new Set([408, 425, 429])

/** Where the family of the route shows no code, the error has it all the same. */
const isPassing = (error: unknown, status: number): boolean =>
  status >= 500 || PASSING.has(status) || (ServiceError.is(error) && error.passing)

const sha256 = (...parts: readonly unknown[]): Uint8Array => createHash('sha256').update(canonicalJson(parts)).digest()

/**
 * Who may see an answer again. The address counts where the key does not tell one caller from another: without a key, and
 * with one that was added for a browser. Sessions have their cookie.
 */
const scopeOf = (caller: Caller, { ip, headers }: HttpRequestContext): readonly unknown[] => [
  caller.kind === 'integrator' ? caller.apiKeyId : null,
  caller.kind === 'anonymous' || caller.proxied === true ? ip : null,
  headers.cookie ?? null,
  headers.authorization ?? null,
]

const running = (): HttpError =>
  new HttpError(409, 'A call with this Idempotency-Key is still running; repeat it later', {
    headers: { 'retry-after': RETRY_SECONDS },
  })

/** The refusal or the first answer of a call that is not to run. */
const replayed = (answer: KeptAnswer | null): HandlerResult => {
  if (answer === null) {
    throw new HttpError(409, 'A call with this Idempotency-Key was done before; its answer is not kept')
  }
  const headers = { ...answer.headers, 'idempotency-replayed': 'true' }
  return reply(new PreparedJson(answer.text), { status: answer.status, headers })
}

/**
 * Runs the handler of a route that changes things once per `Idempotency-Key` and body, and gives the first answer to whoever
 * repeats the call within 24 hours (wire.md K.5 3, faults.md F94).
 *
 * It stands after every check, right around the handler: a refusal before it changed nothing and is worth nothing to keep, a
 * revoked key gets no answer of the past, and repeats count against the rate limit like any call.
 */
export class IdempotentRoute {
  readonly #route: Route
  readonly #deps: IdempotentRouteDeps

  constructor(route: Route, deps: IdempotentRouteDeps) {
    this.#route = route
    this.#deps = deps
  }

  /** The call that a request is; null without the header. Throws `HttpError` 400 for a header that is none. */
  callOf(caller: Caller, ctx: HttpRequestContext, asked: AskedFor): IdempotentCall | null {
    // Given twice it arrives joined by a comma and a blank, and a blank is not allowed.
    const key = ctx.headers[HEADER]
    if (key === undefined) return null
    if (typeof key !== 'string' || !visibleAscii.test(key)) {
      throw new HttpError(400, 'Idempotency-Key must be given once, with 1 to 255 visible ASCII characters')
    }
    const { method, path } = this.#route
    const { params, query, body } = asked
    return { id: sha256(scopeOf(caller, ctx), method, path, key), body: sha256(params, query, body ?? null) }
  }

  /** Throws `HttpError` 409 while the call runs elsewhere, 422 where the key was used for something else. */
  async run(
    call: IdempotentCall,
    ctx: HttpRequestContext,
    handle: () => Promise<HandlerResult>,
  ): Promise<HandlerResult> {
    const begun = await this.#deps.calls.begin(call, this.#deps.milliseconds)
    switch (begun.kind) {
      case 'run':
        return this.#runOnce(begun.run, ctx, handle)
      case 'answered':
        return replayed(begun.answer)
      case 'running':
        throw running()
      case 'other-body':
        throw new HttpError(422, 'This Idempotency-Key was used for another call')
    }
  }

  async #runOnce(
    run: IdempotentRun,
    ctx: HttpRequestContext,
    handle: () => Promise<HandlerResult>,
  ): Promise<HandlerResult> {
    const { effect } = run
    ctx.effect = this.#route.secretAnswer === true ? { statement: () => effect.statement(null) } : effect
    try {
      const result = await handle()
      await failpoint('idempotent.answer.before')
      const answer = answerOf(result)
      await this.#settle(ctx, () => run.keep(this.#mayKeep(answer) ? answer : null))
      return reply(new PreparedJson(answer.text), answer)
    } catch (error) {
      if (isOvertaken(error)) throw running()
      const { status, headers, body } = this.#deps.answerOf(error, ctx)
      const kept = { status, headers, text: JSON.stringify(body) }
      await this.#settle(ctx, () => (isPassing(error, status) ? run.free() : run.keep(kept)))
      throw error
    }
  }

  #mayKeep({ headers }: KeptAnswer): boolean {
    return (
      this.#route.secretAnswer !== true && !Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie')
    )
  }

  /** What was done is answered even where that cannot be written down: a repeat then finds the call running, later free. */
  async #settle(ctx: HttpRequestContext, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      ctx.log.warn({ err: error, route: this.#route.path }, 'the answer of an idempotent call could not be kept')
    }
  }
}

const answerOf = (result: HandlerResult): KeptAnswer => {
  const { status, body, headers } = isReply(result) ? result : { status: 200, body: result, headers: {} }
  if (Content.is(body)) throw new Error('Only answers in JSON are kept')
  return { status, headers, text: PreparedJson.is(body) ? body.text : JSON.stringify(body) }
}
