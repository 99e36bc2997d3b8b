import { CLOCK } from '@causeway/core'
import {
  CHAINS,
  DEPOSIT_HINTS,
  definePlugin,
  findDirectTerms,
  noteDirectTransactions,
  POOL,
  REQUESTS,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { indexRoute } from './indexRoute.js'
import { type DirectReports, singleRoute } from './singleRoute.js'
import { statusRoute } from './statusRoute.js'

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
  requires: [CHAINS, REQUESTS, DEPOSIT_HINTS, POOL, CLOCK],
  options: transactionsOptions,
  routes: ({ container, options }) => {
    const chains = container.resolve(CHAINS)
    const hints = container.resolve(DEPOSIT_HINTS)
    const requests = container.resolve(REQUESTS)
    const [pool, clock] = [container.resolve(POOL), container.resolve(CLOCK)]
    const reports: DirectReports = {
      note: async (chainId, requestId, txId, reporter) => {
        const terms = (await findDirectTerms(pool, [requestId])).get(requestId)
        if (terms?.origin.chainId !== chainId) return
        await noteDirectTransactions(pool, { chainId, reporter }, [{ requestId, txId }], clock.now())
      },
    }
    return [
      indexRoute({ chains, hints, lookupTimeoutMs: options.lookupTimeoutMs }),
      singleRoute({ chains, hints, reports }),
      statusRoute({ chains, requests, lookupTimeoutMs: options.lookupTimeoutMs }),
    ]
  },
})
