import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { hexToBytes } from '../order/hexBytes.js'

/** A key that cannot be used. The message never holds the key. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError'
}

const SEED_LENGTH = 32
const PAIR_LENGTH = 64

/**
 * The 32 secret bytes of a key as people keep them: 64 hex digits (`0x` optional), or an ed25519 pair of 64 bytes, secret
 * first, as base58 or a JSON array of numbers. @throws InvalidKeyError without the text.
 */
export const parsePrivateKey = (text: string): Uint8Array => {
  const trimmed = text.trim()
  const digits = trimmed.replace(/^0x/i, '')
  if (/^[0-9a-f]{64}$/i.test(digits)) return hexToBytes(`0x${digits.toLowerCase()}`, 'key', SEED_LENGTH)
  const pair = trimmed.startsWith('[') ? pairOfJson(trimmed) : pairOfBase58(trimmed)
  if (pair === null) throw new InvalidKeyError('A key is 32 bytes written as 64 hex digits.')
  const seed = pair.subarray(0, SEED_LENGTH)
  if (!Buffer.from(ed25519.getPublicKey(seed)).equals(pair.subarray(SEED_LENGTH)))
    throw new InvalidKeyError('The 64 bytes are no ed25519 pair: the second half is not the public key of the first.')
  return seed
}

const pairOfBase58 = (text: string): Uint8Array | null => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return null
  const bytes = base58.decode(text)
  return bytes.length === PAIR_LENGTH ? bytes : null
}

const pairOfJson = (text: string): Uint8Array | null => {
  try {
    const numbers: unknown = JSON.parse(text)
    if (!Array.isArray(numbers) || numbers.length !== PAIR_LENGTH) return null
    const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255
    return numbers.every(isByte) ? Uint8Array.from(numbers as number[]) : null
  } catch {
    return null
  }
}
