import type { Hex } from '../money/hex.js'
import { bytesToHex } from '../order/hexBytes.js'
import { keccak256 } from '../order/keccak256.js'
import { hashPersonalMessage } from './personalMessage.js'

/** Digest of a personal message (EIP-191): of a text, as UTF-8, or of raw bytes, such as the 32 of an id (`signMessage({ message: { raw } })`). */
export const personalDigest = (message: string | Uint8Array): Hex =>
  bytesToHex(hashPersonalMessage(typeof message === 'string' ? new TextEncoder().encode(message) : message, keccak256))
