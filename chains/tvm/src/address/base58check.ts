import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = new Map([...ALPHABET].map((digit, value) => [digit, value]))
const LENGTH = 34
/** Digits that are read at once: their value and its scale stay far below 2^53. */
const CHUNK = 8
const ADDRESS_BYTES = 21
const ALL_BYTES = 25

const base58check = createBase58check(sha256)

/** Base58check of 21 bytes in hex. */
export const encodeBase58 = (hex: string): string => base58check.encode(hexToBytes(hex))

/**
 * 21 bytes in hex of base58check with 34 digits, `41` first.
 * @returns `form` for a text with other digits, length or version, `checksum` for a wrong checksum
 */
export const decodeBase58 = (text: string): { readonly hex: string } | 'form' | 'checksum' => {
  if (text.length !== LENGTH || text[0] !== 'T') return 'form'
  let number = 0n
  for (let at = 0; at < LENGTH; at += CHUNK) {
    let [value, scale] = [0, 1]
    for (const character of text.slice(at, at + CHUNK)) {
      const digit = DIGITS.get(character)
      if (digit === undefined) return 'form'
      value = value * 58 + digit
      scale *= 58
    }
    number = number * BigInt(scale) + BigInt(value)
  }
  const hex = number.toString(16).padStart(ALL_BYTES * 2, '0')
  if (hex.length !== ALL_BYTES * 2 || !hex.startsWith('41')) return 'form'
  const bytes = hexToBytes(hex)
  const address = bytes.subarray(0, ADDRESS_BYTES)
  return isChecksum(sha256(sha256(address)), bytes) ? { hex: bytesToHex(address) } : 'checksum'
}

const isChecksum = (hash: Uint8Array, bytes: Uint8Array): boolean =>
  hash[0] === bytes[21] && hash[1] === bytes[22] && hash[2] === bytes[23] && hash[3] === bytes[24]
