import type { Keccak256 } from '../order/hashOrder.js'

/** What a wallet signs of a personal message (EIP-191, version 0x45). This module needs no Node, the hash is the caller's. */
export function hashPersonalMessage(message: Uint8Array, keccak256: Keccak256): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  const whole = new Uint8Array(prefix.length + message.length)
  whole.set(prefix)
  whole.set(message, prefix.length)
  return keccak256(whole)
}
