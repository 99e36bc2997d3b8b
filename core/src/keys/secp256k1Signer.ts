import type { Signer } from '../chain/signer.js'
import { isSecretKey, publicKeyOf } from '../signature/secp256k1.js'
import { InvalidKeyError, parsePrivateKey } from './privateKeyText.js'
import { signDigest } from './secp256k1Curve.js'

/**
 * Signs digests with a key held in this process: deterministic (RFC 6979), low s, 65 bytes `r || s || v` with v 27 or 28.
 * @throws InvalidKeyError when the text is no secp256k1 key
 */
export const createSecp256k1Signer = (privateKey: string): Signer => {
  const key = parsePrivateKey(privateKey)
  if (!isSecretKey(key)) throw new InvalidKeyError('The 32 bytes are no secp256k1 key.')
  return {
    scheme: 'secp256k1',
    publicKey: publicKeyOf(key, false),
    sign: (digest) => signDigest(digest, key),
  }
}
