const brand = Symbol.for('@causeway/core/HttpError')

export interface HttpErrorOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of the body, for example `successor` (wire.md 3.3). They reach the caller. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Kept for the log, never sent. */
  readonly cause?: unknown
}

/**
 * An answer that has a status but no code of the catalogue: unknown path, conflict, too large, too many requests.
 * The message reaches the caller and holds no URL, key, stack or SQL.
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    readonly status: number,
    message: string,
    options: HttpErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.headers = options.headers ?? {}
    this.fields = options.fields ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  /** True for an error made by any loaded copy of core. */
  static is(error: unknown): error is HttpError {
    return error instanceof Error && Reflect.get(error, brand) === true
  }
}

const wholeSeconds = (seconds: number): string => String(Math.max(1, Math.ceil(seconds)))

/** A limit of calls and what is left of it. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** Until the limit is whole again. */
  readonly resetSeconds: number
}

/** The `RateLimit-*` headers; seconds are rounded up (wire.md H.1). */
export const rateLimitHeaders = ({
  limit,
  remaining,
  resetSeconds,
}: RateLimitState): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': wholeSeconds(resetSeconds),
})

/** 429; `retryAfterSeconds` becomes `Retry-After`, rounded up to whole seconds (wire.md H.1). */
export const tooManyRequests = (
  retryAfterSeconds: number,
  message = 'Too many requests',
  state?: RateLimitState,
): HttpError =>
  new HttpError(429, message, {
    headers: {
      'retry-after': wholeSeconds(retryAfterSeconds),
      ...(state === undefined ? {} : rateLimitHeaders(state)),
    },
  })

/** 405 with the methods the path has. */
export const methodNotAllowed = (allowed: readonly string[]): HttpError =>
  new HttpError(405, 'This path does not have this method', { headers: { allow: allowed.join(', ') } })
