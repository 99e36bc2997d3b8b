import type { FeeQuote } from '../chain/chainReferences.js'
import type { Clock } from '../clock/clock.js'
import { BoundedCache } from './boundedCache.js'

const MAX_ENTRIES = 2_000
/** Longest use of one fee; the chain may say less. */
const LONGEST_MS = 5_000

/** What network fees are now, asked of each chain once in a while. */
export const feeQuoteCache = (clock: Clock): BoundedCache<FeeQuote> =>
  new BoundedCache({
    clock,
    maxEntries: MAX_ENTRIES,
    lifeOf: ({ validForMs }) => Math.min(validForMs, LONGEST_MS),
  })
