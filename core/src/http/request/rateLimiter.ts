import { token } from '../../container/tokens.js'
import type { Caller } from '../access/integratorAuth.js'
import type { HttpError } from '../httpError.js'

/** A call to be counted; it is the first check of a request (wire.md K.1 1), so the key is looked up only when asked for. */
export interface RateLimitedCall {
  readonly bucket: string
  readonly method: string
  /** Path of the route, with its parameters unresolved. */
  readonly route: string
  readonly ip: string
  /** Set for the counts of a route's `subjectBucket`: the proven subject, or undefined for the count of the caller. */
  readonly further?: { readonly subject: string | undefined }
  /** Rejects for an invalid key; such a call counts against `ip`. Looked up once per request. */
  caller(): Promise<Caller>
}

export interface RateDecision {
  /** Set on the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>
  /** The refusal, usually by `tooManyRequests`. */
  readonly refusal?: HttpError
}

/** Counts calls by bucket. Without one nothing is limited. */
export interface RateLimiter {
  take(call: RateLimitedCall): Promise<RateDecision>
}

export const RATE_LIMITER = token<RateLimiter>('core/RateLimiter')
