import { CLOCK } from '@causeway/core'
import {
  API_KEYS_CHANNEL,
  CHAINS,
  DEPLOYMENT,
  definePlugin,
  ENVIRONMENT,
  INTEGRATOR_AUTH,
  KEY_LIMITS,
  KEY_OWNERSHIP,
  KEY_SECRETS,
  KEY_USES,
  KEYS,
  LOGGER,
  MANAGEMENT_GATE,
  NOTIFIER,
  POOL,
  token,
  WALLET_SIGNATURES,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { DependencyContainer } from 'tsyringe'
import { ApiKeyAuth } from './apiKeyAuth.js'
import { apiKeyCommands } from './apiKeyCommands.js'
import { dashboardCommands } from './dashboard/dashboardCommands.js'
import { dashboardOption, dashboardSettings } from './dashboard/dashboardOptions.js'
import { type Dashboard, openDashboard } from './dashboard/openDashboard.js'
import { migrations } from './migrations.js'
import { proxyOrigins } from './proxyOrigins.js'
import { readPiped } from './readPiped.js'
import { KeyOwners } from './store/keyOwners.js'
import { openKeyRing } from './store/keyRing.js'
import { StoredKeySecrets } from './store/keySecrets.js'
import { KeyUsage } from './store/keyUsage.js'

const STOP = token<AbortController>('plugin-api-keys/Stop')
const USAGE = token<KeyUsage>('plugin-api-keys/KeyUsage')
const DASHBOARD = token<() => Dashboard | null>('plugin-api-keys/Dashboard')

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

const createSecrets = (container: DependencyContainer): StoredKeySecrets => {
  const ring = openKeyRing(container.resolve(KEYS))
  const secrets = new StoredKeySecrets({ pool: container.resolve(POOL), ring, now: () => performance.now() })
  const { signal } = container.resolve(STOP)
  container.resolve(NOTIFIER).on(API_KEYS_CHANNEL, () => secrets.forget(), signal)
  return secrets
}

const createDashboard = (container: DependencyContainer, given: Static<typeof options>): Dashboard | null => {
  const settings = dashboardSettings(given.dashboard)
  if (settings === null) return null
  return openDashboard({
    pool: container.resolve(POOL),
    clock: container.resolve(CLOCK),
    keys: container.resolve(KEYS),
    deployment: container.resolve(DEPLOYMENT),
    chains: container.resolve(CHAINS),
    signatures: container.resolve(WALLET_SIGNATURES),
    settings,
    maxKeys: given.maxKeysPerIntegrator,
    uses: () => (container.isRegistered(KEY_USES, true) ? container.resolve(KEY_USES) : null),
    limits: () => (container.isRegistered(KEY_LIMITS, true) ? container.resolve(KEY_LIMITS) : null),
    signal: container.resolve(STOP).signal,
  })
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Integrators and their API keys: who is calling. */
export default definePlugin({
  name: '@causeway/plugin-api-keys',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, KEYS, DEPLOYMENT, ENVIRONMENT, CHAINS, WALLET_SIGNATURES, LOGGER, NOTIFIER],
  provides: [INTEGRATOR_AUTH, KEY_OWNERSHIP, KEY_SECRETS, MANAGEMENT_GATE],
  options,
  migrations,
  register: ({ container, provide, options: given }) => {
    const origins = proxyOrigins(given.proxy.origins)
    container.registerInstance(STOP, new AbortController())
    const pool = container.resolve(POOL)
    container.registerInstance(
      USAGE,
      new KeyUsage({ pool, clock: container.resolve(CLOCK), log: container.resolve(LOGGER) }),
    )
    provide(INTEGRATOR_AUTH, () => createAuth(container, origins))
    provide(KEY_OWNERSHIP, () => createOwners(container))
    provide(KEY_SECRETS, () => createSecrets(container))
    container.registerInstance(
      DASHBOARD,
      once(() => createDashboard(container, given)),
    )
    provide(MANAGEMENT_GATE, () => ({ gate: container.resolve(DASHBOARD)()?.management ?? null }))
  },
  routes: ({ container }) => container.resolve(DASHBOARD)()?.routes ?? [],
  commands: ({ container, options }) => [
    ...apiKeyCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      deployment: container.resolve(DEPLOYMENT),
      keys: container.resolve(KEYS),
      maxKeys: options.maxKeysPerIntegrator,
      environment: container.resolve(ENVIRONMENT),
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
