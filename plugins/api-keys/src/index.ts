import {
  API_KEYS_CHANNEL,
  CHAINS,
  CLOCK,
  DEPLOYMENT,
  definePlugin,
  INTEGRATOR_AUTH,
  KEY_OWNERSHIP,
  KEYS,
  LOGGER,
  NOTIFIER,
  POOL,
  token,
} from '@causeway/core'
import { Type } from '@sinclair/typebox'
import type { DependencyContainer } from 'tsyringe'
import { ApiKeyAuth } from './apiKeyAuth.js'
import { apiKeyCommands } from './apiKeyCommands.js'
import { dashboardCommands } from './dashboard/dashboardCommands.js'
import { dashboardOption, dashboardSettings } from './dashboard/dashboardOptions.js'
import { dashboardRoutes } from './dashboard/dashboardRoutes.js'
import { KeyOwners } from './keyOwners.js'
import { openKeyRing } from './keyRing.js'
import { KeyUsage } from './keyUsage.js'
import { migrations } from './migrations.js'
import { proxyOrigins } from './proxyOrigins.js'
import { readPiped } from './readPiped.js'

const STOP = token<AbortController>('plugin-api-keys/Stop')
const USAGE = token<KeyUsage>('plugin-api-keys/KeyUsage')

const options = Type.Object(
  {
    maxKeysPerIntegrator: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 50,
      description: 'The most keys of one integrator that are not revoked.',
    }),
    proxy: Type.Object(
      {
        origins: Type.Array(
          Type.Object(
            {
              origin: Type.String({ maxLength: 300, description: 'Scheme, host and port: `https://app.example`.' }),
              key: Type.String({
                pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
                description: 'Id of the key, from `causeway api-keys list`.',
              }),
            },
            { additionalProperties: false },
          ),
          { maxItems: 1000, default: [], description: 'Browser origins whose calls get a key.' },
        ),
      },
      { additionalProperties: false, default: { origins: [] }, description: 'Adds keys to calls of browsers.' },
    ),
    dashboard: dashboardOption,
  },
  { additionalProperties: false },
)

/** Made where a listener asks for it; a process that serves no HTTP needs no master key. */
const createAuth = (container: DependencyContainer, origins: ReadonlyMap<string, string>): ApiKeyAuth => {
  const pool = container.resolve(POOL)
  const usage = container.resolve(USAGE)
  const { signal } = container.resolve(STOP)
  const auth = new ApiKeyAuth({
    pool,
    ring: openKeyRing(container.resolve(KEYS)),
    origins,
    now: () => performance.now(),
    onUse: (id) => usage.note(id),
  })
  usage.start(signal)
  container.resolve(NOTIFIER).on(API_KEYS_CHANNEL, () => auth.forget(), signal)
  return auth
}

const createOwners = (container: DependencyContainer): KeyOwners => {
  const ring = openKeyRing(container.resolve(KEYS))
  const owners = new KeyOwners({ pool: container.resolve(POOL), ring, now: () => performance.now() })
  const { signal } = container.resolve(STOP)
  container.resolve(NOTIFIER).on(API_KEYS_CHANNEL, () => owners.forget(), signal)
  return owners
}

/** Integrators and their API keys: who is calling. */
export default definePlugin({
  name: '@causeway/plugin-api-keys',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, KEYS, DEPLOYMENT, CHAINS, LOGGER, NOTIFIER],
  provides: [INTEGRATOR_AUTH, KEY_OWNERSHIP],
  options,
  migrations,
  register: ({ container, provide, options: { proxy } }) => {
    const origins = proxyOrigins(proxy.origins)
    container.registerInstance(STOP, new AbortController())
    const pool = container.resolve(POOL)
    container.registerInstance(
      USAGE,
      new KeyUsage({ pool, clock: container.resolve(CLOCK), log: container.resolve(LOGGER) }),
    )
    provide(INTEGRATOR_AUTH, () => createAuth(container, origins))
    provide(KEY_OWNERSHIP, () => createOwners(container))
  },
  routes: ({ container, options }) => {
    const settings = dashboardSettings(options.dashboard)
    if (settings === null) return []
    return dashboardRoutes({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      keys: container.resolve(KEYS),
      deployment: container.resolve(DEPLOYMENT),
      chains: container.resolve(CHAINS),
      settings,
      maxKeys: options.maxKeysPerIntegrator,
      signal: container.resolve(STOP).signal,
    })
  },
  commands: ({ container, options }) => [
    ...apiKeyCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      deployment: container.resolve(DEPLOYMENT),
      keys: container.resolve(KEYS),
      maxKeys: options.maxKeysPerIntegrator,
      environment: process.env,
      readInput: readPiped,
    }),
    ...dashboardCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      keys: container.resolve(KEYS),
    }),
  ],
  stop: async ({ container }) => {
    container.resolve(STOP).abort()
    await container.resolve(USAGE).flush()
  },
})
