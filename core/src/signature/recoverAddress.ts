import type { Hex } from '../money/hex.js'
import type { Keccak256 } from '../order/hashOrder.js'
import { bytesToHex } from '../order/hexBytes.js'
import { hasHighS, recoverKey } from './secp256k1.js'

/** Bytes of a signature by the key of an account, `r || s || v`. */
export const ACCOUNT_SIGNATURE_BYTES = 65
/** `v` is this plus the parity of the curve point. */
export const SIGNATURE_V = 27

/** Lower-case address of an uncompressed public key. */
export function addressOfPublicKey(publicKey: Uint8Array, keccak256: Keccak256): Hex {
  return bytesToHex(keccak256(publicKey.subarray(1)).subarray(12))
}

/**
 * The lower-case address whose key signed a digest, or what is wrong with the signature. Of what could recover the same address one
 * canonical form counts (faults.md F80): 65 bytes, `s` in its lower half, `v` 27 or 28. This module needs no Node.
 */
export function recoverAddress(
  digest: Uint8Array,
  signature: Uint8Array,
  keccak256: Keccak256,
): { readonly address: Hex } | { readonly problem: string; readonly cause?: unknown } {
  if (signature.length !== ACCOUNT_SIGNATURE_BYTES) return { problem: `must be ${ACCOUNT_SIGNATURE_BYTES} bytes` }
  const parity = (signature[ACCOUNT_SIGNATURE_BYTES - 1] ?? 0) - SIGNATURE_V
  if (parity !== 0 && parity !== 1) return { problem: 'v must be 27 or 28' }
  try {
    if (hasHighS(signature)) return { problem: 's is not in its lower half' }
  } catch (cause) {
    return { problem: 'r or s out of range', cause: new Error('No signature', { cause }) }
  }
  try {
    return { address: addressOfPublicKey(recoverKey(digest, signature, parity), keccak256) }
  } catch (cause) {
    return { problem: 'no key gives it', cause }
  }
}
