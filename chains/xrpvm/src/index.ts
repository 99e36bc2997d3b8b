import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { xrpAdapter } from './adapter.js'
import { depositAccountOf } from './depositAddress/depositAddresses.js'
import { xrpOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type XrpAdapter, type XrpHooks, xrpAdapter } from './adapter.js'
export { NATIVE } from './address/addresses.js'
export { XRPL_CHAIN_ID, XRPL_TESTNET_CHAIN_ID, type XrpOptions, xrpOptions } from './options.js'

/** Chain package of the XRP Ledger and its test networks. */
export default defineChainPackage({
  name: '@causeway/chain-xrpvm',
  version,
  vmType: 'xrpvm',
  coreRange: '^1.0.0',
  options: xrpOptions,
  create: async (options, deps) => xrpAdapter(options, deps),
  addressOptions: (seed, _options, chainId) => ({ depositAccount: depositAccountOf(seed, chainId).address }),
  setup: async () => (await import('./setup/xrpSetup.js')).xrpSetup,
})
