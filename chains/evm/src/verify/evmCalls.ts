import { hexDigits, portableKeccak256 } from '@causeway/core/verify'

const WORD_DIGITS = 64

/** A value of one word: addresses and `bytes32` as hex, numbers. */
export type WordValue = bigint | string

/** 64 hex digits; hex text is padded on the left. */
export const wordDigits = (value: WordValue): string =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(WORD_DIGITS, '0')

/** `0x` and the first four bytes of the signature's hash. */
export const selectorOf = (signature: string): string =>
  `0x${hexDigits(portableKeccak256(new TextEncoder().encode(signature)).subarray(0, 4))}`

/** Call data of a function whose arguments take one word each. */
export const encodeCall = (signature: string, ...values: readonly WordValue[]): string =>
  selectorOf(signature) + values.map(wordDigits).join('')

/** Word `index` of call data behind its selector, as hex digits; shorter where the data ends. */
export const wordAt = (data: string, index: number): string => {
  const start = 10 + index * WORD_DIGITS
  return data.slice(start, start + WORD_DIGITS).toLowerCase()
}
