/**
 * A value as the ledger holds it of issued currencies: a decimal float, mantissa of 16 digits and an exponent. Zero has the mantissa 0.
 * Made by the functions here alone, so equal values are equal pairs.
 */
export interface IssuedValue {
  readonly mantissa: bigint
  readonly exponent: number
}

export type Rounding = 'nearest' | 'up' | 'down'

const LEAST_MANTISSA = 10n ** 15n
const MOST_MANTISSA = 10n ** 16n - 1n
const LEAST_EXPONENT = -96
const MOST_EXPONENT = 80
/** A transfer rate of 1: nothing is charged. */
export const RATE_ONE = 1_000_000_000n

export const ZERO: IssuedValue = { mantissa: 0n, exponent: 0 }

const divide = (dividend: bigint, divisor: bigint, rounding: Rounding): bigint => {
  const quotient = dividend / divisor
  const rest = 2n * (dividend % divisor)
  if (rounding === 'down' || rest === 0n) return quotient
  if (rounding === 'up') return quotient + 1n
  const odd = quotient % 2n === 1n
  return rest > divisor || (rest === divisor && odd) ? quotient + 1n : quotient
}

/** The value with 16 digits; rounding is of its size, so `up` is away from zero. @throws Error when it is larger than the ledger can hold */
const normalise = (mantissa: bigint, exponent: number, rounding: Rounding): IssuedValue => {
  if (mantissa === 0n) return ZERO
  const negative = mantissa < 0n
  const size = negative ? -mantissa : mantissa
  const shift = String(size).length - 16
  let digits = shift > 0 ? divide(size, 10n ** BigInt(shift), rounding) : size * 10n ** BigInt(-shift)
  let power = exponent + shift
  if (digits > MOST_MANTISSA) {
    digits /= 10n
    power += 1
  }
  if (power < LEAST_EXPONENT || digits < LEAST_MANTISSA) return ZERO
  if (power > MOST_EXPONENT) throw new Error('The value is larger than the ledger can hold')
  return { mantissa: negative ? -digits : digits, exponent: power }
}

const SHAPE = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i

/** @throws Error for what is no decimal number */
export const parseValue = (text: string): IssuedValue => {
  const [, sign, whole = '', fraction = '', power = '0'] = SHAPE.exec(text) ?? []
  if (sign === undefined) throw new Error(`"${text}" is no value of an issued currency`)
  const size = BigInt(whole + fraction)
  return normalise(sign === '-' ? -size : size, Number(power) - fraction.length, 'nearest')
}

/** As rippled writes it: scientific where the exponent is above -5 or below -25, with all 16 digits. */
export const formatValue = ({ mantissa, exponent }: IssuedValue): string => {
  if (mantissa === 0n) return '0'
  const sign = mantissa < 0n ? '-' : ''
  const digits = String(mantissa < 0n ? -mantissa : mantissa)
  if (exponent !== 0 && (exponent < -25 || exponent > -5)) return `${sign}${digits}e${exponent}`
  const padded = digits.padStart(1 - exponent, '0')
  const [whole, fraction] = [padded.slice(0, padded.length + exponent), padded.slice(padded.length + exponent)]
  const kept = exponent === 0 ? '' : fraction.replace(/0+$/, '')
  return `${sign}${exponent === 0 ? digits : whole}${kept === '' ? '' : `.${kept}`}`
}

export const negate = ({ mantissa, exponent }: IssuedValue): IssuedValue => ({
  mantissa: -mantissa,
  exponent,
})

export const addValues = (one: IssuedValue, other: IssuedValue): IssuedValue => {
  if (one.mantissa === 0n) return other
  if (other.mantissa === 0n) return one
  const power = Math.min(one.exponent, other.exponent)
  const at = ({ mantissa, exponent }: IssuedValue) => mantissa * 10n ** BigInt(exponent - power)
  return normalise(at(one) + at(other), power, 'nearest')
}

export const subtractValues = (one: IssuedValue, other: IssuedValue): IssuedValue => addValues(one, negate(other))

/** Negative when the first is less, 0 when they are equal. */
export const compareValues = (one: IssuedValue, other: IssuedValue): number => {
  const power = Math.min(one.exponent, other.exponent)
  const at = ({ mantissa, exponent }: IssuedValue) => mantissa * 10n ** BigInt(exponent - power)
  const [a, b] = [at(one), at(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

export const isZero = ({ mantissa }: IssuedValue): boolean => mantissa === 0n

export const isPositive = ({ mantissa }: IssuedValue): boolean => mantissa > 0n

export const leastValue = (first: IssuedValue, ...others: readonly IssuedValue[]): IssuedValue =>
  others.reduce((least, value) => (compareValues(value, least) < 0 ? value : least), first)

/** What a sender gives for a receiver to get the value, at a rate in billionths: rounded up, so the issuer is never short. */
export const withRate = ({ mantissa, exponent }: IssuedValue, rate: bigint): IssuedValue =>
  rate === RATE_ONE ? { mantissa, exponent } : normalise(mantissa * rate, exponent - 9, 'up')

/** What a receiver gets of what a sender gives, at a rate in billionths. */
export const withoutRate = ({ mantissa, exponent }: IssuedValue, rate: bigint): IssuedValue =>
  rate === RATE_ONE
    ? { mantissa, exponent }
    : normalise((mantissa * RATE_ONE * 10n ** 18n) / rate, exponent - 18, 'down')
