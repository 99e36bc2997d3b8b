import { token } from '../container/tokens.js'
import { applyBps, BPS } from '../money/bps.js'
import type { Currency, Money } from '../money/currency/currency.js'
import { exchanged, type PricedCurrency } from '../money/exchanged.js'
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

/** Balance for money of another currency: its worth at these prices less the cost of the conversion, rounded down. */
export const worthAsBalance = (
  balances: BalanceCurrency,
  money: Money,
  { price, into }: { readonly price: Usd; readonly into: PricedCurrency },
): bigint => {
  const bps = conversionBps(balances, money.currency, into.currency)
  return applyBps(exchanged(money, price, into, 'down'), BPS - bps, 'down')
}
