/** Why there was no answer. */
export type OutgoingFailure =
  | 'forbidden address'
  | 'unknown host'
  | 'no connection'
  | 'bad certificate'
  | 'time limit'
  | 'connection lost'
  | 'not HTTP'
  | 'stopped'
  | 'too large'
  | 'unreadable'

/** A request to a user-given URL got no answer. Its message is for the owner of the URL and names neither URL nor address. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'

  constructor(
    readonly failure: OutgoingFailure,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? {} : { cause })
  }
}

export const forbiddenAddress = (): OutgoingError =>
  new OutgoingError('forbidden address', 'The host has an address that is not on the public internet')

export const unknownHost = (): OutgoingError => new OutgoingError('unknown host', 'The host name has no address')

export const stopped = (): OutgoingError => new OutgoingError('stopped', 'The service stopped before an answer')

export const tooLarge = (maxBytes: number): OutgoingError =>
  new OutgoingError('too large', `The answer has more than ${maxBytes} bytes`)

export const unreadable = (why: string): OutgoingError => new OutgoingError('unreadable', `The answer is ${why}`)

const CERTIFICATE =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO|INVALID_CA)/
const UNREACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL'])

/** What Node reports, as one of the failures. */
export const outgoingError = (error: unknown): OutgoingError => {
  if (error instanceof OutgoingError) return error
  // Where several addresses were tried, each has its error.
  if (error instanceof AggregateError) return outgoingError(error.errors[0])
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? '') : ''
  if (CERTIFICATE.test(code)) return new OutgoingError('bad certificate', `No secure connection (${code})`, error)
  if (UNREACHED.has(code)) return new OutgoingError('no connection', `No connection (${code})`, error)
  if (code.startsWith('HPE_')) return new OutgoingError('not HTTP', `The answer is not HTTP (${code})`, error)
  return new OutgoingError('connection lost', 'The connection ended before an answer', error)
}
