import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { tonAdapter } from './adapter.js'
import { depositAccountOf } from './depositAddress/commentAddresses.js'
import { poolKeyOf } from './depositAddress/depositAddresses.js'
import { resolveOptions, tonOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type TonAdapter, tonAdapter } from './adapter.js'
export { NATIVE } from './address/addresses.js'
export { TON_CHAIN_ID, TON_TESTNET_CHAIN_ID, type TonOptions, tonOptions } from './options.js'

/** Chain package of TON and its test networks. */
export default defineChainPackage({
  name: '@causeway/chain-tonvm',
  version,
  vmType: 'tonvm',
  keyScheme: 'ed25519',
  coreRange: '^1.0.0',
  options: tonOptions,
  create: async (options, deps) => tonAdapter(options, deps),
  // Comments are chosen by naming a wallet; the right one is shown instead of a wrong one.
  addressOptions: (seed, options, chainId): Readonly<Record<string, string>> => {
    const { networkId } = resolveOptions({ ...options, depositAccount: null }, chainId)
    return options.depositAccount
      ? { depositAccount: depositAccountOf(seed, { chainId, networkId }).address }
      : { depositPoolKey: poolKeyOf(seed, networkId) }
  },
  setup: async () => (await import('./setup/tonSetup.js')).tonSetup,
})
