import { applyBps, BPS, larger, ServiceError } from '@causeway/core'
import type { SwapOrder } from '@causeway/core/chain'
import { type FeeLine, formatUsd, sumFees, type TradeType, type Usd, usdValue } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { IntegratorRule } from '../../rules/integratorRule.js'
import { minimumInput, minimumOutput, solveAmounts } from './amounts.js'
import { requireCallValue } from '../input/callsInput.js'
import { conversionOf } from './conversion.js'
import { convertUp, linesIn, platformFee, platformUsd, ratesOf, serviceFee, solverFeeLines } from './fees.js'
import type { Market } from './marketReader.js'
import type { PricedPath } from './pathFinder.js'
import type { RoutePlan } from '../route/planRoute.js'
import type { PriceBook } from './priceBook.js'
import type { PricedQuote } from './pricedQuote.js'
import type { QuoteInput } from '../input/quoteInput.js'
import { type ResolvedRoute, requireRepresentable } from '../route/resolveRoute.js'
import { effectiveSlippage } from './slippage.js'
import type { SolverPair } from '../route/solverPath.js'

export interface PricingRequest {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly plan: RoutePlan
  readonly book: PriceBook
  readonly market: Market
  readonly settings: QuoteSettings
  readonly rule: IntegratorRule | null
  readonly rebalancingBps: bigint | null
  /** Lines of extensions, in any priced currency. */
  readonly extraFees: readonly FeeLine[]
  readonly topup: bigint
  /** Unix milliseconds. */
  readonly now: number
}

/** The part of a market that the amounts of a pair without swaps depend on. */
export type PlainMarket = Pick<Market, 'depositTaken' | 'payoutFee' | 'currencyFee'>

/** The context that the stored terms later reprice with. */
export const contextOf = ({ deposit, pay }: SolverPair, book: PriceBook, settings: QuoteSettings) => ({
  conversion: conversionOf(
    { origin: deposit.decimals, destination: pay.decimals },
    deposit.groupId === pay.groupId ? undefined : { origin: book.of(deposit), destination: book.of(pay) },
  ),
  underpaymentToleranceBps: settings.underpaymentToleranceBps,
})

/** What arrives of a deposit of which the currency keeps a part: in proportion, which its own limit only makes less. */
const arriving = (sent: bigint, { depositTaken }: PlainMarket, asked: bigint): bigint =>
  depositTaken === 0n ? sent : sent - (depositTaken * sent + asked - 1n) / asked

/**
 * Prices a pair without swaps from what the chains said of it. Throws ServiceError `AMOUNT_TOO_LOW` when fees eat the
 * amount, `INVALID_REQUEST` when a derived amount exceeds what its chain can represent.
 */
export const pricePlain = (
  request: Omit<PricingRequest, 'market'> & { readonly market: PlainMarket },
  pair: SolverPair,
  asked: bigint,
): PricedPath => {
  const { input, market, book } = request
  const gas =
    convertUp(market.payoutFee, book.of(market.payoutFee.currency), pair.deposit, book.of(pair.deposit)) +
    convertUp(
      { currency: pair.pay, amount: market.currencyFee },
      book.of(pair.pay),
      pair.deposit,
      book.of(pair.deposit),
    )
  const rates = ratesOf(pair, request)
  const extra = sumFees(linesIn(request.extraFees, pair.deposit, book), pair.deposit).userPays
  const exactInput = input.tradeType === 'EXACT_INPUT'
  const { amountIn: depositAmount, amountOut: payAmount } = solveAmounts({
    tradeType: input.tradeType,
    amount: exactInput ? arriving(input.amount, market, asked) : input.amount,
    conversion: contextOf(pair, book, request.settings).conversion,
    feesFor: (amount) => gas + extra + serviceFee(amount, rates),
  })
  const amountIn = exactInput ? input.amount : sending(depositAmount, market, asked)
  const offers = { originOffer: null, destinationOffer: null }
  return { ...pair, ...offers, amountIn, depositAmount, payAmount, amountOut: payAmount, gas }
}

/** The other way round: what must be sent so that `arrived` arrives. */
const sending = (arrived: bigint, { depositTaken }: PlainMarket, asked: bigint): bigint =>
  depositTaken === 0n ? arrived : (arrived * asked) / (asked - depositTaken) + 1n

/** Decides all the numbers of a quote over a path; no input or output. */
export const priceQuote = (request: PricingRequest, path: PricedPath): PricedQuote => {
  const { input, route, plan, book, market, settings } = request
  requireRepresentable(path.amountIn, route.origin)
  requireRepresentable(path.amountOut, route.destination)
  requireWorth(path, request)
  requireCallValue(input.calls, path.amountOut, route.destination.currency === route.destination.native)
  const pair = { deposit: path.deposit, pay: path.pay }
  const rates = ratesOf(pair, request)
  const { depositAmount, payAmount, amountOut, gas } = path
  const fees = sumFees(
    [...solverFeeLines(depositAmount, gas, rates), ...linesIn(request.extraFees, pair.deposit, book)],
    pair.deposit,
  )
  const { tradeType } = input
  const slippageBps = effectiveSlippage(
    { asked: input.slippageBps, tradeType, sameAsset: plan.sameAsset, gas, amountIn: depositAmount },
    settings,
  )
  const minimumPay = minimumOutput(tradeType, payAmount, slippageBps)
  const rate = {
    tradeType,
    amountIn: depositAmount,
    amountOut: payAmount,
    minimumOut: minimumPay,
    feesIn: fees.userPays,
  }
  const minimumDeposit = minimumInput(rate, contextOf(pair, book, settings))
  return {
    input,
    route,
    plan,
    book,
    pair,
    amountIn: path.amountIn,
    depositAmount,
    minimumDeposit,
    payAmount,
    minimumPay,
    amountOut,
    minimumOut: minimumOutput(tradeType, amountOut, slippageBps),
    originSwap: originSwapOf(path, { minimumDeposit, slippageBps, tradeType }, request),
    destinationOffer: path.destinationOffer,
    slippageBps,
    fees,
    payoutFee: market.payoutFee.amount,
    depositFee: market.depositFee,
    flatUsd: rates.flatUsd + addedUsd('execution', request),
    platformUsd: platformUsd(depositAmount, rates) + addedUsd('platform', request),
    platformAmount: platformFee(depositAmount, rates),
    rule: request.rule,
    userBalance: market.userBalance,
    topup: request.topup,
    direct: null,
    quotedAt: request.now,
  }
}

/** What extensions add to a part of the price impact (wire.md D.3). */
const addedUsd = (bucket: FeeLine['bucket'], { extraFees, book }: PricingRequest): Usd =>
  extraFees
    .filter((line) => line.bucket === bucket)
    .reduce((sum, { money }) => sum + usdValue(money, book.of(money.currency)), 0n)

/** The user's swap reverts rather than depositing what could not consume the order. */
const originSwapOf = (
  { originOffer, depositAmount }: PricedPath,
  least: { readonly minimumDeposit: bigint; readonly slippageBps: bigint; readonly tradeType: TradeType },
  { route, settings, now }: PricingRequest,
): SwapOrder | null => {
  if (originOffer === null) return null
  const isFixed = least.tradeType === 'EXACT_OUTPUT' || route.origin.chain.adapter.swaps?.deposits === 'minimum'
  const slipped = applyBps(originOffer.amountOut, BPS - least.slippageBps, 'down')
  return {
    offer: originOffer,
    minimumOut: isFixed ? depositAmount : larger(slipped, least.minimumDeposit),
    deadline: Math.floor(now / 1000) + settings.swapDeadlineSeconds,
  }
}

/** Throws ServiceError `AMOUNT_TOO_LOW` below what the operator quotes at least (wire.md 1.2). */
export const requireWorth = (
  { amountIn }: Pick<PricedPath, 'amountIn'>,
  { route, book, settings, input, plan }: Pick<PricingRequest, 'route' | 'book' | 'settings' | 'input' | 'plan'>,
): void => {
  const { currency } = route.origin
  const worth = usdValue({ currency, amount: amountIn }, book.of(currency))
  const isSmallSwap = plan.requestType === 'Same-chain Swap' && input.calls === null
  const least = isSmallSwap ? larger(settings.minimumUsd, settings.minimumSameChainUsd) : settings.minimumUsd
  if (worth >= least) return
  throw new ServiceError(
    'AMOUNT_TOO_LOW',
    `The amount is worth less than the minimum of ${formatUsd(least)} US dollars`,
  )
}
