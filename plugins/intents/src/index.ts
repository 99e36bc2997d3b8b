import { CURRENCIES } from '@causeway/core'
import { CHAINS, definePlugin, REQUESTS, TRACKED_REQUESTS, TRANSFER_ANSWERS, token } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { statusRoutes } from './statusRoutes.js'
import { TrackedTransfers, trackRoute } from './trackRoute.js'

/** Options of the plugin in the configuration. */
export const intentsOptions = Type.Object(
  {
    statusV1Words: Type.Union([Type.Literal('v3'), Type.Literal('legacy')], {
      default: 'v3',
      description: 'Words of /intents/status: those of v3, or the old ones (refund shows as fallback)',
    }),
  },
  { additionalProperties: false },
)

const TRANSFERS = token<TrackedTransfers>('intents/TrackedTransfers')

/** Tells clients where their request stands. */
export default definePlugin({
  name: '@causeway/plugin-intents',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [REQUESTS, TRACKED_REQUESTS, CHAINS, CURRENCIES],
  provides: [TRANSFER_ANSWERS],
  options: intentsOptions,
  register: ({ container, provide }) => {
    container.register(TRANSFERS, {
      useFactory: (services) =>
        new TrackedTransfers({
          requests: services.resolve(REQUESTS),
          chains: services.resolve(CHAINS),
          currencies: services.resolve(CURRENCIES),
        }),
    })
    provide(TRANSFER_ANSWERS, () => container.resolve(TRANSFERS))
  },
  routes: ({ container, options }) => [
    ...statusRoutes({
      requests: container.resolve(REQUESTS),
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      statusV1Words: options.statusV1Words,
    }),
    trackRoute({
      transfers: container.resolve(TRANSFERS),
      tracked: container.resolve(TRACKED_REQUESTS),
      chains: container.resolve(CHAINS),
    }),
  ],
})
