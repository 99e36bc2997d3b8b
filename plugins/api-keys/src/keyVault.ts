import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { type Keys, type MasterPurpose, masterMark } from '@causeway/core'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Version of the derived keys that new rows are written with. */
export const KEY_VERSION = 1

/** Ties a ciphertext to its row, so that it opens in no other. */
const associatedData = (version: number, id: string): Buffer => Buffer.from(`causeway/api-keys/${version}/${id}`)

/**
 * How API keys are stored: found by a keyed hash, kept encrypted because they are also the secret of webhooks (design 6,
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
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#encryptionKey, nonce)
    cipher.setAAD(associatedData(KEY_VERSION, id))
    const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Reverses `seal`. Throws when the bytes were changed or belong to another row, version or master key. */
  open(row: { readonly id: string; readonly version: number; readonly ciphertext: Buffer }): string {
    const nonce = row.ciphertext.subarray(0, NONCE_BYTES)
    const tag = row.ciphertext.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv(CIPHER, this.#encryptionKey, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(associatedData(row.version, row.id))
    decipher.setAuthTag(tag)
    const sealed = row.ciphertext.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  }
}
