import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import {
  BALANCE_CURRENCY,
  CHAINS,
  CURRENCY_LISTING,
  type CurrencyListing,
  DEPLOYMENT,
  definePlugin,
  HOLD_RESULTS,
  KEYS,
  METRICS,
  type PluginContext,
  POOL,
  QUOTE_ENGINE,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
  RECIPIENT_SCREENING,
  TRACING,
} from '@causeway/core/plugin'
import { quoteDataRoute } from './http/quoteDataRoute.js'
import { quoteRoutes } from './http/quoteRoutes.js'
import { quoteOptions, readSettings } from './options.js'
import { IntegratorRules } from './rules/integratorRules.js'
import { migrations } from './rules/migrations.js'
import { ruleCommands } from './rules/ruleCommands.js'
import { ObservedQuoteEngine } from './service/observedQuoteEngine.js'
import { QuoteExtensions } from './service/quoteExtensions.js'
import { QuoteService } from './service/quoteService.js'
import { screenRecipient } from './service/route/screening.js'

/** Where no plugin keeps a list beside the configuration. */
const NOTHING_LISTED: CurrencyListing = { find: async (places) => places.map(() => undefined) }

const extensionsOf = (container: PluginContext<unknown>['container']): QuoteExtensions =>
  new QuoteExtensions(
    container.isRegistered(QUOTE_EXTENSIONS, true) ? container.resolveAll(QUOTE_EXTENSIONS).flat() : [],
  )

/** Asked for at the first quote, when every plugin has registered. */
const keyFlagsOf = (container: PluginContext<unknown>['container']): QuoteExtensions['keyFlagOf'] => {
  let extensions: QuoteExtensions | undefined
  return (body) => {
    extensions ??= extensionsOf(container)
    return extensions.keyFlagOf(body)
  }
}

/** Quotes and prices: the operations `/quote`, `/quote/v2`, `/price` and `/integrators/quote-data`, and the engine the solver asks. */
export default definePlugin({
  name: '@causeway/plugin-quote',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [
    CHAINS,
    CURRENCIES,
    PRICES,
    QUOTE_STORE,
    CLOCK,
    KEYS,
    DEPLOYMENT,
    METRICS,
    TRACING,
    POOL,
    BALANCE_CURRENCY,
  ],
  provides: [QUOTE_ENGINE, RECIPIENT_SCREENING],
  options: quoteOptions,
  migrations,
  register: ({ provide, options }) => {
    const settings = readSettings(options)
    provide(RECIPIENT_SCREENING, () => ({ screen: (recipient) => screenRecipient(recipient, settings) }))
    provide(QUOTE_ENGINE, (container) => {
      const metrics = container.resolve(METRICS)
      const holds = metrics.counter({
        name: 'causeway_quote_holds_total',
        help: 'Quotes stored, by whether their fill is held: unheld ones are of callers who hold as much as they may',
        labels: { result: HOLD_RESULTS },
      })
      const engine = new QuoteService({
        onStored: (result) => holds.add({ result }),
        chains: container.resolve(CHAINS),
        currencies: container.resolve(CURRENCIES),
        prices: container.resolve(PRICES),
        store: container.resolve(QUOTE_STORE),
        clock: container.resolve(CLOCK),
        keys: container.resolve(KEYS),
        deployment: container.resolve(DEPLOYMENT),
        settings,
        listing: () =>
          container.isRegistered(CURRENCY_LISTING, true) ? container.resolve(CURRENCY_LISTING) : NOTHING_LISTED,
        rules: new IntegratorRules({ pool: container.resolve(POOL) }),
        balanceCurrency: container.resolve(BALANCE_CURRENCY),
        extensions: () => extensionsOf(container),
      })
      return new ObservedQuoteEngine({
        engine,
        metrics,
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
      keyFlagOf: keyFlagsOf(container),
    }),
    quoteDataRoute({ store: container.resolve(QUOTE_STORE) }),
  ],
  start: async ({ container }) => {
    // Two that do not go together stop the host now, not at the first quote.
    extensionsOf(container)
  },
  commands: ({ container }) =>
    ruleCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      chains: container.resolve(CHAINS),
    }),
})
