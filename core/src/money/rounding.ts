/**
 * `up` is towards what costs more, `down` towards less: amounts the user pays round up, amounts the user gets round
 * down (wire.md H.2).
 */
export type Rounding = 'up' | 'down'

/** `numerator / denominator` rounded to the next integer above or below, negative numbers included. `denominator` > 0. */
export const divide = (numerator: bigint, denominator: bigint, rounding: Rounding): bigint => {
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  if (remainder === 0n) return quotient
  if (rounding === 'up') return remainder > 0n ? quotient + 1n : quotient
  return remainder < 0n ? quotient - 1n : quotient
}

/** `numerator / denominator` rounded to the nearest integer, halves away from zero. `denominator` > 0. */
export const divideNearest = (numerator: bigint, denominator: bigint): bigint => {
  const half = denominator / 2n
  return numerator < 0n ? -((-numerator + half) / denominator) : (numerator + half) / denominator
}

const powers: readonly bigint[] = Array.from({ length: 78 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^`exponent`. */
export const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
