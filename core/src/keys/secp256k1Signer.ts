import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Signer } from '../chain/signer.js'
import { hexToBytes } from '../order/hexBytes.js'
import { signDigest } from './secp256k1Curve.js'

/** A key that cannot be used. The message never holds the key. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError'
}

/** 32 bytes of hex text, `0x` optional. @throws InvalidKeyError without the text. */
export const parsePrivateKey = (text: string): Uint8Array => {
  const digits = text.trim().replace(/^0x/i, '')
  if (!/^[0-9a-f]{64}$/i.test(digits)) throw new InvalidKeyError('A key is 32 bytes written as 64 hex digits.')
  return hexToBytes(`0x${digits.toLowerCase()}`, 'key', 32)
}

/**
 * Signs digests with a key held in this process: deterministic (RFC 6979), low s, 65 bytes `r || s || v` with v 27 or 28.
 * @throws InvalidKeyError when the text is no secp256k1 key
 */
export const createSecp256k1Signer = (privateKey: string): Signer => {
  const key = parsePrivateKey(privateKey)
  if (!secp256k1.utils.isValidSecretKey(key)) throw new InvalidKeyError('The 32 bytes are no secp256k1 key.')
  return {
    scheme: 'secp256k1',
    publicKey: secp256k1.getPublicKey(key, false),
    sign: (digest) => signDigest(digest, key),
  }
}
