import type { Caller, KeyLimit, KeyLimits } from '@causeway/core/plugin'
import type { CallCount, CallCounts } from './callCounts.js'
import { BUCKETS } from './callCounts.js'
import type { LeasedCounts } from './leasedCounts.js'

export interface CallKeyLimitsDeps {
  readonly counts: CallCounts
  readonly leases: Pick<LeasedCounts, 'look'>
}

/** Every bucket that routes name; the further limits of `POST /authorize` are of wallets. */
const SHOWN = BUCKETS.filter((bucket) => bucket !== 'authorize')

/** Whoever would call with the key. */
const callerOf = (apiKeyId: string, elevated: boolean): Caller => ({
  kind: 'integrator',
  integratorId: '',
  apiKeyId,
  keyName: null,
  elevated,
})

/** What limits keys have, by the same rules that their calls are counted by. */
export class CallKeyLimits implements KeyLimits {
  readonly #deps: CallKeyLimitsDeps

  constructor(deps: CallKeyLimitsDeps) {
    this.#deps = deps
  }

  async limitsOf(
    keys: readonly { readonly apiKeyId: string; readonly elevated: boolean }[],
  ): Promise<readonly (readonly KeyLimit[])[]> {
    const counts = keys.map(({ apiKeyId, elevated }) =>
      SHOWN.map((bucket) => this.#countOf(bucket, callerOf(apiKeyId, elevated))),
    )
    const left = await this.#deps.leases.look(counts.flat().flatMap((count) => count ?? []))
    return counts.map((ofKey) =>
      SHOWN.flatMap((bucket, at): KeyLimit[] => {
        const count = ofKey[at]
        if (count === undefined) return []
        const { key, rule } = count
        const { remaining = null, milliseconds = null } = left.get(key) ?? {}
        return [
          {
            bucket,
            limit: rule.points,
            windowSeconds: rule.seconds,
            remaining,
            resetSeconds: milliseconds === null ? null : Math.ceil(milliseconds / 1_000),
          },
        ]
      }),
    )
  }

  /** The count of a key in a bucket: a key that is no browser's has one. */
  #countOf(bucket: string, caller: Caller): CallCount | undefined {
    return this.#deps.counts.of(
      { bucket, method: 'GET', route: '', ip: '', caller: () => Promise.resolve(caller) },
      caller,
    )[0]
  }
}
