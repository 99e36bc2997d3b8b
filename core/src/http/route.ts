import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema, TUndefined } from '@sinclair/typebox'
import type { Logger } from 'pino'
import type { ErrorCode } from '../errors/errorCatalog.js'
import type { Effect } from '../idempotency/idempotentCalls.js'
import type { Caller } from './access/integratorAuth.js'
import type { PreparedJson } from './preparedJson.js'
import type { Reply } from './reply.js'
import type { Content } from './request/content.js'
import type { ListenerName } from './request/listenerName.js'

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]

/**
 * Which shape the error bodies of an operation have (wire.md 0.4): `plain` is `{message}`,
 * `quote` is `{message, errorCode, ...}`, `execute` is `{error}`.
 */
export type ErrorFamily = 'plain' | 'quote' | 'execute'

/** What is known of the call besides its parsed input. */
export interface RequestContext {
  /** The `X-Request-Id` of the answer. Not the id of a quote or request. */
  readonly requestId: string
  /** Address of the client, behind trusted proxies that of the first untrusted hop. */
  readonly ip: string
  /** Which listener it came in by; nothing that is sent can say another. */
  readonly listener: ListenerName
  readonly method: string
  /** Path as asked for, without the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Aborted when the client goes away or the time limit passes. */
  readonly signal: AbortSignal
  /** Carries the request id in every line. */
  readonly log: Logger
  /** Of a call with an `Idempotency-Key`: what its writes are tied to it by. */
  readonly effect?: Effect | undefined
}

/** What a handler gets: each part typed by its schema, `undefined` where the route declares none. */
export interface RouteInput<
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
> {
  readonly body: Static<Body>
  readonly query: Static<Query>
  readonly params: Static<Params>
  readonly caller: Caller
  readonly ctx: RequestContext
  /**
   * Counts the call in the route's `subjectBucket` by a subject that the handler has proven, a wallet that signed for example. Throws
   * HttpError 429 at its limit.
   */
  limit(subject: string): Promise<void>
}

/** The body alone (status 200, JSON unless it is `Content`), or a `Reply` made by `reply()` where status or headers differ. */
export type HandlerResult = Reply | PreparedJson | Content | object

/** An error answer before it is sent; what `errorBody` of a route may reshape. */
export interface ErrorAnswer {
  readonly status: number
  /** Already in the route's family shape. */
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * One operation: its schemas serve validation, the handler's types and the machine-readable description.
 *
 * Checks run in this order (wire.md K.1 1): rate limit, JSON, `subjectBucket`, key (401), `authorize`, `preValidate`, schema,
 * handler.
 */
export interface RouteDeclaration<
  Body extends TSchema = TUndefined,
  Query extends TSchema = TUndefined,
  Params extends TSchema = TUndefined,
> {
  readonly method: HttpMethod
  /** `/chains/:chainId/health`; each parameter also stands in `params`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
  /** Name of the rate-limit bucket (wire.md 0.6, H.1); `none` is never limited. */
  readonly bucket: string
  /**
   * A further bucket (wire.md 2.8). Each call counts in it by its caller as soon as the body is read, and by what the handler proves
   * (`RouteInput.limit`). A subject that a body only names is not counted: any caller could use up its limit (faults.md F153).
   */
  readonly subjectBucket?: string
  /** `none` does not look at the key at all; an invalid key is a 401 with the other two (wire.md H.1). */
  readonly auth: 'optional' | 'required' | 'none'
  /** An absent body counts as `{}`. Without a schema the body is not read. */
  readonly body?: Body
  /** Numbers and booleans are read from their decimal or `true`/`false` text; unknown parameters are ignored. */
  readonly query?: Query
  readonly params?: Params
  /**
   * Body schema by status: every answer of its own, for example 200 and 404. What the checks before the handler answer and
   * failures of ours are known without (`documentedAnswers`); an answer that is not JSON has a `ContentSchema`.
   */
  readonly responses: Readonly<Record<number, TSchema>>
  /** Default `plain`. */
  readonly errors?: ErrorFamily
  /** Codes its own rules raise, where the family shows codes. Default: any of the catalogue. */
  readonly errorCodes?: readonly ErrorCode[]
  /** Reshapes error bodies of operations with one of their own, for example `{message, code}`; `errorSchema` says their shape. */
  errorBody?(answer: ErrorAnswer): Readonly<Record<string, unknown>>
  readonly errorSchema?: TSchema
  /** Statuses whose bodies are exactly those of the specification, without `statusCode` (wire.md 0.4). */
  readonly exactErrors?: (status: number) => boolean
  /** Headers of the request that its own code reads, in small letters, with what they mean. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** `Cache-Control` of successful answers, default `no-store`; errors are never stored. */
  readonly cache?: string
  /** Answers GET with an `ETag` and 304 when the client has that version. */
  readonly etag?: boolean
  /** Headers of every answer of this route, errors included (wire.md 3.3). Read per request. */
  headers?(): Readonly<Record<string, string>>
  /** Changes something, so that an `Idempotency-Key` counts; other operations ignore the header. Default false. */
  readonly changes?: boolean
  /** Its answer holds a secret: a repeat with the same `Idempotency-Key` is refused instead of shown it again. */
  readonly secretAnswer?: boolean
  /** Served even while the application reports itself unavailable, for example health. */
  readonly alwaysServed?: boolean
  /** Rules about who may send such a body; runs before the schema, so `body` is any JSON value. Throws to refuse. */
  authorize?(body: unknown, caller: Caller, ctx: RequestContext): void | Promise<void>
  /** Field rules whose error goes before the schema's; `body` is any JSON value. Throws to refuse. */
  preValidate?(body: unknown, ctx: RequestContext): void
  handler(input: RouteInput<Body, Query, Params>): HandlerResult | Promise<HandlerResult>
}

/** A declared operation with its types erased: what a plugin hands to the host. */
export type Route = RouteDeclaration<TSchema, TSchema, TSchema>

/** Declares an operation; the handler's input is inferred from the schemas. */
export const defineRoute = <
  Body extends TSchema = TUndefined,
  Query extends TSchema = TUndefined,
  Params extends TSchema = TUndefined,
>(
  route: RouteDeclaration<Body, Query, Params>,
): Route => route
