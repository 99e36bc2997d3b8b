import type { ErrorCode } from '../errors/errorCatalog.js'
import { ServiceError } from '../errors/serviceError.js'
import { HttpError } from './httpError.js'
import { redactErrorMessage, redactValue } from './logging/redact.js'
import { isOutage } from './outage.js'
import type { ErrorFamily } from './route.js'

export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** True where the failure is ours and belongs in the log. */
  readonly unexpected: boolean
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  500: 'UNKNOWN_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

const UNCODED = new Set([409, 422, 429])

/**
 * The code of an error that has a status but none of its own, in the family that shows codes. No code in any family: the rate
 * limit's body (wire.md 0.4), and what no code of C.1 says of an `Idempotency-Key`.
 */
export const codeOfStatus = (status: number): ErrorCode | undefined =>
  UNCODED.has(status) ? undefined : (codeByStatus[status] ?? 'INVALID_REQUEST')

const none: Readonly<Record<string, string>> = {}

const messageOnly = (family: ErrorFamily, message: string): Readonly<Record<string, unknown>> =>
  family === 'execute' ? { error: message } : { message }

const fromServiceError = (error: ServiceError, family: ErrorFamily, requestId: string): ErrorResponse => {
  const { status, code, data } = error
  const message = redactErrorMessage(error.message)
  const answer = { status, headers: none, unexpected: status === 500 }
  if (family !== 'quote') return { ...answer, body: messageOnly(family, message) }
  const ofRequest = data.requestId ?? (status === 500 ? requestId : undefined)
  return {
    ...answer,
    body: {
      message,
      errorCode: code,
      ...(data.errorData === undefined ? {} : { errorData: redactValue(data.errorData) }),
      ...(ofRequest === undefined ? {} : { requestId: ofRequest }),
      ...(data.approxSimulatedBlock === undefined ? {} : { approxSimulatedBlock: data.approxSimulatedBlock }),
      ...(data.failedCallData === undefined ? {} : { failedCallData: data.failedCallData }),
    },
  }
}

const fromHttpError = (error: HttpError, family: ErrorFamily): ErrorResponse => {
  const { status, headers, fields } = error
  const message = redactErrorMessage(error.message)
  const errorCode = family === 'quote' ? codeOfStatus(status) : undefined
  const code = errorCode === undefined ? {} : { errorCode }
  return { status, headers, body: { ...messageOnly(family, message), ...code, ...fields }, unexpected: status === 500 }
}

const outageOf = (cause: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A part of the service cannot be reached now; try again', { cause })

/**
 * Turns whatever was thrown into status, headers and body of the family (wire.md 0.4). Only errors made to be shown keep
 * their message; an outage of the database is a 503, any other is a 500 that names nothing but the request id. No URL, key,
 * stack or SQL passes (faults.md F96).
 */
export const errorResponse = (error: unknown, family: ErrorFamily, requestId: string): ErrorResponse => {
  return withStatusCode(classified(error, family, requestId))
}

/** The public client SDK takes its code from the body of an error (wire.md 0.4). */
export const withStatusCode = (answer: ErrorResponse): ErrorResponse => ({
  ...answer,
  body: { ...answer.body, statusCode: answer.status },
})

/** For operations whose error bodies the specification fixes exactly. */
export const withoutStatusCode = ({ body: { statusCode: _, ...body }, ...answer }: ErrorResponse): ErrorResponse => ({
  ...answer,
  body,
})

const classified = (error: unknown, family: ErrorFamily, requestId: string): ErrorResponse => {
  if (ServiceError.is(error)) return fromServiceError(error, family, requestId)
  if (HttpError.is(error)) return fromHttpError(error, family)
  if (isOutage(error)) return fromServiceError(outageOf(error), family, requestId)
  const message = `Something went wrong on our side; when you report it, quote request id ${requestId}`
  const code = family === 'quote' ? { errorCode: 'UNKNOWN_ERROR', requestId } : {}
  return { status: 500, headers: none, body: { ...messageOnly(family, message), ...code }, unexpected: true }
}
