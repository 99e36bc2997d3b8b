import { CURRENCIES } from '@causeway/core'
import {
  CHAINS,
  definePlugin,
  KEY_OWNERSHIP,
  KEYS,
  LEASES,
  METRICS,
  type PluginContext,
  POOL,
  RecordCursor,
  RecordSearch,
  SEARCH_POOL,
} from '@causeway/core/plugin'
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

export { RecordProjection } from './records/recordProjection.js'
export { RecordTexts } from './records/recordTexts.js'

/** History of requests: finds any transfer by any fact, and keeps its record written. */
export default definePlugin({
  name: '@causeway/plugin-requests-v3',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, SEARCH_POOL, CHAINS, CURRENCIES, KEYS, LEASES, METRICS, KEY_OWNERSHIP],
  options: requestsOptions,
  migrations,
  routes: (context) => {
    const { container, options } = context
    const pool = container.resolve(POOL)
    const { partnerKey } = options
    return [
      requestsRoute({
        pool,
        partnerKey,
        chains: container.resolve(CHAINS),
        ownership: container.resolve(KEY_OWNERSHIP),
        search: new RecordSearch({ pool: container.resolve(SEARCH_POOL) }),
        texts: textsOf(context),
        cursor: once(() => new RecordCursor(container.resolve(KEYS).derive('records/cursor'))),
      }),
      metadataRoute({ pool, partnerKey }),
    ]
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
