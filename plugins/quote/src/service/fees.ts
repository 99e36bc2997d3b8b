import {
  amountForUsd,
  applyBps,
  type Currency,
  divide,
  type FeeLine,
  floorUsd,
  type Money,
  powerOfTen,
  type Usd,
  usdValue,
} from '@causeway/core'

/** What the solver charges for its work on top of the network cost. */
export interface ServiceRates {
  readonly flatUsd: Usd
  readonly platformBps: bigint
  /** The deposited currency and its price. */
  readonly currency: Currency
  readonly price: Usd
}

/** What `money` is worth in `currency` at the two prices, rounded up: it is a cost of the user (wire.md H.2 Rounding). */
export const convertUp = (money: Money, price: Usd, currency: Currency, currencyPrice: Usd): bigint =>
  divide(
    money.amount * price * powerOfTen(currency.decimals),
    currencyPrice * powerOfTen(money.currency.decimals),
    'up',
  )

/** Platform fee in dollars: basis points of the input's value, cut to six decimals (wire.md D.3). */
export const platformUsd = (amountIn: bigint, { currency, price, platformBps }: ServiceRates): Usd =>
  floorUsd(applyBps(usdValue({ currency, amount: amountIn }, price), platformBps, 'down'))

/** Flat and platform fee together in the deposited currency, rounded up once. Grows with the input, never faster than it. */
export const serviceFee = (amountIn: bigint, rates: ServiceRates): bigint =>
  amountForUsd(rates.flatUsd + platformUsd(amountIn, rates), rates.currency, rates.price, 'up')

/** The solver's own fee lines of a quote: network, flat part, platform. The last two sum to `serviceFee`. */
export const solverFeeLines = (amountIn: bigint, gas: bigint, rates: ServiceRates): readonly FeeLine[] => {
  const flat = amountForUsd(rates.flatUsd, rates.currency, rates.price, 'up')
  const line = (bucket: FeeLine['bucket'], amount: bigint): FeeLine => ({
    bucket,
    payer: 'user',
    money: { currency: rates.currency, amount },
  })
  return [line('gas', gas), line('execution', flat), line('platform', serviceFee(amountIn, rates) - flat)]
}
