import { type FeeLine, formatUsd, ServiceError, sumFees, usdValue } from '@causeway/core'
import type { QuoteSettings } from '../options.js'
import { minimumInput, minimumOutput, solveAmounts } from './amounts.js'
import { convertUp, platformUsd, type ServiceRates, serviceFee, solverFeeLines } from './fees.js'
import type { Market } from './marketReader.js'
import type { RoutePlan } from './planRoute.js'
import type { PricedQuote } from './pricedQuote.js'
import type { QuoteInput } from './quoteInput.js'
import { type ResolvedRoute, requireRepresentable } from './resolveRoute.js'
import { effectiveSlippage } from './slippage.js'

export interface PricingRequest {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly plan: RoutePlan
  readonly market: Market
  readonly settings: QuoteSettings
  /** Lines of extensions, in the origin currency. */
  readonly extraFees: readonly FeeLine[]
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Decides all the numbers of a quote; no input or output. Throws ServiceError `AMOUNT_TOO_LOW` when fees eat the amount or
 * it is below the configured least value, `INVALID_REQUEST` when a derived amount exceeds what its chain can represent.
 */
export const priceQuote = (request: PricingRequest): PricedQuote => {
  const { input, route, plan, market, settings } = request
  const origin = route.origin.currency
  const { prices } = market
  const rates = ratesOf(request)
  const gas =
    convertUp(market.payoutFee, prices.destinationNative, origin, prices.origin) +
    convertUp(market.currencyFee, prices.destination, origin, prices.origin)
  const extra = sumFees(request.extraFees, origin).userPays
  const decimals = { originDecimals: origin.decimals, destinationDecimals: route.destination.currency.decimals }
  const { amountIn, amountOut } = solveAmounts({
    tradeType: input.tradeType,
    amount: input.amount,
    ...decimals,
    feesFor: (amount) => gas + extra + serviceFee(amount, rates),
  })
  requireRepresentable(amountIn, route.origin)
  requireRepresentable(amountOut, route.destination)
  requireWorth(amountIn, request)
  const fees = sumFees([...solverFeeLines(amountIn, gas, rates), ...request.extraFees], origin)
  const slippageBps = effectiveSlippage(
    { asked: input.slippageBps, tradeType: input.tradeType, sameAsset: plan.sameAsset, gas, amountIn },
    settings,
  )
  const minimumOut = minimumOutput(input.tradeType, amountOut, slippageBps)
  const rate = { tradeType: input.tradeType, amountIn, amountOut, minimumOut, feesIn: fees.userPays }
  const { underpaymentToleranceBps } = settings
  return {
    input,
    route,
    plan,
    prices,
    amountIn,
    amountOut,
    minimumOut,
    minimumIn: minimumInput(rate, { ...decimals, underpaymentToleranceBps }),
    slippageBps,
    fees,
    depositFee: market.depositFee,
    flatUsd: settings.flatExecutionUsd,
    platformUsd: platformUsd(amountIn, rates),
    userBalance: market.userBalance,
    quotedAt: request.now,
  }
}

const ratesOf = ({ route, plan, market, settings }: PricingRequest): ServiceRates => ({
  flatUsd: settings.flatExecutionUsd,
  platformBps: settings.platformBps[plan.pairClass],
  currency: route.origin.currency,
  price: market.prices.origin,
})

const requireWorth = (amountIn: bigint, { route, market, settings }: PricingRequest): void => {
  const worth = usdValue({ currency: route.origin.currency, amount: amountIn }, market.prices.origin)
  if (worth >= settings.minimumUsd) return
  const least = formatUsd(settings.minimumUsd)
  throw new ServiceError('AMOUNT_TOO_LOW', `The amount is worth less than the minimum of ${least} US dollars`)
}
