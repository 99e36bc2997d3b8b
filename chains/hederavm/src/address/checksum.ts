const DIGITS = 26
const THREE_LETTERS = DIGITS ** 3
const FIVE_LETTERS = DIGITS ** 5
const WEIGHT = 31
const PRIME = 1_000_003
const POINT = 10
const SUM = 11
/** Zero bytes behind the ledger id. */
const PADDING = [0, 0, 0, 0, 0, 0]
const LETTER_A = 97

/**
 * Checksum of an entity on a network (HIP-15): five letters.
 * @param entity - `shard.realm.number`
 * @param ledgerId - bytes in hex
 */
export const checksumOf = (entity: string, ledgerId: string): string => {
  const digits = [...entity].map((letter) => (letter === '.' ? POINT : Number(letter)))
  const sumOf = (parity: number) => digits.reduce((sum, digit, at) => (at % 2 === parity ? sum + digit : sum), 0) % SUM
  const weighted = digits.reduce((sum, digit) => (WEIGHT * sum + digit) % THREE_LETTERS, 0)
  const ledger = [...Buffer.from(ledgerId, 'hex'), ...PADDING].reduce(
    (sum, byte) => (WEIGHT * sum + byte) % FIVE_LETTERS,
    0,
  )
  const mixed = (((digits.length % 5) * SUM + sumOf(0)) * SUM + sumOf(1)) * THREE_LETTERS + weighted + ledger
  return lettersOf(((mixed % FIVE_LETTERS) * PRIME) % FIVE_LETTERS)
}

const lettersOf = (value: number): string =>
  Array.from({ length: 5 }, (_, at) =>
    String.fromCharCode(LETTER_A + (Math.floor(value / DIGITS ** (4 - at)) % DIGITS)),
  ).join('')
