import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { hypeAdapter } from './adapter.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { hypeOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type HypeAdapter, hypeAdapter } from './adapter.js'
export { NATIVE } from './address/addresses.js'
export { HYPERLIQUID_CHAIN_ID, HYPERLIQUID_TESTNET_CHAIN_ID, type HypeOptions, hypeOptions } from './options.js'

/** Chain package of Hyperliquid and its test network. */
export default defineChainPackage({
  name: '@causeway/chain-hypevm',
  version,
  vmType: 'hypevm',
  coreRange: '^1.0.0',
  options: hypeOptions,
  create: async (options, deps) => hypeAdapter(options, deps),
  addressOptions: (seed) => ({ depositKey: depositKeyOf(seed) }),
  setup: async () => (await import('./setup/hypeSetup.js')).hypeSetup,
})
