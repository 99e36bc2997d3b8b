import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import {
  KEYSTORE_FORMAT,
  KEYSTORE_KDF,
  KEYSTORE_VERSION,
  type KeystoreEntry,
  type SealedText,
} from './keystoreFormat.js'

const CIPHER = 'aes-256-gcm'
const KEY_LENGTH = 32
const NONCE_LENGTH = 12
/** scrypt takes 128 N r bytes; Node refuses more than it was told. */
const SCRYPT_MEMORY = 256 * 1024 * 1024

/** The key that seals a keystore; takes about half a second and 128 MiB. `salt` is hex. */
export const deriveKeystoreKey = (passphrase: string, salt: string): Buffer => {
  const { n: N, r, p } = KEYSTORE_KDF
  return scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), KEY_LENGTH, {
    N,
    r,
    p,
    maxmem: SCRYPT_MEMORY,
  })
}

/** What an entry is bound to: moved to another name, or shown with another address, it no longer opens. */
export const entryBinding = ({ name, address, created }: KeystoreEntry): string =>
  JSON.stringify([KEYSTORE_FORMAT, KEYSTORE_VERSION, name, address, created])

/** Binding of the empty text that tells whether a passphrase is right. */
export const CHECK_BINDING = JSON.stringify([KEYSTORE_FORMAT, KEYSTORE_VERSION])

export const seal = (key: Buffer, binding: string, text: Uint8Array): SealedText => {
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(binding, 'utf8'))
  const ciphertext = Buffer.concat([cipher.update(text), cipher.final()])
  return {
    nonce: nonce.toString('hex'),
    ciphertext: ciphertext.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
  }
}

/** The sealed text, or null when key, binding or text are not those it was sealed with. */
export const unseal = (key: Buffer, binding: string, sealed: SealedText): Buffer | null => {
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(sealed.nonce, 'hex'))
  decipher.setAAD(Buffer.from(binding, 'utf8')).setAuthTag(Buffer.from(sealed.tag, 'hex'))
  try {
    return Buffer.concat([decipher.update(Buffer.from(sealed.ciphertext, 'hex')), decipher.final()])
  } catch {
    return null
  }
}
