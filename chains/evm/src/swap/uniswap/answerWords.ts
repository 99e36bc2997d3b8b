import type { Hex } from '@causeway/core'

const DIGITS = 64

/** The 32-byte words of an answer; an answer that ends within a word loses that one. */
export const wordsOf = (answer: Hex | null | undefined): readonly bigint[] => {
  const digits = answer?.slice(2) ?? ''
  const count = Math.floor(digits.length / DIGITS)
  return Array.from({ length: count }, (_, at) => BigInt(`0x${digits.slice(at * DIGITS, (at + 1) * DIGITS)}`))
}

/** The address in a word of an answer, lower case; null where there is none. */
export const addressAt = (answer: Hex | null | undefined, at: number): string | null => {
  const word = answer?.slice(2 + at * DIGITS, 2 + (at + 1) * DIGITS) ?? ''
  return word.length === DIGITS && word.startsWith('0'.repeat(24)) ? `0x${word.slice(24).toLowerCase()}` : null
}
