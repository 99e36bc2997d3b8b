import type { Currency, Money } from './currency/currency.js'
import { divide, powerOfTen, type Rounding } from './rounding.js'
import type { Usd } from './usd.js'

/** A currency, and what a whole unit of it costs. */
export interface PricedCurrency {
  readonly currency: Currency
  readonly price: Usd
}

/** What `money` at `price` is worth in another currency at its own, smallest unit. Prices are positive. */
export const exchanged = (money: Money, price: Usd, into: PricedCurrency, rounding: Rounding): bigint =>
  divide(
    money.amount * price * powerOfTen(into.currency.decimals),
    into.price * powerOfTen(money.currency.decimals),
    rounding,
  )
