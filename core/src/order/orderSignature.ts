import type { Hex } from '../money/hex.js'
import { ACCOUNT_SIGNATURE_BYTES, addressOfPublicKey, SIGNATURE_V } from '../signature/recoverAddress.js'
import { isSecretKey, publicKeyOf, signRecoverable } from '../signature/secp256k1.js'
import { bytesToHex, hexToBytes } from './hexBytes.js'
import { keccak256 } from './keccak256.js'
import { OrderEncodingError } from './orderEncodingError.js'
import { orderMessageHash, recoverSigner } from './recoverSigner.js'

/**
 * The solver's signature over an order id: deterministic (RFC 6979), low s, 65 bytes `r || s || v` with v 27 or 28
 * (chains.md "Solver signature").
 * @param privateKey 32 bytes; a wrong key is reported without its value
 * @throws OrderEncodingError
 */
export function signOrderId(orderId: Hex, privateKey: Hex | Uint8Array): Hex {
  const hash = orderMessageHash(orderId, keccak256)
  const key = privateKeyBytes(privateKey)
  const { compact, parity } = signRecoverable(hash, key)
  const signature = new Uint8Array(ACCOUNT_SIGNATURE_BYTES)
  signature.set(compact)
  signature[64] = SIGNATURE_V + parity
  return bytesToHex(signature)
}

/**
 * The lower-case address that signed an order id. One canonical form only: high s, v other than 27 or 28, and the 64-byte
 * compact form are refused. The caller compares the address; contract wallets are not covered.
 * @throws OrderEncodingError
 */
export function recoverOrderSigner(orderId: Hex, signature: string): Hex {
  return recoverSigner(orderId, signature, keccak256)
}

/** Lower-case address of a private key. @throws OrderEncodingError */
export function orderSignerAddress(privateKey: Hex | Uint8Array): Hex {
  return addressOfPublicKey(publicKeyOf(privateKeyBytes(privateKey), false), keccak256)
}

function privateKeyBytes(privateKey: Hex | Uint8Array): Uint8Array {
  const key = typeof privateKey === 'string' ? hexToBytes(privateKey, 'private key', 32) : privateKey
  if (!isSecretKey(key)) throw new OrderEncodingError('private key: not a secp256k1 key')
  return key
}
