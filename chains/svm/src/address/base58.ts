const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]))

/** Text of bytes, as addresses, signatures and instruction data are written. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  const digits = convert(bytes, 256, 58)
  return '1'.repeat(leadingZeros(bytes)) + digits.map((digit) => ALPHABET[digit]).join('')
}

/** Bytes of base58 text; null when a letter is none of the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | null => {
  const values: number[] = []
  for (const letter of text) {
    const value = VALUES.get(letter)
    if (value === undefined) return null
    values.push(value)
  }
  return Uint8Array.from([...new Array<number>(leadingZeros(values)).fill(0), ...convert(values, 58, 256)])
}

const leadingZeros = (values: ArrayLike<number>): number => {
  let count = 0
  while (count < values.length && values[count] === 0) count += 1
  return count
}

/** Digits of the same number in another base, highest first, without leading zeros. */
const convert = (digits: Iterable<number>, from: number, to: number): number[] => {
  const lowestFirst: number[] = []
  for (const digit of digits) {
    let carry = digit
    for (let at = 0; at < lowestFirst.length; at += 1) {
      carry += (lowestFirst[at] ?? 0) * from
      lowestFirst[at] = carry % to
      carry = Math.floor(carry / to)
    }
    for (; carry > 0; carry = Math.floor(carry / to)) lowestFirst.push(carry % to)
  }
  return lowestFirst.reverse()
}
