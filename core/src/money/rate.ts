import type { Currency } from './currency/currency.js'
import { divideNearest, powerOfTen } from './rounding.js'

/** An amount of something whose decimals are known. */
interface Counted {
  readonly currency: Pick<Currency, 'decimals'>
  readonly amount: bigint
}

/** Significant digits at most. */
const DIGITS = 18

/**
 * Output units for one input unit in whole units, as decimal text of the division with at most 18 significant digits (wire.md D.4):
 * `"0.9995"`, `"1"`. For display only; no amount is computed from it. `"0"` when either amount is zero.
 */
export const rateText = (input: Counted, output: Counted): string => {
  if (input.amount === 0n) return '0'
  return quotientText(
    output.amount * powerOfTen(input.currency.decimals),
    input.amount * powerOfTen(output.currency.decimals),
  )
}

/** `numerator / denominator`, neither below 0, as decimal text with at most 18 significant digits. `denominator` > 0. */
export const quotientText = (numerator: bigint, denominator: bigint): string => {
  if (numerator === 0n) return '0'
  const scale = DIGITS - digitsBeforePoint(numerator, denominator)
  const rounded =
    scale >= 0
      ? divideNearest(numerator * powerOfTen(scale), denominator)
      : divideNearest(numerator, denominator * powerOfTen(-scale)) * powerOfTen(-scale)
  return decimalText(rounded, Math.max(scale, 0))
}

/** Of a quotient above 0; below 1 the zeros after the point count against it: 0.0123 has -1. */
const digitsBeforePoint = (numerator: bigint, denominator: bigint): number => {
  const difference = String(numerator).length - String(denominator).length
  const isAtLeast =
    difference >= 0
      ? numerator >= denominator * powerOfTen(difference)
      : numerator * powerOfTen(-difference) >= denominator
  return isAtLeast ? difference + 1 : difference
}

const decimalText = (value: bigint, decimals: number): string => {
  const digits = String(value).padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}
