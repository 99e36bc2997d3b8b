import type { Currency } from './currency/currency.js'

/** An amount of something whose decimals are known. */
interface Counted {
  readonly currency: Pick<Currency, 'decimals'>
  readonly amount: bigint
}

/**
 * Output units for one input unit in human units, as the shortest text of the double (wire.md D.4): `"0.9995"`, `"1"`.
 * For display only; nothing is computed from it. `"0"` when the input is zero.
 */
export const rateText = (input: Counted, output: Counted): string => {
  if (input.amount === 0n) return '0'
  const human = ({ currency, amount }: Counted): number => Number(amount) / 10 ** currency.decimals
  return String(human(output) / human(input))
}
