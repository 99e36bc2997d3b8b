import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(ALPHABET.length)
const SECRET_BYTES = 32
const SECRET_LENGTH = 43

/** 32 bytes as 43 base62 characters, most significant first, padded with `0`. */
export const toBase62 = (bytes: Uint8Array): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text
    rest /= BASE
  }
  return text.padStart(SECRET_LENGTH, '0')
}

/** A new key: `cct_live_` or `cct_test_` and 32 random bytes (wire.md H.1). */
export const newApiKey = (network: 'mainnet' | 'testnet'): string =>
  `cct_${network === 'mainnet' ? 'live' : 'test'}_${toBase62(randomBytes(SECRET_BYTES))}`

/** Any 16 to 128 visible ASCII characters, so that keys brought from elsewhere work too (wire.md H.1). */
export const isApiKey = (text: string): boolean => /^[!-~]{16,128}$/.test(text)

const PREFIX_LENGTH = 12

/** What people tell made keys apart by: three of the 43 random characters, so 238 of 256 bits stay unknown. */
export const keyPrefix = (madeKey: string): string => madeKey.slice(0, PREFIX_LENGTH)
