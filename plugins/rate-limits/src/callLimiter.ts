import {
  ANONYMOUS,
  type Counter,
  HttpError,
  type RateDecision,
  type RateLimitedCall,
  type RateLimiter,
  rateLimitHeaders,
  tooManyRequests,
} from '@causeway/core/plugin'
import { type CallCounts, CUT_ROUTE, tierOf } from './callCounts.js'
import type { Admission, LeasedCounts } from './leasedCounts.js'

export type RefusalCounter = Counter<{ readonly bucket: readonly string[]; readonly tier: readonly string[] }>

export interface CallLimiterDeps {
  readonly counts: CallCounts
  readonly leases: LeasedCounts
  readonly refusals: RefusalCounter
}

const NONE: Readonly<Record<string, string>> = {}

const wholeSeconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1_000))

const headersOf = ({ limit, remaining, milliseconds }: Admission): Readonly<Record<string, string>> =>
  rateLimitHeaders({ limit, remaining, resetSeconds: milliseconds / 1_000 })

const refusalOf = (milliseconds: number): HttpError => {
  const seconds = wholeSeconds(milliseconds)
  return tooManyRequests(seconds, `Too many requests; try again in ${seconds} second${seconds === 1 ? '' : 's'}`)
}

/** Limits calls by bucket, tier and caller; one with an invalid key counts against its address (wire.md H.1). */
export class CallLimiter implements RateLimiter {
  readonly #deps: CallLimiterDeps

  constructor(deps: CallLimiterDeps) {
    this.#deps = deps
  }

  async take(call: RateLimitedCall): Promise<RateDecision> {
    const { counts, leases, refusals } = this.#deps
    const caller = await call.caller().catch(() => ANONYMOUS)
    const silent = call.route === CUT_ROUTE
    let tightest: Admission | undefined
    for (const { key, rule } of counts.of(call, caller)) {
      const admission = await leases.take(key, rule)
      if (!admission.admitted) {
        refusals.add({ bucket: counts.bucketOf(call), tier: tierOf(caller) })
        if (silent) return { headers: NONE, refusal: new HttpError(429, 'Too many requests') }
        return { headers: headersOf(admission), refusal: refusalOf(admission.milliseconds) }
      }
      if (tightest === undefined || admission.remaining < tightest.remaining) tightest = admission
    }
    return { headers: silent || tightest === undefined ? NONE : headersOf(tightest) }
  }
}
