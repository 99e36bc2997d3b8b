import { divide, powerOfTen, type Rounding } from './rounding.js'

/**
 * The same quantity of the same asset in units of other decimals (faults.md F73). Exact where the target is as fine or
 * finer; otherwise off by less than one target unit, in the direction stated.
 */
export const scaleAmount = (amount: bigint, fromDecimals: number, toDecimals: number, rounding: Rounding): bigint => {
  if (fromDecimals === toDecimals) return amount
  return toDecimals > fromDecimals
    ? amount * powerOfTen(toDecimals - fromDecimals)
    : divide(amount, powerOfTen(fromDecimals - toDecimals), rounding)
}
