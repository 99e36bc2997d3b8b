import { applyBps, type Currency, divide, type Money, powerOfTen } from '@causeway/core'
import { amountForUsd, type FeeLine, floorUsd, type Usd, usdValue } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { IntegratorRule } from '../../rules/integratorRule.js'
import { classifyPair, type RoutePlan } from '../route/planRoute.js'
import type { PriceBook } from './priceBook.js'
import type { SolverPair } from '../route/solverPath.js'

/** What the solver charges for its work on top of the network cost. */
export interface ServiceRates {
  readonly flatUsd: Usd
  readonly platformBps: bigint
  /** Cost of bringing the solver's funds back in balance, where it pays another asset than it takes. */
  readonly rebalancingBps: bigint
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

/** The platform fee in the deposited currency, as `solverFeeLines` charges it. */
export const platformFee = (amountIn: bigint, rates: ServiceRates): bigint =>
  flatAndPlatform(amountIn, rates) - amountForUsd(rates.flatUsd, rates.currency, rates.price, 'up')

const flatAndPlatform = (amountIn: bigint, rates: ServiceRates): bigint =>
  amountForUsd(rates.flatUsd + platformUsd(amountIn, rates), rates.currency, rates.price, 'up')

const rebalancingFee = (amountIn: bigint, { rebalancingBps }: ServiceRates): bigint =>
  applyBps(amountIn, rebalancingBps, 'up')

/**
 * Flat and platform fee together in the deposited currency, rounded up once, and the cost of rebalancing. Grows with the
 * input, never faster than it.
 */
export const serviceFee = (amountIn: bigint, rates: ServiceRates): bigint =>
  flatAndPlatform(amountIn, rates) + rebalancingFee(amountIn, rates)

/** The solver's own fee lines of a quote: network, flat part, platform, rebalancing. All but the first sum to `serviceFee`. */
export const solverFeeLines = (amountIn: bigint, gas: bigint, rates: ServiceRates): readonly FeeLine[] => {
  const flat = amountForUsd(rates.flatUsd, rates.currency, rates.price, 'up')
  const line = (bucket: FeeLine['bucket'], amount: bigint): FeeLine => ({
    bucket,
    payer: 'user',
    money: { currency: rates.currency, amount },
  })
  const swap = rebalancingFee(amountIn, rates)
  return [
    line('gas', gas),
    line('execution', flat),
    line('platform', platformFee(amountIn, rates)),
    ...(swap === 0n ? [] : [line('swap', swap)]),
  ]
}

/** The same lines in one currency: what they are worth in it, rounded up. */
export const linesIn = (lines: readonly FeeLine[], currency: Currency, book: PriceBook): readonly FeeLine[] =>
  lines.map((line) => {
    const { currency: own } = line.money
    if (own.chainId === currency.chainId && own.address === currency.address) return line
    return { ...line, money: { currency, amount: convertUp(line.money, book.of(own), currency, book.of(currency)) } }
  })

/** What decides the solver's rates. */
export interface RatesContext {
  readonly plan: RoutePlan
  readonly settings: QuoteSettings
  readonly book: PriceBook
  /** What was agreed with the integrator who asks; null: nothing. */
  readonly rule: IntegratorRule | null
  /** What an extension says that rebalancing costs; null: the setting of the pair's class. */
  readonly rebalancingBps: bigint | null
}

/** Whether a rule prices by the oracle. */
export const isOracle = (rule: IntegratorRule | null): rule is IntegratorRule & { readonly oracleBps: number } =>
  rule !== null && rule.oracleBps !== null

/** What the solver charges for a pair of currencies (wire.md D.1); `book` has the price of the deposited one. */
export const ratesOf = ({ deposit, pay }: SolverPair, context: RatesContext): ServiceRates => {
  const { plan, settings, book, rule, rebalancingBps } = context
  const deposited = { currency: deposit, price: book.of(deposit) }
  // Fixed basis points of the oracle's price: nothing but them and the network cost.
  if (isOracle(rule)) return { ...deposited, flatUsd: 0n, platformBps: BigInt(rule.oracleBps), rebalancingBps: 0n }
  const agreed = rule === null ? null : BigInt(rule.relayFeeBps + rule.integratorFeeBps)
  return {
    ...deposited,
    flatUsd: settings.flatExecutionUsd,
    platformBps: agreed ?? settings.platformBps[plan.pairClass],
    rebalancingBps:
      deposit.groupId === pay.groupId
        ? 0n
        : (rebalancingBps ?? settings.rebalancingBps[classifyPair(deposit, pay, settings)]),
  }
}
