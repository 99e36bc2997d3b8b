import {
  CHAINS,
  CLOCK,
  CURRENCIES,
  DEPLOYMENT,
  definePlugin,
  KEYS,
  METRICS,
  POOL,
  PRICES,
  QUOTE_ENGINE,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
  TRACING,
} from '@causeway/core'
import { quoteDataRoute } from './http/quoteDataRoute.js'
import { quoteRoutes } from './http/quoteRoutes.js'
import { quoteOptions, readSettings } from './options.js'
import { IntegratorRules } from './rules/integratorRules.js'
import { migrations } from './rules/migrations.js'
import { ruleCommands } from './rules/ruleCommands.js'
import { ObservedQuoteEngine } from './service/observedQuoteEngine.js'
import { QuoteExtensions } from './service/quoteExtensions.js'
import { QuoteService } from './service/quoteService.js'

/** Quotes and prices: the operations `/quote`, `/quote/v2`, `/price` and `/integrators/quote-data`, and the engine the solver asks. */
export default definePlugin({
  name: '@causeway/plugin-quote',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, PRICES, QUOTE_STORE, CLOCK, KEYS, DEPLOYMENT, METRICS, TRACING, POOL],
  provides: [QUOTE_ENGINE],
  options: quoteOptions,
  migrations,
  register: ({ provide, options }) => {
    const settings = readSettings(options)
    provide(QUOTE_ENGINE, (container) => {
      const engine = new QuoteService({
        chains: container.resolve(CHAINS),
        currencies: container.resolve(CURRENCIES),
        prices: container.resolve(PRICES),
        store: container.resolve(QUOTE_STORE),
        clock: container.resolve(CLOCK),
        keys: container.resolve(KEYS),
        deployment: container.resolve(DEPLOYMENT),
        settings,
        rules: new IntegratorRules({ pool: container.resolve(POOL) }),
        extensions: () =>
          new QuoteExtensions(
            container.isRegistered(QUOTE_EXTENSIONS, true) ? container.resolveAll(QUOTE_EXTENSIONS).flat() : [],
          ),
      })
      return new ObservedQuoteEngine({
        engine,
        metrics: container.resolve(METRICS),
        tracing: container.resolve(TRACING),
        chains: container.resolve(CHAINS),
        currencies: container.resolve(CURRENCIES),
      })
    })
  },
  routes: ({ container, options }) => [
    ...quoteRoutes({
      engine: container.resolve(QUOTE_ENGINE),
      clock: container.resolve(CLOCK),
      settings: readSettings(options),
    }),
    quoteDataRoute({ store: container.resolve(QUOTE_STORE) }),
  ],
  commands: ({ container }) =>
    ruleCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      chains: container.resolve(CHAINS),
    }),
})
