import type { Hex } from '@causeway/core'

const MEMO_BYTES = 32
/** A memo that ends with so many zero bytes is text or an address, not an order id (chains.md lvm 3). */
const ZERO_TAIL = 12

/** The order that a memo names; null for a memo that is no order id. */
export const orderIdIn = (memo: Uint8Array): Hex | null => {
  if (memo.length !== MEMO_BYTES || memo.subarray(MEMO_BYTES - ZERO_TAIL).every((byte) => byte === 0)) return null
  return `0x${Buffer.from(memo).toString('hex')}`
}
