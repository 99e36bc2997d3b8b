import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** What stands before 32 secret bytes in PKCS 8, and before 32 public ones in SPKI (RFC 8410): Node takes no bare keys. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_LENGTH = 32

/** The key of 32 secret bytes, as Node signs with it: some twenty times as fast as a pure JavaScript curve. */
export const ed25519PrivateKey = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' })

/** The 32 public bytes that belong to a secret key. */
export const ed25519PublicKey = (key: KeyObject): Uint8Array =>
  Uint8Array.from(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_LENGTH))

/** 64 bytes over a message of any length (RFC 8032). */
export const signEd25519 = (message: Uint8Array, key: KeyObject): Uint8Array =>
  Uint8Array.from(sign(null, message, key))

/** @throws Error when the 32 bytes are no public key */
export const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
  verify(
    null,
    message,
    createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' }),
    signature,
  )
