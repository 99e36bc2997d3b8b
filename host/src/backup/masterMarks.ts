import type { EnvironmentVariables } from '@causeway/core'
import type { KeyPurpose } from '@causeway/core/chain'
import { EnvironmentKeys } from '@causeway/core/host'
import { masterMark } from '@causeway/core/plugin'
import { ConfiguredKeystore, readKeyReference, UnreadableKey } from '../config/keys/keySources.js'
import type { LoadedConfig } from '../config/loadConfig.js'

const PURPOSES = ['master', 'previousMaster'] as const

/** Marks of the master keys that this command can read, whatever the roles of the configuration; null where it can read none. */
export const readMasterMarks = (loaded: LoadedConfig, environment: EnvironmentVariables): readonly string[] | null => {
  const place = { folder: loaded.folder, environment }
  const keystore = new ConfiguredKeystore(loaded.config.keys.keystore, place)
  const values = new Map<KeyPurpose, string>()
  for (const purpose of PURPOSES) {
    const reference = loaded.config.keys[purpose]
    if (reference === undefined) continue
    try {
      values.set(purpose, readKeyReference(reference, place, keystore))
    } catch (error) {
      if (!(error instanceof UnreadableKey)) throw error
    }
  }
  const keys = new EnvironmentKeys(values)
  const marks = PURPOSES.map((purpose) => masterMark(keys, purpose)).filter((mark) => mark !== null)
  return marks.length === 0 ? null : marks
}
