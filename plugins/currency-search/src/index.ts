import { readFileSync } from 'node:fs'
import { CLOCK } from '@causeway/core'
import {
  CHAINS,
  CURRENCY_SEARCH_SOURCES,
  definePlugin,
  ENVIRONMENT,
  LOGGER,
  OutgoingHttp,
  type PluginContext,
  token,
} from '@causeway/core/plugin'
import { type OpenSources, openSources } from './openSources.js'
import { type CurrencySearchOptions, currencySearchOptions } from './options.js'

/** HTTP client and sources, opened by the first use in a process. */
interface Opened {
  http?: OutgoingHttp
  sources?: OpenSources
}

const OPENED = token<Opened>('plugin-currency-search/Opened')
/** Maximum of connections to one host. */
const MAX_CONNECTIONS = 4

const openHttp = ({ allowPrivateTargets, caFile }: CurrencySearchOptions): OutgoingHttp =>
  new OutgoingHttp({
    rules: { allowPrivate: allowPrivateTargets },
    ...(caFile === undefined ? {} : { ca: [readFileSync(caFile, 'utf8')] }),
    maxConnections: MAX_CONNECTIONS,
  })

const sourcesOf = ({ container, options }: PluginContext<CurrencySearchOptions>): OpenSources => {
  const opened = container.resolve(OPENED)
  opened.http ??= openHttp(options)
  opened.sources ??= openSources({
    options,
    http: opened.http,
    chains: container.resolve(CHAINS),
    clock: container.resolve(CLOCK),
    environment: container.resolve(ENVIRONMENT),
    log: container.resolve(LOGGER),
  })
  return opened.sources
}

/** Searches for currencies in token lists and token APIs (wire.md 4.1, K.5 1); off without sources. */
export default definePlugin({
  name: '@causeway/plugin-currency-search',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CLOCK, ENVIRONMENT, LOGGER],
  provides: [CURRENCY_SEARCH_SOURCES],
  options: currencySearchOptions,
  register: (context) => {
    const { container, options, provide } = context
    container.registerInstance(OPENED, {})
    const isOn = options.lists.length + options.coingecko.length + options.jupiter.length > 0
    provide(CURRENCY_SEARCH_SOURCES, () => (isOn ? [sourcesOf({ container, options }).search] : []))
  },
  jobs: (context) =>
    context.options.lists.length + context.options.coingecko.length > 0
      ? [{ name: 'currency search lists', role: 'api', run: (signal) => sourcesOf(context).run(signal) }]
      : [],
  stop: async ({ container }) => container.resolve(OPENED).http?.close(),
})
