import type { AmountJson, CurrencyJson } from '../http/openapi/sharedSchemas.js'
import { formatAmount } from './amount.js'
import type { Currency, Money } from './currency/currency.js'
import type { Usd } from './usd.js'
import { formatUsd, usdValue } from './usdMath.js'

const shown = new WeakMap<Currency, CurrencyJson>()

/** CURRENCY of an amount object: always in full, `vmType` and `metadata` included (wire.md K.1 11). */
export const currencyJson = (currency: Currency): CurrencyJson => {
  const known = shown.get(currency)
  if (known !== undefined) return known
  const { chainId, address, symbol, name, decimals, vmType, metadata } = currency
  const made = { chainId, address, symbol, name, decimals, vmType, metadata: { ...metadata } }
  shown.set(currency, made)
  return made
}

export interface AmountOptions {
  /** Worst accepted amount; the amount itself unless given (wire.md 0.3). */
  readonly minimumAmount?: bigint
  /** Shown instead of the value at the price, for sums of values already rounded. */
  readonly usd?: Usd
}

/** AMOUNT as quotes show it (wire.md 0.3): `price` is what one whole unit costs. */
export const amountObject = (money: Money, price: Usd, options: AmountOptions = {}): AmountJson => ({
  currency: currencyJson(money.currency),
  amount: money.amount.toString(),
  amountFormatted: formatAmount(money.amount, money.currency.decimals),
  amountUsd: formatUsd(options.usd ?? usdValue(money, price)),
  minimumAmount: (options.minimumAmount ?? money.amount).toString(),
})
