import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { poolKeyOf } from './depositAddress/addressKeys.js'
import { svmOptions } from './options.js'
import { SvmAdapter } from './svmAdapter.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { NATIVE } from './address/addresses.js'
export { SOLANA_CHAIN_ID, type SvmOptions, svmOptions } from './options.js'
export { SvmAdapter, type SvmHooks } from './svmAdapter.js'

/** Chain package of Solana and of chains that run its programs. */
export default defineChainPackage({
  name: '@causeway/chain-svm',
  version,
  vmType: 'svm',
  coreRange: '^1.0.0',
  keyScheme: 'ed25519',
  options: svmOptions,
  create: async (options, deps) => new SvmAdapter(options, deps),
  addressOptions: (seed) => ({ depositPoolKey: poolKeyOf(seed) }),
  setup: async () => (await import('./setup/svmSetup.js')).svmSetup,
})
