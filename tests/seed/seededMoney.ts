import { formatAmount } from '@causeway/core'
import { type AmountJson, formatUsd } from '@causeway/core/plugin'
import type { SeededCurrency } from './seededChains.js'

const MICROS_OF_A_CENT = 10_000n
/** What dollars are counted in, to a millionth. */
const MICRO = 10n ** 12n

/** Smallest units worth so many millionths of a dollar; at least one. */
export const unitsOf = ({ json, cents }: SeededCurrency, micros: bigint): bigint => {
  const units = (micros * 10n ** BigInt(json.decimals)) / (cents * MICROS_OF_A_CENT)
  return units > 0n ? units : 1n
}

/** An amount as quotes tell it. */
export const amountOf = ({ json }: SeededCurrency, amount: bigint, micros: bigint): AmountJson => ({
  currency: json,
  amount: amount.toString(),
  amountFormatted: formatAmount(amount, json.decimals),
  amountUsd: formatUsd(micros * MICRO),
  minimumAmount: amount.toString(),
})
