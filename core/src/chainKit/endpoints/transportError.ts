import { ServiceError } from '../../errors/serviceError.js'

/** The only place that names a transport failure. No URL reaches the message: it may hold a key. */
export const transportError = (cause: unknown, timedOut: boolean): ServiceError =>
  timedOut
    ? new ServiceError('REQUEST_TIMED_OUT', 'A node of this chain did not answer in time. Try again.', { cause })
    : new ServiceError('RPC_HTTP_ERROR', 'A node of this chain could not be reached. Try again.', { cause })

/** Cause of the failure when a node answers with a status that is none of success. */
export class HttpStatusError extends Error {
  constructor(
    readonly status: number,
    /** For how long the node asks not to be asked again, milliseconds; null where it does not say. */
    readonly retryAfterMs: number | null,
  ) {
    super(`HTTP status ${status}`)
  }
}

/** The failure of a request by its status: RPC_HTTP_ERROR. */
export const httpStatusError = (status: number, retryAfterMs: number | null): ServiceError =>
  transportError(new HttpStatusError(status, retryAfterMs), false)

/** Of a failure, for how long the node asks not to be asked again, milliseconds; 0 where it does not say. */
export const retryAfterOf = (error: unknown): number => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof HttpStatusError ? (cause.retryAfterMs ?? 0) : 0
}
