const DECIMALS = 8
/** No number of bitcoins has more digits; a longer text is not worth reading. */
const MAX_TEXT = 40

/** An amount that a node wrote in a way that cannot be one. */
export class AmountError extends Error {
  override readonly name = 'AmountError'
}

/**
 * Satoshis of bitcoins in decimal text, as Bitcoin Core writes them ("0.00012345"); exponents, which other programs write, are
 * read too. Nothing is rounded and no floating point is used.
 * @throws AmountError when it is no decimal number, has a fraction of a satoshi, or is negative
 */
export const satoshisOfBitcoins = (text: string): bigint => {
  const match = text.length > MAX_TEXT ? null : /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  const [, whole = '', fraction = '', exponent = '0'] = match ?? []
  if (match === null) throw new AmountError('Not an amount of bitcoins')
  const shift = DECIMALS + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  if (digits % divisor !== 0n) throw new AmountError('An amount with a fraction of a satoshi')
  return digits / divisor
}

/** Bitcoins in decimal text with eight decimals, for people and for nodes. */
export const bitcoinsOfSatoshis = (satoshis: bigint): string => {
  const sign = satoshis < 0n ? '-' : ''
  const digits = (satoshis < 0n ? -satoshis : satoshis).toString().padStart(DECIMALS + 1, '0')
  return `${sign}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
