import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex } from '../money/hex.js'
import { bytesToHex, hexToBytes } from './hexBytes.js'
import { keccak256 } from './keccak256.js'
import { OrderEncodingError } from './orderEncodingError.js'

const personalPrefix = new TextEncoder().encode('\x19Ethereum Signed Message:\n32')
const signatureLength = 65
/** `v` of the canonical form is 27 plus the parity of the curve point. */
const vOffset = 27

/** EIP-191 personal message hash of the 32 raw bytes of an order id. */
function signedHash(orderId: string): Uint8Array {
  const message = new Uint8Array(personalPrefix.length + 32)
  message.set(personalPrefix)
  message.set(hexToBytes(orderId, 'order id', 32), personalPrefix.length)
  return keccak256(message)
}

/**
 * The solver's signature over an order id: deterministic (RFC 6979), low s, 65 bytes `r || s || v` with v 27 or 28
 * (chains.md "Solver signature").
 * @param privateKey 32 bytes; a wrong key is reported without its value
 * @throws OrderEncodingError
 */
export function signOrderId(orderId: Hex, privateKey: Hex | Uint8Array): Hex {
  const hash = signedHash(orderId)
  const key = typeof privateKey === 'string' ? hexToBytes(privateKey, 'private key', 32) : privateKey
  if (!secp256k1.utils.isValidSecretKey(key)) throw new OrderEncodingError('private key: not a secp256k1 key')
  const recovered = secp256k1.sign(hash, key, { prehash: false, lowS: true, format: 'recovered' })
  const signature = new Uint8Array(signatureLength)
  signature.set(recovered.subarray(1))
  signature[64] = vOffset + (recovered[0] ?? 0)
  return bytesToHex(signature)
}

/**
 * The lower-case address that signed an order id. One canonical form only: high s, v other than 27 or 28, and the 64-byte
 * compact form are refused. The caller compares the address; contract wallets are not covered.
 * @throws OrderEncodingError
 */
export function recoverOrderSigner(orderId: Hex, signature: string): Hex {
  const hash = signedHash(orderId)
  const bytes = hexToBytes(signature, 'signature', signatureLength)
  const recovery = (bytes[64] ?? 0) - vOffset
  if (recovery !== 0 && recovery !== 1) throw new OrderEncodingError('signature: v must be 27 or 28')
  const parsed = parseSignature(bytes)
  if (parsed.hasHighS()) throw new OrderEncodingError('signature: s is not in its lower half')
  try {
    return addressOf(parsed.addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false))
  } catch (cause) {
    throw new OrderEncodingError('signature: no key gives it', cause)
  }
}

/** Lower-case address of a private key. @throws OrderEncodingError */
export function orderSignerAddress(privateKey: Hex | Uint8Array): Hex {
  const key = typeof privateKey === 'string' ? hexToBytes(privateKey, 'private key', 32) : privateKey
  if (!secp256k1.utils.isValidSecretKey(key)) throw new OrderEncodingError('private key: not a secp256k1 key')
  return addressOf(secp256k1.getPublicKey(key, false))
}

function parseSignature(bytes: Uint8Array) {
  try {
    return secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
  } catch (cause) {
    throw new OrderEncodingError('signature: r or s out of range', cause)
  }
}

function addressOf(publicKey: Uint8Array): Hex {
  return bytesToHex(keccak256(publicKey.subarray(1)).subarray(12))
}
