import type { Signer } from '../chain/signer.js'
import { ServiceError } from '../errors/serviceError.js'
import { hasHighS } from '../signature/secp256k1.js'
import { verifyEd25519 } from './ed25519Curve.js'
import { recoverPublicKey } from './secp256k1Curve.js'

/**
 * Signs and proves that the signature is of this digest and by this signer's own key before anybody stores or sends it: a
 * key may live elsewhere and answer with something else (faults.md F113). secp256k1 has one canonical form only: low s, v 27 or 28.
 * For an ed25519 signer `digest` is the message itself, of any length.
 * @throws ServiceError SERVICE_UNAVAILABLE when it is anything else, or when the signer does not sign
 */
export const signChecked = async (signer: Signer, digest: Uint8Array): Promise<Uint8Array> => {
  const signature = await signer.sign(digest).catch((cause: unknown) => {
    if (ServiceError.is(cause)) throw cause
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A signer of this service did not sign.', { cause })
  })
  if (!(await isSignature(signature, digest, signer)))
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A signer of this service signed something else.')
  return signature
}

const isSignature = async (signature: Uint8Array, digest: Uint8Array, signer: Signer): Promise<boolean> => {
  try {
    return signer.scheme === 'ed25519'
      ? verifyEd25519(signature, digest, signer.publicKey)
      : await isRecoverable(signature, digest, signer.publicKey)
  } catch {
    return false
  }
}

const isRecoverable = async (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): Promise<boolean> => {
  if (hasHighS(signature)) return false
  const recovered = await recoverPublicKey(digest, signature)
  return recovered !== null && Buffer.from(recovered).equals(publicKey)
}
