import { defineChainPackage } from '@causeway/core/chain'
import { ledgerAdapter } from './adapter.js'
import { ledgerOptions } from './options.js'

// biome-ignore lint/style/noDefaultExport: the host takes a package's entry from there
export default defineChainPackage({
  name: 'causeway-chain-example',
  version: '1.0.0',
  vmType: 'ledgervm',
  coreRange: '^1.0.0',
  keyScheme: 'ed25519',
  options: ledgerOptions,
  create: async (options, deps) => ledgerAdapter(options, deps),
})
