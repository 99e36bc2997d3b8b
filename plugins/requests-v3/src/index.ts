import { CLOCK, CURRENCIES } from '@causeway/core'
import {
  CHAINS,
  definePlugin,
  KEY_OWNERSHIP,
  KEYS,
  LEASES,
  METRICS,
  managementGateOf,
  type PluginContext,
  POOL,
  RecordCursor,
  RecordSearch,
  SEARCH_POOL,
} from '@causeway/core/plugin'
import { csvRoute } from './dashboard/csvRoute.js'
import { sessionHistoryRoute } from './dashboard/historyRoute.js'
import { viewRoutes } from './dashboard/viewRoutes.js'
import { ViewStore } from './dashboard/viewStore.js'
import type { HistoryDeps } from './historyPage.js'
import { metadataRoute } from './metadataRoute.js'
import { migrations } from './migrations.js'
import { type RequestsOptions, requestsOptions } from './options.js'
import { RecordProjection } from './records/recordProjection.js'
import { RecordTexts } from './records/recordTexts.js'
import { requestsRoute } from './requestsRoute.js'

const textsOf = ({ container, options }: PluginContext<RequestsOptions>): RecordTexts =>
  new RecordTexts({
    currencies: container.resolve(CURRENCIES),
    chains: container.resolve(CHAINS),
    partnerKey: options.partnerKey,
  })

/** A value made when first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** For people who are signed in, where anybody can. */
const sessionRoutes = ({ container, options }: PluginContext<RequestsOptions>, history: HistoryDeps) => {
  const gate = managementGateOf(container)
  if (gate === null) return []
  const views = new ViewStore({ pool: history.pool, clock: container.resolve(CLOCK) })
  return [
    sessionHistoryRoute({ ...history, gate }),
    csvRoute({ ...history, gate }, options.fileRequests),
    ...viewRoutes({ gate, views }),
  ]
}

export { RecordProjection } from './records/recordProjection.js'
export { packRecord, RecordTexts, unpackRecord } from './records/recordTexts.js'

/** History of requests: finds any transfer by any fact, and keeps its record written. */
export default definePlugin({
  name: '@causeway/plugin-requests-v3',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, SEARCH_POOL, CHAINS, CURRENCIES, KEYS, LEASES, METRICS, KEY_OWNERSHIP],
  options: requestsOptions,
  migrations,
  routes: (context) => {
    const { container, options } = context
    const pool = container.resolve(POOL)
    const { partnerKey } = options
    const history = {
      pool,
      partnerKey,
      chains: container.resolve(CHAINS),
      ownership: container.resolve(KEY_OWNERSHIP),
      search: new RecordSearch({ pool: container.resolve(SEARCH_POOL) }),
      texts: textsOf(context),
      cursor: once(() => new RecordCursor(container.resolve(KEYS).derive('records/cursor'))),
    }
    return [requestsRoute(history), metadataRoute({ pool, partnerKey }), ...sessionRoutes(context, history)]
  },
  jobs: (context) => {
    const { container, options } = context
    const projection = new RecordProjection({
      pool: container.resolve(POOL),
      leases: container.resolve(LEASES),
      texts: textsOf(context),
      settings: options,
    })
    container.resolve(METRICS).addSource(projection.gauges)
    return [{ name: 'records', role: 'api', run: (signal) => projection.run(signal) }]
  },
})
