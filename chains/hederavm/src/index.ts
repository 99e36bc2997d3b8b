import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { hederaAdapter } from './adapter.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { depositAccountOf } from './depositAddress/memoAddresses.js'
import { hederaOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type HederaAdapter, hederaAdapter } from './adapter.js'
export { NATIVE } from './address/addresses.js'
export { HEDERA_CHAIN_ID, HEDERA_TESTNET_CHAIN_ID, type HederaOptions, hederaOptions } from './options.js'

/** Chain package of Hedera and its test networks. */
export default defineChainPackage({
  name: '@causeway/chain-hederavm',
  version,
  vmType: 'hederavm',
  coreRange: '^1.0.0',
  options: hederaOptions,
  create: async (options, deps) => hederaAdapter(options, deps),
  // Memos are chosen by naming an account; the right one is shown instead of a wrong one.
  addressOptions: (seed, { depositAccount }, chainId): Readonly<Record<string, string>> =>
    depositAccount ? { depositAccount: depositAccountOf(seed, chainId).address } : { depositKey: depositKeyOf(seed) },
  setup: async () => (await import('./setup/hederaSetup.js')).hederaSetup,
})
