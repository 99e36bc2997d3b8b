import type { KeyPurpose } from '@causeway/core/chain'
import { EnvironmentKeys, InvalidKeyError } from '@causeway/core/host'
import type { Keys } from '@causeway/core/plugin'
import type { LoadedConfig } from '../../config/loadConfig.js'
import type { LoadedChain } from '../../plugins/loadPackages.js'

/** The keys of this process, each of the kind that its chain signs with. @throws ConfigError */
export const openKeys = (loaded: LoadedConfig, chains: readonly LoadedChain[]): Keys => {
  if (loaded.commandKeys !== null) return loaded.commandKeys
  const ed25519 = new Set<KeyPurpose>()
  for (const { chain, package: chainPackage } of chains) {
    if (chainPackage.keyScheme !== 'ed25519') continue
    ed25519.add(`payout.${chain.id}`).add(`allocator.${chain.id}`).add(`origin.${chain.id}`)
  }
  try {
    return new EnvironmentKeys(loaded.keys, ed25519)
  } catch (error) {
    if (!(error instanceof InvalidKeyError)) throw error
    throw loaded.fail([
      { path: 'keys', message: `hold one that cannot be used. ${error.message}`, remedy: 'Make another key.' },
    ])
  }
}
