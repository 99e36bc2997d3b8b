import { divide, type Rounding } from './rounding.js'

/** Basis points in the whole. */
export const BPS = 10_000n

/** `bps` basis points of `amount`. */
export const applyBps = (amount: bigint, bps: bigint, rounding: Rounding): bigint => divide(amount * bps, BPS, rounding)

/**
 * Divides `amount` in proportion to `weights`; the parts always sum to `amount` and each is less than one unit away from
 * its exact share. What rounding leaves over goes to the first parts with the largest remainders. Weights are not
 * negative and not all zero.
 */
export const splitByWeights = (amount: bigint, weights: readonly bigint[]): readonly bigint[] => {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole <= 0n || weights.some((weight) => weight < 0n)) throw new Error('Weights must be positive in sum')
  const parts = weights.map((weight, at) => ({
    at,
    part: divide(amount * weight, whole, 'down'),
    remainder: (((amount * weight) % whole) + whole) % whole,
  }))
  let left = amount - parts.reduce((sum, { part }) => sum + part, 0n)
  const byRemainder = [...parts].sort((a, b) =>
    a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1,
  )
  for (const entry of byRemainder) {
    if (left === 0n) break
    entry.part += 1n
    left -= 1n
  }
  return parts.map(({ part }) => part)
}
