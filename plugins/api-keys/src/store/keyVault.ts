import { createHmac } from 'node:crypto'
import type { MasterPurpose } from '@causeway/core/chain'
import { type Keys, masterMark, openText, sealText } from '@causeway/core/plugin'

/** Version of the derived keys that new rows are written with. */
export const KEY_VERSION = 1

/** Ties a ciphertext to its row, so that it opens in no other. */
const boundTo = (version: number, id: string): string => `causeway/api-keys/${version}/${id}`

/**
 * How API keys are stored: found by a keyed hash, kept encrypted because they are also the secret of webhooks (architecture.md 6,
 * wire.md K.5 4). Both keys come from one master key. Throws where this process does not have it.
 */
export class KeyVault {
  /** Of its master key. */
  readonly mark: string | null
  readonly #lookupKey: Uint8Array
  readonly #encryptionKey: Uint8Array

  constructor(keys: Pick<Keys, 'derive' | 'has'>, master: MasterPurpose = 'master') {
    this.#lookupKey = keys.derive('api-keys/lookup', master)
    this.#encryptionKey = keys.derive('api-keys/encryption', master)
    this.mark = masterMark(keys, master)
  }

  /** HMAC-SHA-256 of the key, 32 bytes. */
  lookup(apiKey: string): Buffer {
    return createHmac('sha256', this.#lookupKey).update(apiKey).digest()
  }

  /** Nonce, tag and AES-256-GCM ciphertext of the key, for the row `id`. */
  seal(id: string, apiKey: string): Buffer {
    return sealText(this.#encryptionKey, boundTo(KEY_VERSION, id), apiKey)
  }

  /** Reverses `seal`. Throws when the bytes were changed or belong to another row, version or master key. */
  open(row: { readonly id: string; readonly version: number; readonly ciphertext: Buffer }): string {
    return openText(this.#encryptionKey, boundTo(row.version, row.id), row.ciphertext)
  }
}
