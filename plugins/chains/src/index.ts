import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import {
  CHAINS,
  DEPLOYMENT,
  definePlugin,
  PERMIT_HANDLERS,
  PermitSupport,
  type PluginContext,
  POOL,
  QUOTE_STORE,
  type Route,
  token,
} from '@causeway/core/plugin'
import type { Static } from '@sinclair/typebox'
import { BalanceReader } from './balanceReader.js'
import { ChainCatalogue } from './chainCatalogue.js'
import { type ChainListing, chainsOptions } from './chainsOptions.js'
import { chainsRoute } from './chainsRoute.js'
import { configRoutes } from './config/configRoutes.js'
import { RouteConfig } from './config/routeConfig.js'
import { ChainHealth } from './health/chainHealth.js'
import { DatabaseProbe } from './health/databaseProbe.js'
import { HeadWatch } from './health/headWatch.js'
import { healthRoute } from './health/healthRoute.js'
import { livesRoute } from './health/livesRoute.js'
import { liquidityRoute } from './liquidityRoute.js'
import { swapSourcesRoute } from './swapSourcesRoute.js'
import { WatcherCursors } from './watcherCursors.js'

const HEADS = token<HeadWatch>('plugin-chains/HeadWatch')
const STOP = token<AbortController>('plugin-chains/Stop')
const now = (): number => performance.now()

const BALANCES_KEEP_MS = 5_000

type Context = PluginContext<Static<typeof chainsOptions>>

const listingOf =
  ({ options }: Context) =>
  (chainId: number): ChainListing =>
    options.chains[String(chainId)] ?? {}

const makeRoutes = (context: Context): readonly Route[] => {
  const { container, options } = context
  const handlers = container.isRegistered(PERMIT_HANDLERS, true) ? container.resolve(PERMIT_HANDLERS) : []
  const parts = {
    chains: container.resolve(CHAINS),
    currencies: container.resolve(CURRENCIES),
    pool: container.resolve(POOL),
    clock: container.resolve(CLOCK),
    prices: container.resolve(PRICES),
    store: container.resolve(QUOTE_STORE),
    deployment: container.resolve(DEPLOYMENT),
    heads: container.resolve(HEADS),
    permits: new PermitSupport({ handlers, now }),
    balances: new BalanceReader({ keepMs: BALANCES_KEEP_MS, now }),
    listing: listingOf(context),
    now,
  }
  const health = new ChainHealth({ ...parts, cursors: new WatcherCursors(parts) })
  return [
    chainsRoute(new ChainCatalogue(parts)),
    liquidityRoute(parts),
    swapSourcesRoute(parts),
    healthRoute({ ...parts, health }),
    ...configRoutes({ ...parts, config: new RouteConfig(parts) }),
    livesRoute({ ...parts, database: new DatabaseProbe({ ...parts, timeoutMs: options.databaseTimeoutMs }) }),
  ]
}

/** The catalogue of chains, what the solver can do on them, and whether the service lives. */
export default definePlugin({
  name: '@causeway/plugin-chains',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, DEPLOYMENT, POOL, CLOCK, PRICES, QUOTE_STORE],
  options: chainsOptions,
  register: (context) => {
    const { container } = context
    const deps = { chains: container.resolve(CHAINS), clock: container.resolve(CLOCK), listing: listingOf(context) }
    container.registerInstance(HEADS, new HeadWatch(deps))
    container.registerInstance(STOP, new AbortController())
  },
  routes: makeRoutes,
  start: async ({ container }) => container.resolve(HEADS).start(container.resolve(STOP).signal),
  stop: async ({ container }) => container.resolve(STOP).abort(),
})
