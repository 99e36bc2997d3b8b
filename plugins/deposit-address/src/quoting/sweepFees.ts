import type { Clock } from '@causeway/core'
import { type FeeQuote, feeQuoteCache } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'
import { addressesOf } from './addressGiver.js'

/** What sweeps cost now, asked of each chain once in a while. */
export class SweepFees {
  readonly #fees: ReturnType<typeof feeQuoteCache>

  constructor(clock: Clock) {
    this.#fees = feeQuoteCache(clock)
  }

  of(chain: Chain, currency: string): Promise<FeeQuote> {
    return this.#fees.get(`${chain.config.id}:${currency}`, () => addressesOf(chain).sweepFee(currency))
  }
}
