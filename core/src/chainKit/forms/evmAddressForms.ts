import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** EVM address of a secp256k1 key of 65 or 33 bytes, in lower case. @throws Error for bytes that are no key */
export const evmAddressOfKey = (publicKey: Uint8Array): string => {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex')}`
}

/** Whether an EVM address in capital and small letters has a typing error (EIP-55). @param hex - 40 digits */
export const isMisspelled = (hex: string): boolean =>
  /[a-f]/.test(hex) && /[A-F]/.test(hex) && hex !== capitalised(hex.toLowerCase())

const capitalised = (lower: string): string => {
  const digits = Buffer.from(keccak_256(Buffer.from(lower))).toString('hex')
  return [...lower]
    .map((digit, at) => (Number.parseInt(digits[at] ?? '0', 16) > 7 ? digit.toUpperCase() : digit))
    .join('')
}
