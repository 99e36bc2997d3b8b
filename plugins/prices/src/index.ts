import { CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import { CHAINS, definePlugin } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { ratesRoute } from './ratesRoute.js'
import { tokenPriceRoutes } from './tokenPriceRoutes.js'

/** Tells clients what currencies are worth. */
export default definePlugin({
  name: '@causeway/plugin-prices',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, PRICES],
  options: Type.Object({}, { additionalProperties: false }),
  routes: ({ container }) => {
    const deps = {
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      prices: container.resolve(PRICES),
    }
    return [...tokenPriceRoutes(deps), ratesRoute(deps)]
  },
})
