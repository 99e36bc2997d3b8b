import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Effect } from '../idempotency/idempotentCalls.js'
import type { Deadline } from './deadline.js'
import { type ListenerName, listenerOf } from './request/listenerName.js'
import type { RequestContext } from './route.js'

const callerIdPattern = /^(?!cct_)[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-Id` where it is short and plain, else a random one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && callerIdPattern.test(given) ? given : randomUUID()
}

/** The context of one HTTP request; makes its logger and signal only when they are asked for. */
export class HttpRequestContext implements RequestContext {
  readonly requestId: string
  readonly ip: string
  readonly listener: ListenerName
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  effect: Effect | undefined
  readonly #deadline: Deadline
  readonly #parent: Logger
  #log: Logger | undefined

  constructor(deps: {
    readonly requestId: string
    readonly ip: string
    readonly path: string
    readonly request: IncomingMessage
    readonly headers: IncomingHttpHeaders
    readonly deadline: Deadline
    readonly log: Logger
  }) {
    this.requestId = deps.requestId
    this.ip = deps.ip
    this.listener = listenerOf(deps.request)
    this.method = deps.request.method ?? 'GET'
    this.path = deps.path
    this.headers = deps.headers
    this.#deadline = deps.deadline
    this.#parent = deps.log
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }

  get log(): Logger {
    this.#log ??= this.#parent.child({ requestId: this.requestId })
    return this.#log
  }
}
