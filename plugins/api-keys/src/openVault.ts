import type { Keys } from '@causeway/core'
import { KeyVault } from './keyVault.js'

/** The vault of this process. Throws with the remedy where it has no master key. */
export const openVault = (keys: Keys): KeyVault => {
  if (!keys.has('master')) {
    throw new Error(
      'API keys are stored under a master key and this process has none. Configure the key with the purpose "master" (32 random bytes), or remove @causeway/plugin-api-keys from "plugins".',
    )
  }
  return new KeyVault(keys)
}
