import { readFileSync } from 'node:fs'
import { defineChainPackage } from '@causeway/core/chain'
import { evmAdapter } from './adapter.js'
import { evmOptions } from './options.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export { type EvmAdapter, evmAdapter } from './adapter.js'
export { ZERO_ADDRESS } from './address/addresses.js'
export { type EvmOptions, evmOptions } from './options.js'
export type { EvmHooks } from './parts.js'
export { type CalledTransaction, purposeOf, type ReadPayout, readPayout } from './payout/readPayout.js'

/** Chain package of every EVM chain. */
export default defineChainPackage({
  name: '@causeway/chain-evm',
  version,
  vmType: 'evm',
  coreRange: '^1.0.0',
  options: evmOptions,
  create: async (options, deps) => evmAdapter(options, deps),
  setup: async () => (await import('./setup/evmSetup.js')).evmSetup,
})
