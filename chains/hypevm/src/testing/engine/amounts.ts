import { formatAmount } from '@causeway/core'
import { refuse } from './refusal.js'

/** Decimal places of balances on perps exchanges. */
export const PERPS_DECIMALS = 6

/**
 * Amount of an action in the smallest unit.
 * @param decimals of the unit
 * @param places that the balances on both sides can hold
 * @throws Refusal with the text of the exchange
 */
export const readAmount = (text: string, decimals: number, places: number): bigint => {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? refuse('Invalid decimal number')
  if (sign === '-' || /[1-9]/.test(fraction.slice(places))) return refuse('Invalid number of decimals')
  const units = BigInt(whole + fraction.slice(0, places).padEnd(decimals, '0'))
  return units > 0n ? units : refuse('Send amount cannot be zero')
}

/** Amount of a ledger update: the text of a binary float, such as `2703997.4500000002`. */
export const floatText = (units: bigint, decimals: number): string =>
  Number(formatAmount(units, decimals)).toFixed(10).replace(/0+$/, '').replace(/\.$/, '.0')
