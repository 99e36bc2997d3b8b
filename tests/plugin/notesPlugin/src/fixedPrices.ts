import type { Clock } from '@causeway/core'
import type { PriceSource } from '@causeway/core/chain'
import { parseUsd } from '@causeway/core/plugin'

/** Prices from the configuration, by asset; null for the rest leaves them to other sources. */
export const fixedPrices = (prices: Readonly<Record<string, string>>, clock: Clock): PriceSource => ({
  name: 'example',
  getPrices: async (currencies) =>
    currencies.map(({ groupId }) => {
      const usd = parseUsd(prices[groupId])
      return usd === null ? null : { usd, observedAt: clock.now() }
    }),
})
