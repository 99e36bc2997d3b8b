import { CLOCK } from '@causeway/core'
import {
  definePlugin,
  ENVIRONMENT,
  KEY_LIMITS,
  LOGGER,
  METRICS,
  POOL,
  pause,
  RATE_LIMITER,
  token,
} from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { createLimits, type Limits, openStore } from './createLimiter.js'
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

/** A value made when first asked for: both that tell of limits count in one place. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Rate limits per key and address. */
export default definePlugin({
  name: '@causeway/plugin-rate-limits',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, ENVIRONMENT, LOGGER, METRICS],
  provides: [RATE_LIMITER, KEY_LIMITS],
  options: rateLimitOptions,
  migrations,
  register: ({ container, options, provide }) => {
    const held: { opened?: SharedCounter } = {}
    container.registerInstance(STORE, held)
    const limits = once((): Limits => {
      const connectionString = container.resolve(POOL).options.connectionString ?? ''
      const store = openStore({ options, connectionString, environment: container.resolve(ENVIRONMENT) })
      if (store !== undefined) held.opened = store
      const [log, metrics, clock] = [container.resolve(LOGGER), container.resolve(METRICS), container.resolve(CLOCK)]
      return createLimits({ options, store, log, metrics, clock })
    })
    provide(RATE_LIMITER, () => limits().limiter)
    provide(KEY_LIMITS, () => limits().keyLimits)
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
