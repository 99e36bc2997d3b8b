import {
  CHAINS,
  CLOCK,
  CURRENCIES,
  DEPLOYMENT,
  definePlugin,
  KEYS,
  PRICES,
  QUOTE_ENGINE,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
} from '@causeway/core'
import { quoteRoutes } from './http/quoteRoutes.js'
import { quoteOptions, readSettings } from './options.js'
import { QuoteExtensions } from './service/quoteExtensions.js'
import { QuoteService } from './service/quoteService.js'

/** Quotes and prices: the operations `/quote`, `/quote/v2` and `/price`, and the engine the solver asks. */
export default definePlugin({
  name: '@causeway/plugin-quote',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, PRICES, QUOTE_STORE, CLOCK, KEYS, DEPLOYMENT],
  provides: [QUOTE_ENGINE],
  options: quoteOptions,
  register: ({ provide, options }) => {
    const settings = readSettings(options)
    provide(
      QUOTE_ENGINE,
      (container) =>
        new QuoteService({
          chains: container.resolve(CHAINS),
          currencies: container.resolve(CURRENCIES),
          prices: container.resolve(PRICES),
          store: container.resolve(QUOTE_STORE),
          clock: container.resolve(CLOCK),
          keys: container.resolve(KEYS),
          deployment: container.resolve(DEPLOYMENT),
          settings,
          extensions: () =>
            new QuoteExtensions(
              container.isRegistered(QUOTE_EXTENSIONS, true) ? container.resolveAll(QUOTE_EXTENSIONS).flat() : [],
            ),
        }),
    )
  },
  routes: ({ container, options }) =>
    quoteRoutes({
      engine: container.resolve(QUOTE_ENGINE),
      clock: container.resolve(CLOCK),
      settings: readSettings(options),
    }),
})
