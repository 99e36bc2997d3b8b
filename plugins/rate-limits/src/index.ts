import { CLOCK } from '@causeway/core'
import { definePlugin, ENVIRONMENT, LOGGER, METRICS, POOL, pause, RATE_LIMITER, token } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { createLimiter, openStore } from './createLimiter.js'
import { migrations } from './migrations.js'
import { rateLimitOptions } from './options.js'
import { removeEnded } from './postgresCounter.js'
import type { SharedCounter } from './sharedCounter.js'

const STORE = token<{ opened?: SharedCounter }>('plugin-rate-limits/Store')
const REMOVE_EVERY_MS = 60_000

const removeEndedForEver = async (pool: Pool, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await removeEnded(pool)
    await pause(REMOVE_EVERY_MS, signal)
  }
}

/** Rate limits per key and address. */
export default definePlugin({
  name: '@causeway/plugin-rate-limits',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, ENVIRONMENT, LOGGER, METRICS],
  provides: [RATE_LIMITER],
  options: rateLimitOptions,
  migrations,
  register: ({ container, options, provide }) => {
    const held: { opened?: SharedCounter } = {}
    container.registerInstance(STORE, held)
    provide(RATE_LIMITER, () => {
      const connectionString = container.resolve(POOL).options.connectionString ?? ''
      const store = openStore({ options, connectionString, environment: container.resolve(ENVIRONMENT) })
      if (store !== undefined) held.opened = store
      const [log, metrics, clock] = [container.resolve(LOGGER), container.resolve(METRICS), container.resolve(CLOCK)]
      return createLimiter({ options, store, log, metrics, clock })
    })
  },
  jobs: ({ container, options }) =>
    options.store === 'postgres'
      ? [
          {
            name: 'remove ended rate limits',
            role: 'api',
            run: (signal) => removeEndedForEver(container.resolve(POOL), signal),
          },
        ]
      : [],
  stop: async ({ container }) => {
    await container.resolve(STORE).opened?.close()
  },
})
