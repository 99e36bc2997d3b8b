import { BoundedCache, type Clock } from '@causeway/core'
import type { FeeQuote } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'
import { addressesOf } from './addressGiver.js'

const MAX_ENTRIES = 2_000
/** Longest use of one fee; the chain may say less. */
const LONGEST_MS = 5_000

/** What sweeps cost now, asked of each chain once in a while. */
export class SweepFees {
  readonly #fees: BoundedCache<FeeQuote>

  constructor(clock: Clock) {
    const lifeOf = ({ validForMs }: FeeQuote) => Math.min(validForMs, LONGEST_MS)
    this.#fees = new BoundedCache({ clock, maxEntries: MAX_ENTRIES, lifeOf })
  }

  of(chain: Chain, currency: string): Promise<FeeQuote> {
    return this.#fees.get(`${chain.config.id}:${currency}`, () => addressesOf(chain).sweepFee(currency))
  }
}
