import {
  type CurrencyJson,
  formatUsd,
  ONE_USD,
  parseUsd,
  quotedText,
  type RecordAppFeesJson,
  type RecordFeesJson,
  type RecordParts,
  type Usd,
} from '@causeway/core/plugin'
import { currentUsd, type RecordView } from './recordView.js'

/** What a transfer costs, by kind. */
export interface ByPart<T> {
  readonly gas: T
  readonly fixed: T
  readonly price: T
  readonly gateway: T
}

/** `fees` and `feesUsd` of a record of version 2, with the currency of `fees`. */
export interface V2FeesJson {
  readonly currency: CurrencyJson
  /** Smallest unit of `currency`. */
  readonly fees: ByPart<string>
  readonly feesUsd: ByPart<string>
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const notNegative = (value: bigint): bigint => (value < 0n ? 0n : value)
const usdOf = (text: string | null | undefined): Usd => parseUsd(text) ?? 0n

const mapParts = <T, R>({ gas, fixed, price, gateway }: ByPart<T>, make: (value: T) => R): ByPart<R> => ({
  gas: make(gas),
  fixed: make(fixed),
  price: make(price),
  gateway: make(gateway),
})

/**
 * Costs in dollars, positive: the network's part of the execution, its flat part, and what depends on pair and amount. Of
 * what really happened once that is known, else of the quote. There is no gateway that charges.
 */
const costs = ({ facts }: RecordParts, { quoted, actual }: RecordFeesJson): ByPart<Usd> => {
  const { execution, swap, platform } = actual ?? quoted
  const spent = notNegative(-usdOf(execution.usd))
  const quotedSpent = notNegative(-usdOf(quoted.execution.usd))
  const quotedGas = usdOf(quotedText(facts, 'fees.relayerGas.amountUsd'))
  const fixed = least(spent, notNegative(quotedSpent - quotedGas))
  return { gas: spent - fixed, fixed, price: -(usdOf(swap.usd) + usdOf(platform.usd)), gateway: 0n }
}

/** The native currency of the origin where the quote has a price of it, else the one the quote has its fees in. */
const feeCurrency = ({ facts, money, context }: RecordParts, fees: RecordFeesJson): CurrencyJson => {
  const { chainId } = facts.terms.origin
  const native = context.currencies.native(chainId)
  return native === undefined || money.worth(chainId, native.address, ONE_USD) === null
    ? fees.currency
    : money.currency(chainId, native.address)
}

/** `fees`, `feesUsd` and `feeCurrencyObject` (wire.md 3.2). */
export const v2Fees = (parts: RecordParts, fees: RecordFeesJson): V2FeesJson => {
  const currency = feeCurrency(parts, fees)
  const usd = costs(parts, fees)
  const worth = (value: Usd): bigint => parts.money.worth(currency.chainId, currency.address, value) ?? 0n
  const amount = (value: Usd): bigint => (value < 0n ? -worth(-value) : worth(value))
  return {
    currency,
    fees: mapParts(usd, (value) => amount(value).toString()),
    feesUsd: mapParts(usd, formatUsd),
  }
}

/** `expandedPriceImpact`: the parts of `fees` of version 3 in dollars, the platform's as `relay` (wire.md K.1 13). */
export const v2PriceImpact = ({ quoted, actual }: RecordFeesJson) => {
  const shown = ({ swap, execution, platform, app, sponsored }: NonNullable<RecordFeesJson['actual']>) => ({
    swap: { usd: swap.usd },
    execution: { usd: execution.usd },
    relay: { usd: platform.usd },
    app: { usd: app.usd },
    sponsored: { usd: sponsored.usd },
  })
  return { quoted: shown(quoted), actual: actual === null ? null : shown(actual) }
}

/** `appFees` and `paidAppFees`. */
export const v2AppFees = (
  { money }: RecordParts,
  { quoted, actual, currency }: RecordAppFeesJson,
  view: RecordView,
) => {
  const shown = ({ recipient, bps, amount }: RecordAppFeesJson['quoted'][number]) => ({
    recipient,
    bps,
    amount,
    amountUsd: formatUsd(money.usd(currency.chainId, currency.address, BigInt(amount)) ?? 0n),
    ...currentUsd({ currency, amount }, view),
  })
  return { appFees: quoted.map(shown), paidAppFees: actual.map(shown) }
}
