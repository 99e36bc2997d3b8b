import type { Hex } from '../money/hex.js'

/** `0x` text to what a bytea parameter takes. Throws a TypeError when a digit is wrong or missing: no byte is dropped. */
export const toBytea = (hex: Hex): Buffer => {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  if (!hex.startsWith('0x') || bytes.length * 2 !== hex.length - 2)
    throw new TypeError('Not 0x and pairs of hex digits.')
  return bytes
}

/** A bytea column to `0x` text. */
export const fromBytea = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
