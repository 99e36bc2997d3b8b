import { divide, powerOfTen, type Rounding } from '@causeway/core'
import { scaleAmount, type Usd } from '@causeway/core/plugin'

/** The worth of a deposited amount in the currency the solver pays, and back, before any fee. */
export interface Conversion {
  toPayout(deposit: bigint, rounding: Rounding): bigint
  toDeposit(payout: bigint, rounding: Rounding): bigint
}

export interface Decimals {
  readonly origin: number
  readonly destination: number
}

/** One asset on two chains: a unit is a unit, whatever it costs. */
export const sameAsset = ({ origin, destination }: Decimals): Conversion => ({
  toPayout: (deposit, rounding) => scaleAmount(deposit, origin, destination, rounding),
  toDeposit: (payout, rounding) => scaleAmount(payout, destination, origin, rounding),
})

/** Different assets at what a whole unit of each costs. Prices are positive. */
export const atPrices = (
  decimals: Decimals,
  prices: { readonly origin: Usd; readonly destination: Usd },
): Conversion => {
  const originUnit = prices.destination * powerOfTen(decimals.origin)
  const destinationUnit = prices.origin * powerOfTen(decimals.destination)
  return {
    toPayout: (deposit, rounding) => divide(deposit * destinationUnit, originUnit, rounding),
    toDeposit: (payout, rounding) => divide(payout * originUnit, destinationUnit, rounding),
  }
}

/** At the prices where there are two assets, else as one. */
export const conversionOf = (
  decimals: Decimals,
  prices: { readonly origin: Usd; readonly destination: Usd } | undefined,
): Conversion => (prices === undefined ? sameAsset(decimals) : atPrices(decimals, prices))
