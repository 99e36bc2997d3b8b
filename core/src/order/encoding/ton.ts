import { base64, base64url } from '@scure/base'
import { hexDigits, parseHexDigits } from '../hexBytes.js'
import { OrderEncodingError } from '../orderEncodingError.js'
import type { VmCodec } from './addressCodec.js'
import { parseBareHash, requireLength } from './bareHash.js'

const what = 'TON address'
const friendlyLength = 48
const bounceable = 0x11
const nonBounceable = 0x51
const lowerCaseHash = /^[0-9a-f]{64}$/

/**
 * The 32-byte account hash. Workchain 0 only, so it is dropped; friendly forms for test networks are refused, the raw form
 * `0:<hex>` fits any network and is what decoding gives (chains.md tonvm 1 and 2).
 */
export const tonCodec: VmCodec = {
  encode(text) {
    if (typeof text !== 'string') throw new OrderEncodingError(`${what}: not text`)
    return text.length === friendlyLength ? encodeFriendly(text) : encodeRaw(text)
  },
  decode(bytes) {
    requireLength(bytes, what, 32)
    return `0:${hexDigits(bytes)}`
  },
  encodeTransactionId(id) {
    if (!lowerCaseHash.test(id)) throw new OrderEncodingError('TON transaction id: must be 64 lower-case hex digits')
    return parseBareHash(id, 'TON transaction id')
  },
}

function encodeRaw(text: string): Uint8Array {
  if (!text.startsWith('0:')) throw new OrderEncodingError(`${what}: not workchain 0 in raw form, nor 48 characters`)
  const bytes = parseHexDigits(text, 2, what)
  requireLength(bytes, what, 32)
  return bytes
}

/** Flags, workchain, hash, CRC-16. */
function encodeFriendly(text: string): Uint8Array {
  const bytes = decodeBase64(text)
  requireLength(bytes, what, 36)
  const checksum = ((bytes[34] ?? 0) << 8) | (bytes[35] ?? 0)
  if (crc16(bytes.subarray(0, 34)) !== checksum) throw new OrderEncodingError(`${what}: wrong checksum`)
  if (bytes[0] !== bounceable && bytes[0] !== nonBounceable)
    throw new OrderEncodingError(`${what}: not a main network address`)
  if (bytes[1] !== 0) throw new OrderEncodingError(`${what}: not in workchain 0`)
  return bytes.slice(2, 34)
}

function decodeBase64(text: string): Uint8Array {
  try {
    return /[-_]/.test(text) ? base64url.decode(text) : base64.decode(text)
  } catch (cause) {
    throw new OrderEncodingError(`${what}: not base64`, cause)
  }
}

/** CRC-16 with polynomial 0x1021 and start value 0. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
