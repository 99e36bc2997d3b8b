import type { Currency, Money } from './currency/currency.js'
import { divide, divideNearest, powerOfTen, type Rounding } from './rounding.js'
import { USD_DECIMALS, type Usd } from './usd.js'

/** One US dollar. */
export const ONE_USD: Usd = powerOfTen(USD_DECIMALS)

/** Dollars are shown with this many decimals, always (wire.md H.2). */
const SHOWN_DECIMALS = 6
const MICRO: Usd = powerOfTen(USD_DECIMALS - SHOWN_DECIMALS)

const DECIMAL = /^(-?)([0-9]{1,60})(?:\.([0-9]{1,60}))?$/

/**
 * Dollars from decimal text such as `"1.23"` or `"-0.5"`; digits beyond the eighteenth decimal are cut. Null for anything
 * else: exponents, `NaN`, signs other than a leading minus, blanks.
 */
export const parseUsd = (text: unknown): Usd | null => {
  const parts = typeof text === 'string' ? DECIMAL.exec(text) : null
  if (parts === null) return null
  const [, sign, whole = '0', fraction = ''] = parts
  const value = BigInt(whole + fraction.slice(0, USD_DECIMALS).padEnd(USD_DECIMALS, '0'))
  return sign === '-' ? -value : value
}

/** Nearest whole millionth of a dollar, halves away from zero: the value `formatUsd` shows. */
export const roundUsd = (usd: Usd): Usd => divideNearest(usd, MICRO) * MICRO

/** Whole millionths of a dollar, not above `usd`. */
export const floorUsd = (usd: Usd): Usd => divide(usd, MICRO, 'down') * MICRO

/** Dollar text with six decimals always; never `-0.000000` (wire.md H.2). */
export const formatUsd = (usd: Usd): string => {
  const micros = divideNearest(usd, MICRO)
  const digits = (micros < 0n ? -micros : micros).toString().padStart(SHOWN_DECIMALS + 1, '0')
  const point = digits.length - SHOWN_DECIMALS
  return `${micros < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Worth of `money` when one whole unit of its currency costs `price`; cut towards less below 10^-18 dollars. */
export const usdValue = (money: Money, price: Usd): Usd =>
  divide(money.amount * price, powerOfTen(money.currency.decimals), 'down')

/** Smallest units of `currency` worth `usd`. `price` is positive (Prices gives no other). */
export const amountForUsd = (usd: Usd, currency: Currency, price: Usd, rounding: Rounding): bigint =>
  divide(usd * powerOfTen(currency.decimals), price, rounding)

/** `part` as per cent of `whole`, two decimals: `"-0.02"`. `"0.00"` when `whole` is zero. */
export const formatPercent = (part: Usd, whole: Usd): string => {
  if (whole === 0n) return '0.00'
  const positive = whole < 0n ? -whole : whole
  const hundredths = divideNearest((whole < 0n ? -part : part) * 10_000n, positive)
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
