import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import { BALANCE_CURRENCY, balanceRefusals, definePlugin, METRICS, POOL } from '@causeway/core/plugin'
import { fastFillRoute } from './fastFillRoute.js'
import { fastFillOptions } from './options.js'

/** Fills ahead of their deposits, on the balance of a wallet (wire.md 2.9, G.3). */
export default definePlugin({
  name: '@causeway/plugin-fast-fill',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, CURRENCIES, PRICES, BALANCE_CURRENCY, METRICS],
  options: fastFillOptions,
  routes: ({ container, options }) => [
    fastFillRoute({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      currencies: container.resolve(CURRENCIES),
      prices: container.resolve(PRICES),
      balanceCurrency: container.resolve(BALANCE_CURRENCY),
      ...options,
      refusals: balanceRefusals(container.resolve(METRICS)),
    }),
  ],
})
