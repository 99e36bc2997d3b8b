import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { tronAdapter } from './adapter.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { tronOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type TronAdapter, tronAdapter } from './adapter.js'
export { NATIVE } from './address/addresses.js'
export { NILE_CHAIN_ID, SHASTA_CHAIN_ID, TRON_CHAIN_ID, type TronOptions, tronOptions } from './options.js'

/** Chain package of Tron and its test networks. */
export default defineChainPackage({
  name: '@causeway/chain-tvm',
  version,
  vmType: 'tvm',
  coreRange: '^1.0.0',
  options: tronOptions,
  create: async (options, deps) => tronAdapter(options, deps),
  addressOptions: (seed): Readonly<Record<string, string>> => ({ depositKey: depositKeyOf(seed) }),
  setup: async () => (await import('./setup/tronSetup.js')).tronSetup,
})
