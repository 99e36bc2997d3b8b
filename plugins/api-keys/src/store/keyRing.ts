import type { Keys, MasterMarks } from '@causeway/core/plugin'
import { KeyVault } from './keyVault.js'

/** A row of `api_keys` as far as its key is concerned. */
export interface SealedKey {
  readonly id: string
  readonly version: number
  readonly ciphertext: Buffer
  readonly master_mark: string | null
}

/**
 * The vaults of all master keys that this process holds: the present one, and the one it takes the place of while keys are
 * sealed anew. A key is looked for under each.
 */
export class KeyRing {
  readonly #present: KeyVault
  readonly #vaults: readonly KeyVault[]

  /** Throws without a present master key. */
  constructor(keys: Pick<Keys, 'derive' | 'has'>) {
    this.#present = new KeyVault(keys)
    this.#vaults = keys.has('previousMaster') ? [this.#present, new KeyVault(keys, 'previousMaster')] : [this.#present]
  }

  /** What a key is found by under the present master key. */
  lookup(apiKey: string): Buffer {
    return this.#present.lookup(apiKey)
  }

  /** What a key may be found by: one hash for each master key. */
  lookups(apiKey: string): readonly Buffer[] {
    return this.#vaults.map((vault) => vault.lookup(apiKey))
  }

  /** The vault that rows are written with now. Throws where this process does not hold that master key. */
  writing({ current, next }: Pick<MasterMarks, 'current' | 'next'>): KeyVault {
    const mark = next ?? current
    const vault = mark === null ? this.#present : this.#vaults.find((candidate) => candidate.mark === mark)
    if (vault === undefined) {
      throw new Error('This process does not hold the master key of the database; restart it with the present keys.')
    }
    return vault
  }

  /** The text of a stored key. Throws when it was changed, or sealed under a master key that is not held. */
  open(row: SealedKey): string {
    const vaults = this.#vaults.filter(({ mark }) => row.master_mark === null || mark === row.master_mark)
    for (const [index, vault] of vaults.entries()) {
      try {
        return vault.open(row)
      } catch (error) {
        if (index === vaults.length - 1) throw error
      }
    }
    throw new Error(`Key ${row.id} is sealed under a master key that this process does not hold.`)
  }
}

/** The keys of this process. Throws with the remedy where it has no master key. */
export const openKeyRing = (keys: Keys): KeyRing => {
  if (!keys.has('master')) {
    throw new Error(
      'API keys are stored under a master key and this process has none. Configure the key with the purpose "master" (32 random bytes), or remove @causeway/plugin-api-keys from "plugins".',
    )
  }
  return new KeyRing(keys)
}
