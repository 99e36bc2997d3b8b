import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { Signer } from '../chain/signer.js'
import { parsePrivateKey } from './privateKeyText.js'

/**
 * Signs messages of any length with an ed25519 key held in this process: 64 hex digits of the secret (`0x` optional), or the pair of
 * 64 bytes, secret first, as base58 or a JSON array of numbers. @throws InvalidKeyError when the text is no key
 */
export const createEd25519Signer = (privateKey: string): Signer => {
  const key = parsePrivateKey(privateKey)
  return {
    scheme: 'ed25519',
    publicKey: ed25519.getPublicKey(key),
    sign: async (message) => ed25519.sign(message, key),
  }
}

/** The public key of 32 secret bytes as base58, by which operators know it. */
export const ed25519Address = (privateKey: Uint8Array): string => base58.encode(ed25519.getPublicKey(privateKey))
