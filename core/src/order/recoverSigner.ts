import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex } from '../money/hex.js'
import type { Keccak256 } from './hashOrder.js'
import { bytesToHex, hexToBytes } from './hexBytes.js'
import { OrderEncodingError } from './orderEncodingError.js'

const personalPrefix = new TextEncoder().encode('\x19Ethereum Signed Message:\n32')
export const ORDER_SIGNATURE_BYTES = 65
/** `v` of the canonical form is 27 plus the parity of the curve point. */
export const ORDER_SIGNATURE_V = 27

/** EIP-191 personal message hash of the 32 raw bytes of an order id. @throws OrderEncodingError */
export function orderMessageHash(orderId: string, keccak256: Keccak256): Uint8Array {
  const message = new Uint8Array(personalPrefix.length + 32)
  message.set(personalPrefix)
  message.set(hexToBytes(orderId, 'order id', 32), personalPrefix.length)
  return keccak256(message)
}

/** Lower-case address of an uncompressed public key. */
export function addressOfPublicKey(publicKey: Uint8Array, keccak256: Keccak256): Hex {
  return bytesToHex(keccak256(publicKey.subarray(1)).subarray(12))
}

/** What `recoverOrderSigner` does, with the hash of the caller: this module needs no Node. @throws OrderEncodingError */
export function recoverSigner(orderId: string, signature: string, keccak256: Keccak256): Hex {
  const hash = orderMessageHash(orderId, keccak256)
  const bytes = hexToBytes(signature, 'signature', ORDER_SIGNATURE_BYTES)
  const recovery = (bytes[64] ?? 0) - ORDER_SIGNATURE_V
  if (recovery !== 0 && recovery !== 1) throw new OrderEncodingError('signature: v must be 27 or 28')
  const parsed = parseSignature(bytes)
  if (parsed.hasHighS()) throw new OrderEncodingError('signature: s is not in its lower half')
  try {
    return addressOfPublicKey(parsed.addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false), keccak256)
  } catch (cause) {
    throw new OrderEncodingError('signature: no key gives it', cause)
  }
}

function parseSignature(bytes: Uint8Array) {
  try {
    return secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
  } catch (cause) {
    throw new OrderEncodingError('signature: r or s out of range', cause)
  }
}
