import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { lighterAdapter } from './adapter.js'
import { lighterOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type LighterAdapter, lighterAdapter } from './adapter.js'
export { NATIVE } from './address/addresses.js'
export { LIGHTER_CHAIN_ID, LIGHTER_TESTNET_CHAIN_ID, type LighterOptions, lighterOptions } from './options.js'

export { type ApiKeyRequest, type RegisteredApiKey, registerApiKey } from './setup/registerApiKey.js'

/** Chain package of Lighter and its test network. */
export default defineChainPackage({
  name: '@causeway/chain-lvm',
  version,
  vmType: 'lvm',
  coreRange: '^1.0.0',
  options: lighterOptions,
  create: async (options, deps) => lighterAdapter(options, deps),
  setup: async () => (await import('./setup/lighterSetup.js')).lighterSetup,
})
