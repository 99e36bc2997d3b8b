import {
  API_KEYS_CHANNEL,
  CLOCK,
  DEPLOYMENT,
  definePlugin,
  INTEGRATOR_AUTH,
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
import { KeyUsage } from './keyUsage.js'
import { migrations } from './migrations.js'
import { openVault } from './openVault.js'
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
  },
  { additionalProperties: false },
)

/** Made where a listener asks for it; a process that serves no HTTP needs no master key. */
const createAuth = (container: DependencyContainer): ApiKeyAuth => {
  const pool = container.resolve(POOL)
  const usage = container.resolve(USAGE)
  const { signal } = container.resolve(STOP)
  const auth = new ApiKeyAuth({
    pool,
    vault: openVault(container.resolve(KEYS)),
    now: () => performance.now(),
    onUse: (id) => usage.note(id),
  })
  usage.start(signal)
  container.resolve(NOTIFIER).on(API_KEYS_CHANNEL, () => auth.forget(), signal)
  return auth
}

/** Integrators and their API keys: who is calling. */
export default definePlugin({
  name: '@causeway/plugin-api-keys',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, KEYS, DEPLOYMENT, LOGGER, NOTIFIER],
  provides: [INTEGRATOR_AUTH],
  options,
  migrations,
  register: ({ container, provide }) => {
    container.registerInstance(STOP, new AbortController())
    const pool = container.resolve(POOL)
    container.registerInstance(
      USAGE,
      new KeyUsage({ pool, clock: container.resolve(CLOCK), log: container.resolve(LOGGER) }),
    )
    provide(INTEGRATOR_AUTH, () => createAuth(container))
  },
  commands: ({ container, options }) =>
    apiKeyCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      deployment: container.resolve(DEPLOYMENT),
      keys: container.resolve(KEYS),
      maxKeys: options.maxKeysPerIntegrator,
      environment: process.env,
      readInput: readPiped,
    }),
  stop: async ({ container }) => {
    container.resolve(STOP).abort()
    await container.resolve(USAGE).flush()
  },
})
