import { CHAINS, CLOCK, DEPOSIT_HINTS, definePlugin, LOGGER, POOL, REQUESTS, token } from '@causeway/core'
import { Type } from '@sinclair/typebox'
import { DirectReports } from './directReports.js'
import { indexRoute } from './indexRoute.js'
import { singleRoute } from './singleRoute.js'
import { statusRoute } from './statusRoute.js'

const DIRECT_REPORTS = token<DirectReports>('transactions/DirectReports')

/** Options of the plugin in the configuration. */
export const transactionsOptions = Type.Object(
  {
    lookupTimeoutMs: Type.Integer({
      minimum: 100,
      maximum: 20_000,
      default: 3000,
      description: 'How long a chain may take to say what it knows of a transaction',
    }),
  },
  { additionalProperties: false },
)

/** Takes hints about transactions and tells their state. */
export default definePlugin({
  name: '@causeway/plugin-transactions',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, REQUESTS, DEPOSIT_HINTS, POOL, CLOCK, LOGGER],
  options: transactionsOptions,
  register: ({ container }) => {
    const [pool, clock, log] = [container.resolve(POOL), container.resolve(CLOCK), container.resolve(LOGGER)]
    container.registerInstance(DIRECT_REPORTS, new DirectReports({ pool, clock, log }))
  },
  routes: ({ container, options }) => {
    const chains = container.resolve(CHAINS)
    const hints = container.resolve(DEPOSIT_HINTS)
    const requests = container.resolve(REQUESTS)
    return [
      indexRoute({ chains, hints, lookupTimeoutMs: options.lookupTimeoutMs }),
      singleRoute({ chains, hints, reports: container.resolve(DIRECT_REPORTS) }),
      statusRoute({ chains, requests, lookupTimeoutMs: options.lookupTimeoutMs }),
    ]
  },
  stop: async ({ container }) => container.resolve(DIRECT_REPORTS).stop(),
})
