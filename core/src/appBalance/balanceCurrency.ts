import { token } from '../container/tokens.js'
import { applyBps, BPS } from '../money/bps.js'
import type { Currency, Money } from '../money/currency/currency.js'
import { exchanged, type PricedCurrency } from '../money/exchanged.js'
import type { Price } from '../money/prices/priceSource.js'
import type { Usd } from '../money/usd.js'

/** Usual cost of a conversion: what a route between unlike assets takes, platform fee and rebalancing together. */
const CONVERSION_BPS = 45

/** The currency in which wallets are owed what they earn and pay for what they sponsor (wire.md D.7): a dollar that the solver holds. */
export interface BalanceCurrency {
  readonly chainId: number
  /** Canonical address. */
  readonly address: string
  /** Cost of a conversion between it and another asset, basis points; absent: `CONVERSION_BPS`. */
  readonly conversionBps?: number
}

/** Null: this deployment keeps no balances. */
export const BALANCE_CURRENCY = token<BalanceCurrency | null>('core/BalanceCurrency')

/**
 * What a wallet pays where its balance is made of another asset, or paid out as one: basis points of the converted amount (wire.md 4.12,
 * faults.md F142). 0 between currencies of one asset.
 */
export const conversionBps = (
  { conversionBps: bps = CONVERSION_BPS }: BalanceCurrency,
  from: Pick<Currency, 'groupId'>,
  into: Pick<Currency, 'groupId'>,
): bigint => (from.groupId === into.groupId ? 0n : BigInt(bps))

/** A currency with its checked price. */
interface Checked {
  readonly currency: Pick<Currency, 'groupId'>
  readonly price: Pick<Price, 'usd' | 'range'>
}

/**
 * Prices at which money of one currency becomes another: between different assets the lowest of all sources for what is given and the
 * highest for what is taken, so that a crossing gains nothing by a price that one source reports later than another (faults.md F142).
 */
export const crossingPrices = (given: Checked, taken: Checked): { readonly given: Usd; readonly taken: Usd } =>
  given.currency.groupId === taken.currency.groupId
    ? { given: given.price.usd, taken: taken.price.usd }
    : { given: given.price.range?.low ?? given.price.usd, taken: taken.price.range?.high ?? taken.price.usd }

/** Balance for money of another currency: its worth at these prices less the cost of the conversion, rounded down. */
export const worthAsBalance = (
  balances: BalanceCurrency,
  money: Money,
  { price, into }: { readonly price: Usd; readonly into: PricedCurrency },
): bigint => {
  const bps = conversionBps(balances, money.currency, into.currency)
  return applyBps(exchanged(money, price, into, 'down'), BPS - bps, 'down')
}
