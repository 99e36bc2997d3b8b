import { base58 } from '@scure/base'
import type { Signer } from '../chain/signer.js'
import { ed25519PrivateKey, ed25519PublicKey, signEd25519 } from './ed25519Curve.js'
import { parsePrivateKey } from './privateKeyText.js'

/**
 * Signs messages of any length with an ed25519 key held in this process: 64 hex digits of the secret (`0x` optional), or the pair of
 * 64 bytes, secret first, as base58 or a JSON array of numbers. @throws InvalidKeyError when the text is no key
 */
export const createEd25519Signer = (privateKey: string): Signer => {
  const key = ed25519PrivateKey(parsePrivateKey(privateKey))
  return {
    scheme: 'ed25519',
    publicKey: ed25519PublicKey(key),
    sign: async (message) => signEd25519(message, key),
  }
}

/** The public key of 32 secret bytes as base58, by which operators know it. */
export const ed25519Address = (privateKey: Uint8Array): string =>
  base58.encode(ed25519PublicKey(ed25519PrivateKey(privateKey)))
