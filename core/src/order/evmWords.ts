import { OrderEncodingError } from './orderEncodingError.js'

/** Length of an EVM word in bytes. */
export const WORD = 32

const uint256Limit = 1n << 256n
const uint32Max = 0xffff_ffff
const decimalText = /^[0-9]{1,128}$/
const hexText = /^0x[0-9a-fA-F]{1,128}$/

/** A run of zeroed 32-byte words, as ABI and EIP-712 data are made of. */
export class EvmWords {
  readonly bytes: Uint8Array
  readonly #view: DataView

  constructor(count: number) {
    this.bytes = new Uint8Array(count * WORD)
    this.#view = new DataView(this.bytes.buffer)
  }

  /** Puts bytes at the start of word `index`; a longer run continues in the next words. */
  set(index: number, bytes: Uint8Array): this {
    this.bytes.set(bytes, index * WORD)
    return this
  }

  /** Puts 20 bytes right-aligned into word `index`. */
  setAddress(index: number, bytes: Uint8Array): this {
    this.bytes.set(bytes, index * WORD + WORD - bytes.length)
    return this
  }

  /** `value` must be within uint256. */
  setUint(index: number, value: bigint): this {
    // setBigUint64 keeps the low 64 bits, so each limb is a shift.
    for (let end = (index + 1) * WORD - 8, rest = value; rest > 0n; rest >>= 64n, end -= 8) {
      this.#view.setBigUint64(end, rest)
    }
    return this
  }
}

/** A uint256 from decimal text; leading zeros are allowed. @throws OrderEncodingError */
export function parseUint256(text: string, what: string): bigint {
  if (typeof text !== 'string' || !decimalText.test(text)) throw new OrderEncodingError(`${what}: not a decimal number`)
  return requireUint256(BigInt(text), what)
}

/** A uint256 from decimal or `0x` hex text. @throws OrderEncodingError */
export function parseUint256OrHex(text: string, what: string): bigint {
  if (typeof text === 'string' && hexText.test(text)) return requireUint256(BigInt(text), what)
  return parseUint256(text, what)
}

/** @throws OrderEncodingError below zero or from 2^256. */
export function requireUint256(value: bigint, what: string): bigint {
  if (value < 0n || value >= uint256Limit) throw new OrderEncodingError(`${what}: outside uint256`)
  return value
}

/** @throws OrderEncodingError unless `value` is a whole number in uint32. */
export function requireUint32(value: number, what: string): bigint {
  if (!Number.isInteger(value) || value < 0 || value > uint32Max)
    throw new OrderEncodingError(`${what}: outside uint32`)
  return BigInt(value)
}
