import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import {
  CHAINS,
  definePlugin,
  KEY_OWNERSHIP,
  KEYS,
  type PluginContext,
  POOL,
  RecordCursor,
  RecordSearch,
  SEARCH_POOL,
} from '@causeway/core/plugin'
import { Deprecation } from './deprecation.js'
import { type RequestsV2Options, requestsV2Options } from './options.js'
import { RequestPages } from './requestPages.js'
import { legacyRequestsRoute, migrationGuideRoute, requestsV2Route, signatureRoutes } from './routes.js'

const pagesOf = ({ container, options }: PluginContext<RequestsV2Options>): RequestPages => {
  const pool = container.resolve(POOL)
  const chains = container.resolve(CHAINS)
  const currencies = container.resolve(CURRENCIES)
  let cursor: RecordCursor | undefined
  return new RequestPages({
    pool,
    chains,
    currencies,
    prices: container.resolve(PRICES),
    ownership: container.resolve(KEY_OWNERSHIP),
    search: new RecordSearch({ pool: container.resolve(SEARCH_POOL) }),
    context: { currencies, chains, partnerKey: options.partnerKey },
    cursor: () => {
      cursor ??= new RecordCursor(container.resolve(KEYS).derive('records/cursor'))
      return cursor
    },
  })
}

/** The older histories of requests: version 2 until it is retired, version 1, and what was removed. */
export default definePlugin({
  name: '@causeway/plugin-requests-v2',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, SEARCH_POOL, CHAINS, CURRENCIES, KEYS, KEY_OWNERSHIP, PRICES, CLOCK],
  options: requestsV2Options,
  routes: (context) => {
    const { container, options } = context
    const pages = pagesOf(context)
    const deprecation = new Deprecation({ options, clock: container.resolve(CLOCK) })
    return [
      requestsV2Route(pages, deprecation, options.partnerKey),
      migrationGuideRoute(deprecation),
      legacyRequestsRoute(pages),
      ...signatureRoutes(),
    ]
  },
})
