import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { BvmAdapter } from './bvmAdapter.js'
import { accountOfSeed } from './derive/depositAddress.js'
import { bvmOptions, networkOf } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { bitcoinAddressCodec } from './address/addressCodec.js'
export {
  NATIVE,
  normalizeCurrency,
  type ParsedAddress,
  parseAddress,
  type ScriptKind,
  validateAddress,
} from './address/addresses.js'
export { addressOfScript } from './address/scriptAddress.js'
export { BvmAdapter } from './bvmAdapter.js'
export type { Coin } from './coins/coin.js'
export { isSelection, type Selection, type SelectionRequest, type Shortage, selectCoins } from './coins/selectCoins.js'
export {
  accountOfSeed,
  depositAddressSigner,
  deriveDepositAddress,
  type KeyedAddress,
  readAccountKey,
} from './derive/depositAddress.js'
export {
  BITCOIN_CHAIN_ID,
  BITCOIN_TESTNET_CHAIN_ID,
  type BitcoinNetwork,
  NETWORKS,
  type NetworkName,
} from './network/networks.js'
export { type BvmOptions, bvmOptions } from './options.js'

/** Chain package of Bitcoin and its test networks. */
export default defineChainPackage({
  name: '@causeway/chain-bvm',
  version,
  vmType: 'bvm',
  coreRange: '^1.0.0',
  options: bvmOptions,
  create: async (options, deps) => new BvmAdapter(options, deps),
  addressOptions: (seed, options, chainId) => ({
    depositAccountKey: accountOfSeed(seed, networkOf(options, chainId)).publicExtendedKey,
  }),
  setup: async () => (await import('./setup/bvmSetup.js')).bvmSetup,
})
