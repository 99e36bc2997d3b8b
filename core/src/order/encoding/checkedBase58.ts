import { sha256 } from '@noble/hashes/sha2.js'
import { OrderEncodingError } from '../orderEncodingError.js'

interface TextCoder {
  encode(bytes: Uint8Array): string
  decode(text: string): Uint8Array
}

const checksumLength = 4

const checksumOf = (payload: Uint8Array) => sha256(sha256(payload)).subarray(0, checksumLength)

/**
 * Base58 with a four-byte double SHA-256 checksum over the alphabet of `coder` (Bitcoin's or XRP's).
 * `maxLength` bounds the text, as base58 takes quadratic time.
 */
export function checkedBase58(coder: TextCoder, what: string, maxLength: number) {
  return {
    decode(text: string): Uint8Array {
      if (typeof text !== 'string' || text.length > maxLength) throw new OrderEncodingError(`${what}: wrong length`)
      const bytes = decodeBase58(coder, text, what)
      const end = bytes.length - checksumLength
      if (end < 1) throw new OrderEncodingError(`${what}: too short`)
      const payload = bytes.subarray(0, end)
      const checksum = checksumOf(payload)
      if (checksum.some((byte, index) => byte !== bytes[end + index])) {
        throw new OrderEncodingError(`${what}: wrong checksum`)
      }
      return payload
    },
    encode(payload: Uint8Array): string {
      const bytes = new Uint8Array(payload.length + checksumLength)
      bytes.set(payload)
      bytes.set(checksumOf(payload), payload.length)
      return coder.encode(bytes)
    },
  }
}

/** @throws OrderEncodingError instead of the coder's own error. */
export function decodeBase58(coder: TextCoder, text: string, what: string): Uint8Array {
  try {
    return coder.decode(text)
  } catch (cause) {
    throw new OrderEncodingError(`${what}: not base58`, cause)
  }
}
