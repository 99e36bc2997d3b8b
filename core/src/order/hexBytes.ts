import type { Hex } from '../money/hex.js'
import { OrderEncodingError } from './orderEncodingError.js'

/** Value of each hex digit by character code; 255 for anything else. */
const nibbles = new Uint8Array(128).fill(255)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  nibbles[digit.charCodeAt(0)] = value
  nibbles[digit.toUpperCase().charCodeAt(0)] = value
}

const byteTexts = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Bytes of an even number of hex digits, either case, read from character `start` of `text`.
 * `what` names the field in the error.
 * @throws OrderEncodingError on an odd length or any other character.
 */
export function parseHexDigits(text: string, start: number, what: string): Uint8Array {
  const length = (text.length - start) / 2
  if (!Number.isInteger(length) || length < 0) throw new OrderEncodingError(`${what}: odd number of hex digits`)
  const bytes = new Uint8Array(length)
  for (let index = 0, at = start; index < length; index++, at += 2) {
    const high = nibbles[text.charCodeAt(at)] ?? 255
    const low = nibbles[text.charCodeAt(at + 1)] ?? 255
    if (high > 15 || low > 15) throw new OrderEncodingError(`${what}: not hex`)
    bytes[index] = (high << 4) | low
  }
  return bytes
}

/**
 * Bytes of `0x` and hex digits, either case; exactly `length` bytes when it is given.
 * @throws OrderEncodingError
 */
export function hexToBytes(text: string, what: string, length?: number): Uint8Array {
  if (typeof text !== 'string' || text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) {
    throw new OrderEncodingError(`${what}: must start with 0x`)
  }
  if (length !== undefined && text.length !== 2 + 2 * length) {
    throw new OrderEncodingError(`${what}: must have ${length} bytes`)
  }
  return parseHexDigits(text, 2, what)
}

/** Lower-case hex digits without a prefix. */
export function hexDigits(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byteTexts[byte]
  return text
}

/** `0x` and lower-case hex digits. */
export function bytesToHex(bytes: Uint8Array): Hex {
  return `0x${hexDigits(bytes)}`
}
