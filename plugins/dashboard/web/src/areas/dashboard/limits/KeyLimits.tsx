import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import type { Bucket } from './useLimits.js'

const words = dashboardTexts.limits

const tone = ({ remaining, limit }: Bucket): 'good' | 'warn' | 'bad' =>
  remaining === null || remaining > limit / 4 ? 'good' : remaining > 0 ? 'warn' : 'bad'

/** Buckets of people at these pages; no call with a key counts there. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['dashboard', 'dashboard/sign-in', 'console'])

/** What a key may, and what is left of it: a bar and its number. */
export const KeyLimits = ({ buckets: all }: { readonly buckets: readonly Bucket[] }) => {
  const buckets = all.filter(({ bucket }) => !OF_PEOPLE.has(bucket))
  if (buckets.length === 0) return <p className="soft">{words.none}</p>
  return (
    <ul className="limits">
      {buckets.map((bucket) => {
        const { remaining, limit, windowSeconds, resetSeconds } = bucket
        return (
          <li key={bucket.bucket} className="tight">
            <div className="row between">
              <span>{words.buckets[bucket.bucket] ?? bucket.bucket}</span>
              <span className="small soft number">{words.per(limit, windowSeconds)}</span>
            </div>
            <div className="limit-bar" data-tone={tone(bucket)} aria-hidden>
              <i style={{ width: `${((remaining ?? limit) / Math.max(1, limit)) * 100}%` }} />
            </div>
            <div className="row between small soft number">
              <span>{remaining === null ? words.unknown : words.leftOf(remaining, limit)}</span>
              {resetSeconds !== null && remaining !== null && remaining < limit && (
                <span>
                  {words.columns.reset} {words.inSeconds(resetSeconds)}
                </span>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
