import { STATUS_CODES } from 'node:http'
import { type TSchema, Type } from '@sinclair/typebox'
import { type ErrorCode, errorCatalog } from '../../errors/errorCatalog.js'
import { codeOfStatus } from '../errorBody.js'
import type { Route } from '../route.js'
import { ExecuteErrorSchema, MessageSchema, PlainErrorSchema, QuoteErrorSchema } from './sharedSchemas.js'

/** One status a route may answer with. */
export interface DocumentedAnswer {
  readonly description: string
  /** Absent where the answer has no body. */
  readonly schema?: TSchema
  /** `application/json` unless the route declares a `ContentSchema`. */
  readonly mediaType: string
  /** Set where the body shows a code of the catalogue: all it may be. */
  readonly errorCodes?: readonly ErrorCode[]
}

const BODILESS = new Set([204, 205, 304])

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done',
  304: 'The version that the client has is the current one',
  400: 'The request is malformed, or cannot be served as it is',
  401: 'The API key is missing, unknown or revoked',
  403: 'The caller may not do this',
  404: 'There is no such thing',
  408: 'The body took too long to arrive',
  409: 'It conflicts with what is there already, or with a call of the same Idempotency-Key',
  413: 'The body is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'The Idempotency-Key was used for another call',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'Temporarily not available; the same request may succeed later',
}

/** What the checks before the handler answer (`routePipeline`), and failures of ours. */
const commonErrors = (route: Route): number[] => [
  ...(route.body || route.query || route.params || route.changes ? [400] : []),
  ...(route.body ? [408, 413, 415] : []),
  ...(route.changes ? [409, 422] : []),
  ...(route.auth === 'none' ? [] : [401]),
  ...(route.bucket === 'none' && route.subjectBucket === undefined ? [] : [429]),
  500,
  ...(route.alwaysServed ? [] : [503]),
]

// CAST: the keys of the catalogue are its codes.
const ALL_CODES = Object.keys(errorCatalog) as ErrorCode[]

const statusOf = (code: ErrorCode): number => errorCatalog[code].status

const showsCodes = (route: Route): boolean => route.errors === 'quote' && route.errorSchema === undefined

const codesOf = (route: Route, status: number): readonly ErrorCode[] => {
  const ofChecks = commonErrors(route).includes(status) ? codeOfStatus(status) : undefined
  const own = (route.errorCodes ?? ALL_CODES).filter((code) => statusOf(code) === status)
  return [...new Set([...(ofChecks === undefined ? [] : [ofChecks]), ...own])]
}

const errorAnswer = (route: Route, status: number, description: string): DocumentedAnswer => {
  const mediaType = 'application/json'
  const declared = route.responses[status] ?? route.errorSchema
  if (route.exactErrors?.(status) === true) return { description, mediaType, schema: declared ?? MessageSchema }
  // By title: a plugin may have a core of its own.
  if (declared && declared.title !== MessageSchema.title) return { description, mediaType, schema: declared }
  if (route.errors === 'execute') return { description, mediaType, schema: ExecuteErrorSchema }
  const errorCodes = showsCodes(route) ? codesOf(route, status) : []
  if (errorCodes.length === 0) return { description, mediaType, schema: PlainErrorSchema }
  const errorCode = Type.Unsafe<ErrorCode>({ type: 'string', enum: errorCodes })
  const schema = Type.Intersect([QuoteErrorSchema, Type.Object({ errorCode })])
  return { description, mediaType, schema, errorCodes }
}

const answerOf = (route: Route, status: number): DocumentedAnswer => {
  const declared = route.responses[status]
  const description = DESCRIPTIONS[status] ?? STATUS_CODES[status] ?? `Status ${status}`
  if (BODILESS.has(status)) return { description, mediaType: 'application/json' }
  if (status >= 400) return errorAnswer(route, status, description)
  const contentType: unknown = declared?.contentMediaType
  const mediaType = typeof contentType === 'string' ? contentType : 'application/json'
  return { description, mediaType, ...(declared === undefined ? {} : { schema: declared }) }
}

/**
 * Every status a route may answer with, in ascending order: those it declares, those of its codes, and those that follow from
 * what it is (it has inputs, it looks at a key, it is limited; wire.md 0.4, 0.6).
 */
export const documentedAnswers = (route: Route): ReadonlyMap<number, DocumentedAnswer> => {
  const statuses = new Set([
    ...Object.keys(route.responses).map(Number),
    ...(route.etag ? [304] : []),
    ...(showsCodes(route) ? (route.errorCodes ?? []).map(statusOf) : []),
    ...commonErrors(route),
  ])
  return new Map([...statuses].sort((a, b) => a - b).map((status) => [status, answerOf(route, status)]))
}
