import type { Hex } from '../money/hex.js'
import { hashPersonalMessage } from '../signature/personalMessage.js'
import { ACCOUNT_SIGNATURE_BYTES, recoverAddress } from '../signature/recoverAddress.js'
import type { Keccak256 } from './hashOrder.js'
import { hexToBytes } from './hexBytes.js'
import { OrderEncodingError } from './orderEncodingError.js'

/** EIP-191 personal message hash of the 32 raw bytes of an order id. @throws OrderEncodingError */
export function orderMessageHash(orderId: string, keccak256: Keccak256): Uint8Array {
  return hashPersonalMessage(hexToBytes(orderId, 'order id', 32), keccak256)
}

/** What `recoverOrderSigner` does, with the hash of the caller: this module needs no Node. @throws OrderEncodingError */
export function recoverSigner(orderId: string, signature: string, keccak256: Keccak256): Hex {
  const hash = orderMessageHash(orderId, keccak256)
  const recovered = recoverAddress(hash, hexToBytes(signature, 'signature', ACCOUNT_SIGNATURE_BYTES), keccak256)
  if ('address' in recovered) return recovered.address
  throw new OrderEncodingError(`signature: ${recovered.problem}`, recovered.cause)
}
