import { ServiceError } from '@causeway/core'
import { type ErrorAnswer, HttpError, StatusCode } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** Body of the errors of `/chains/health` and `/config` (wire.md 0.4). */
export const CodedError = Type.Object(
  { message: Type.String(), code: Type.Optional(Type.String()), statusCode: StatusCode() },
  { title: 'CodedError' },
)

/** Turns the body of the `quote` family into `{message, code}`. */
export const codedBody = ({ body: { message, errorCode } }: ErrorAnswer): Readonly<Record<string, unknown>> =>
  errorCode === undefined ? { message } : { message, code: errorCode }

/** What is not the caller's fault is a 500 on `/config`, whatever it would be elsewhere (wire.md 0.6). */
export const asServerError = (error: unknown): unknown => {
  if (!ServiceError.is(error)) return error
  if (error.status < 500) return error
  return new HttpError(500, error.message, { cause: error, fields: { errorCode: error.code } })
}
