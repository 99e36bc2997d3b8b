import type { Hex } from '@causeway/core'
import { shownTokenText } from '@causeway/core/chain'

const DIGITS = 64
/** Longest piece of an answer that is decoded, bytes. */
const MAX_BYTES = 1024

/**
 * The text in what `symbol()` or `name()` answers: a string, or 32 bytes as old tokens have it; cleaned, at most `length`
 * characters. Null when there is none to show.
 */
export const textOf = (answer: Hex, length: number): string | null => {
  const bytes = stringBytes(answer) ?? fixedBytes(answer)
  return bytes === null ? null : shownTokenText(new TextDecoder().decode(bytes), length)
}

/** The same as its bytes are, nothing cleaned or cut: what a signature is made over. Null when there is none, or it is no UTF-8. */
export const textAsSigned = (answer: Hex): string | null => {
  const bytes = stringBytes(answer)
  try {
    return bytes === null ? null : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const stringBytes = (answer: Hex): Uint8Array | null => {
  const digits = answer.slice(2)
  const offset = numberAt(digits, 0)
  if (offset === null) return null
  const size = numberAt(digits, offset)
  if (size === null) return null
  const from = 2 * offset + DIGITS
  return 2 * size <= digits.length - from ? bytesOf(digits.slice(from, from + 2 * Math.min(size, MAX_BYTES))) : null
}

const fixedBytes = (answer: Hex): Uint8Array | null => {
  if (answer.length !== 2 + DIGITS) return null
  const bytes = bytesOf(answer.slice(2))
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

/** The number in the word that begins at a byte; null where there is none, or one beyond any answer. */
const numberAt = (digits: string, byte: number): number | null => {
  const word = digits.slice(2 * byte, 2 * byte + DIGITS)
  return word.length === DIGITS && /^0{56}/.test(word) ? Number.parseInt(word, 16) : null
}

const bytesOf = (digits: string): Uint8Array => Buffer.from(digits, 'hex')
