import { applyBps, type Currency, type Money } from '@causeway/core'
import {
  amountForUsd,
  exchanged,
  type FeeLine,
  floorUsd,
  type QuoteDraft,
  sumFees,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'
import type { IntegratorRule } from '../../rules/integratorRule.js'
import { classifyPair } from '../route/planRoute.js'
import type { SolverPair } from '../route/solverPath.js'
import type { PriceBook } from './priceBook.js'
import type { PricingContext } from './pricedQuote.js'

/** What the solver charges for its work on top of the network cost. */
export interface ServiceRates {
  readonly flatUsd: Usd
  readonly platformBps: bigint
  /** Cost of bringing the solver's funds back in balance, where it pays another asset than it takes. */
  readonly rebalancingBps: bigint
  /** The deposited currency and its price. */
  readonly currency: Currency
  readonly price: Usd
  /** Whose balance so much of the platform fee goes to; null: nobody's. */
  readonly share: { readonly wallet: string; readonly part: bigint; readonly whole: bigint } | null
}

/** What `money` is worth in `currency` at the two prices, rounded up: it is a cost of the user (wire.md H.2 Rounding). */
export const convertUp = (money: Money, price: Usd, currency: Currency, currencyPrice: Usd): bigint =>
  exchanged(money, price, { currency, price: currencyPrice }, 'up')

/** Platform fee in dollars: basis points of the input's value, cut to six decimals (wire.md D.3). */
export const platformUsd = (depositAmount: bigint, { currency, price, platformBps }: ServiceRates): Usd =>
  floorUsd(applyBps(usdValue({ currency, amount: depositAmount }, price), platformBps, 'down'))

/** The platform fee in the deposited currency, as `solverFeeLines` charges it. */
export const platformFee = (depositAmount: bigint, rates: ServiceRates): bigint =>
  flatAndPlatform(depositAmount, rates) - amountForUsd(rates.flatUsd, rates.currency, rates.price, 'up')

const flatAndPlatform = (depositAmount: bigint, rates: ServiceRates): bigint =>
  amountForUsd(rates.flatUsd + platformUsd(depositAmount, rates), rates.currency, rates.price, 'up')

const rebalancingFee = (depositAmount: bigint, { rebalancingBps }: ServiceRates): bigint =>
  applyBps(depositAmount, rebalancingBps, 'up')

/** The solver's own fee lines of a quote: network, flat part, platform, rebalancing. Each grows with the deposit, all together never faster than it. */
export const solverFeeLines = (depositAmount: bigint, gas: bigint, rates: ServiceRates): readonly FeeLine[] => {
  const flat = amountForUsd(rates.flatUsd, rates.currency, rates.price, 'up')
  const line = (bucket: FeeLine['bucket'], amount: bigint): FeeLine => ({
    bucket,
    payer: 'user',
    money: { currency: rates.currency, amount },
  })
  const swap = rebalancingFee(depositAmount, rates)
  return [
    line('gas', gas),
    line('execution', flat),
    ...platformLines(depositAmount, rates).map(({ amount, owedTo }) => ({ ...line('platform', amount), ...owedTo })),
    ...(swap === 0n ? [] : [line('swap', swap)]),
  ]
}

/** The platform fee, and what of it is an integrator's. */
const platformLines = (depositAmount: bigint, rates: ServiceRates) => {
  const whole = platformFee(depositAmount, rates)
  if (rates.share === null) return [{ amount: whole, owedTo: {} }]
  const amount = (whole * rates.share.part) / rates.share.whole
  return [
    { amount: whole - amount, owedTo: {} },
    { amount, owedTo: { owedTo: rates.share.wallet } },
  ]
}

/** All fees of a deposit, in its currency, divided between those who pay them. */
export const feeLinesOf = (
  depositAmount: bigint,
  gas: bigint,
  rates: ServiceRates,
  { plan: { draft, feeRules }, book }: PricingContext,
): readonly FeeLine[] => {
  const { currency, price } = rates
  const deposit = { money: { currency, amount: depositAmount }, price, priceOf: (wanted: Currency) => book.of(wanted) }
  const lines = [
    ...solverFeeLines(depositAmount, gas, rates),
    ...linesIn(extensionFeeLines(draft), currency, book),
    ...feeRules.added(deposit),
  ]
  return feeRules.divided(lines, deposit)
}

/** What of them the deposit must cover. */
export const userFees = (...of: Parameters<typeof feeLinesOf>): bigint =>
  sumFees(feeLinesOf(...of), of[2].currency).userPays

/** The same lines in one currency: what they are worth in it, rounded up. */
export const linesIn = (lines: readonly FeeLine[], currency: Currency, book: PriceBook): readonly FeeLine[] =>
  lines.map((line) => {
    const { currency: own } = line.money
    if (own.chainId === currency.chainId && own.address === currency.address) return line
    return { ...line, money: { currency, amount: convertUp(line.money, book.of(own), currency, book.of(currency)) } }
  })

/** The lines of extensions, and what the native currency that comes along is worth: the user pays for it. */
export const extensionFeeLines = ({ feeLines, topup, destinationNative }: QuoteDraft): readonly FeeLine[] =>
  topup === 0n
    ? feeLines
    : [...feeLines, { bucket: 'gas', payer: 'user', money: { currency: destinationNative, amount: topup } }]

/** Whether a rule prices by the oracle. */
export const isOracle = (rule: IntegratorRule | null): rule is IntegratorRule & { readonly oracleBps: number } =>
  rule !== null && rule.oracleBps !== null

/** What the solver charges for a pair of currencies (wire.md D.1); `book` has the price of the deposited one. */
export const ratesOf = ({ deposit, payout }: SolverPair, { plan, settings, book }: PricingContext): ServiceRates => {
  const { rule, ruleWallet } = plan
  const share =
    rule === null || ruleWallet === null
      ? null
      : {
          wallet: ruleWallet,
          part: BigInt(rule.integratorFeeBps),
          whole: BigInt(rule.relayFeeBps + rule.integratorFeeBps),
        }
  const deposited = { currency: deposit, price: book.of(deposit), share }
  // Fixed basis points of the oracle's price: nothing but them and the network cost.
  if (isOracle(rule))
    return { ...deposited, share: null, flatUsd: 0n, platformBps: BigInt(rule.oracleBps), rebalancingBps: 0n }
  const agreed = rule === null ? null : BigInt(rule.relayFeeBps + rule.integratorFeeBps)
  return {
    ...deposited,
    flatUsd: settings.flatExecutionUsd,
    platformBps: agreed ?? settings.platformBps[plan.pairClass],
    rebalancingBps:
      deposit.groupId === payout.groupId
        ? 0n
        : (plan.draft.rebalancingBps ?? settings.rebalancingBps[classifyPair(deposit, payout, settings)]),
  }
}
