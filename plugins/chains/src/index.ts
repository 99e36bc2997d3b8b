import { CHAINS, CLOCK, CURRENCIES, DEPLOYMENT, definePlugin, POOL, token } from '@causeway/core'
import { ChainCatalogue } from './chainCatalogue.js'
import { chainsOptions } from './chainsOptions.js'
import { chainsRoute } from './chainsRoute.js'
import { DatabaseProbe } from './databaseProbe.js'
import { HeadWatch } from './headWatch.js'
import { livesRoute } from './livesRoute.js'

const HEADS = token<HeadWatch>('plugin-chains/HeadWatch')
const STOP = token<AbortController>('plugin-chains/Stop')
const now = (): number => performance.now()

/** The catalogue of chains, and whether the service lives. */
export default definePlugin({
  name: '@causeway/plugin-chains',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, DEPLOYMENT, POOL, CLOCK],
  options: chainsOptions,
  register: ({ container, options }) => {
    const listing = (chainId: number) => options.chains[String(chainId)] ?? {}
    const deps = { chains: container.resolve(CHAINS), clock: container.resolve(CLOCK), listing }
    container.registerInstance(HEADS, new HeadWatch(deps))
    container.registerInstance(STOP, new AbortController())
  },
  routes: ({ container, options }) => {
    const chains = container.resolve(CHAINS)
    const heads = container.resolve(HEADS)
    const listing = (chainId: number) => options.chains[String(chainId)] ?? {}
    const currencies = container.resolve(CURRENCIES)
    const database = new DatabaseProbe({ pool: container.resolve(POOL), timeoutMs: options.databaseTimeoutMs, now })
    return [
      chainsRoute(new ChainCatalogue({ chains, currencies, heads, listing, now })),
      livesRoute({ chains, database, deployment: container.resolve(DEPLOYMENT), heads }),
    ]
  },
  start: async ({ container }) => container.resolve(HEADS).start(container.resolve(STOP).signal),
  stop: async ({ container }) => container.resolve(STOP).abort(),
})
