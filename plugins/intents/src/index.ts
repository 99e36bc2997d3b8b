import { CHAINS, definePlugin, REQUESTS, TRACKED_REQUESTS } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { statusRoutes } from './statusRoutes.js'
import { trackRoute } from './trackRoute.js'

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

/** Tells clients where their request stands. */
export default definePlugin({
  name: '@causeway/plugin-intents',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [REQUESTS, TRACKED_REQUESTS, CHAINS],
  options: intentsOptions,
  routes: ({ container, options }) => {
    const requests = container.resolve(REQUESTS)
    return [
      ...statusRoutes({ requests, statusV1Words: options.statusV1Words }),
      trackRoute({ requests, tracked: container.resolve(TRACKED_REQUESTS), chains: container.resolve(CHAINS) }),
    ]
  },
})
