import type { Hex } from '../money/hex.js'

/** `0x` text to what a bytea parameter takes. */
export const toBytea = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')

/** A bytea column to `0x` text. */
export const fromBytea = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
