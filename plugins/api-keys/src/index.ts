import { CLOCK, DEPLOYMENT, definePlugin, INTEGRATOR_AUTH, KEYS, LOGGER, listen, POOL, token } from '@causeway/core'
import { Type } from '@sinclair/typebox'
import type { DependencyContainer } from 'tsyringe'
import { ApiKeyAuth } from './apiKeyAuth.js'
import { API_KEYS_CHANNEL } from './apiKeyStore.js'
import { Background } from './background.js'
import { keyCommands } from './keyCommands.js'
import { KeyUsage } from './keyUsage.js'
import { migrations } from './migrations.js'
import { openVault } from './openVault.js'

const BACKGROUND = token<Background>('plugin-api-keys/Background')
const USAGE = token<KeyUsage>('plugin-api-keys/KeyUsage')

/** Made where a listener asks for it; a process that serves no HTTP needs no master key. */
const createAuth = (container: DependencyContainer): ApiKeyAuth => {
  const pool = container.resolve(POOL)
  const usage = container.resolve(USAGE)
  const background = container.resolve(BACKGROUND)
  const auth = new ApiKeyAuth({
    pool,
    vault: openVault(container.resolve(KEYS)),
    now: () => performance.now(),
    onUse: (id) => usage.note(id),
  })
  usage.start(background.signal)
  const { connectionString } = pool.options
  if (connectionString !== undefined) {
    const forget = () => auth.forget()
    const channels = [API_KEYS_CHANNEL]
    const options = { connectionString, channels, onNotification: forget, onConnect: forget }
    background.add(listen(options, background.signal))
  }
  return auth
}

/** Integrators and their API keys: who is calling. */
export default definePlugin({
  name: '@causeway/plugin-api-keys',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, KEYS, DEPLOYMENT, LOGGER],
  provides: [INTEGRATOR_AUTH],
  options: Type.Object({}, { additionalProperties: false }),
  migrations,
  register: ({ container, provide }) => {
    container.registerInstance(BACKGROUND, new Background())
    const pool = container.resolve(POOL)
    container.registerInstance(
      USAGE,
      new KeyUsage({ pool, clock: container.resolve(CLOCK), log: container.resolve(LOGGER) }),
    )
    provide(INTEGRATOR_AUTH, () => createAuth(container))
  },
  commands: ({ container }) =>
    keyCommands({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      deployment: container.resolve(DEPLOYMENT),
      vault: () => openVault(container.resolve(KEYS)),
      environment: process.env,
    }),
  stop: async ({ container }) => {
    await container.resolve(BACKGROUND).stop()
    await container.resolve(USAGE).flush()
  },
})
