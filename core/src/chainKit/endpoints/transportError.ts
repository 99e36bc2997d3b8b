import { ServiceError } from '../../errors/serviceError.js'

/** The only place that names a transport failure. No URL reaches the message: it may hold a key. */
export const transportError = (cause: unknown, timedOut: boolean): ServiceError =>
  timedOut
    ? new ServiceError('REQUEST_TIMED_OUT', 'A node of this chain did not answer in time. Try again.', { cause })
    : new ServiceError('RPC_HTTP_ERROR', 'A node of this chain could not be reached. Try again.', { cause })
