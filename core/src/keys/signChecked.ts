import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Signer } from '../chain/signer.js'
import { ServiceError } from '../errors/serviceError.js'

const SECP256K1_LENGTH = 65
/** `v` is 27 plus the parity of the curve point. */
const V_OFFSET = 27

/**
 * Signs and proves that the signature is of this digest and by this signer's own key before anybody stores or sends it: a
 * key may live elsewhere and answer with something else (faults.md F113). One canonical form only: low s, v 27 or 28.
 * @throws ServiceError SERVICE_UNAVAILABLE when it is anything else, or when the signer does not sign
 */
export const signChecked = async (signer: Signer, digest: Uint8Array): Promise<Uint8Array> => {
  const signature = await signer.sign(digest).catch((cause: unknown) => {
    if (ServiceError.is(cause)) throw cause
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A signer of this service did not sign.', { cause })
  })
  if (!isSignature(signature, digest, signer))
    throw new ServiceError('SERVICE_UNAVAILABLE', 'A signer of this service signed something else.')
  return signature
}

const isSignature = (signature: Uint8Array, digest: Uint8Array, signer: Signer): boolean => {
  try {
    return signer.scheme === 'ed25519'
      ? ed25519.verify(signature, digest, signer.publicKey)
      : isRecoverable(signature, digest, signer.publicKey)
  } catch {
    return false
  }
}

const isRecoverable = (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean => {
  const parity = (signature[SECP256K1_LENGTH - 1] ?? 0) - V_OFFSET
  if (signature.length !== SECP256K1_LENGTH || (parity !== 0 && parity !== 1)) return false
  const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, SECP256K1_LENGTH - 1), 'compact')
  if (parsed.hasHighS()) return false
  const recovered = parsed.addRecoveryBit(parity).recoverPublicKey(digest).toBytes(false)
  return Buffer.from(recovered).equals(publicKey)
}
