import { applyBps, BPS, type Currency, larger, type Money, ServiceError } from '@causeway/core'
import { largestPayable, type SwapOrder } from '@causeway/core/chain'
import { type FeeLine, formatUsd, sumFees, type Usd, usdValue } from '@causeway/core/plugin'
import { requireCallValue } from '../input/callsInput.js'
import { payableBetween } from '../route/payableAmounts.js'
import { requireRepresentable } from '../route/resolveRoute.js'
import type { SolverPair } from '../route/solverPath.js'
import { minimumAfterSlippage, minimumDeposit, type RateContext, solveAmounts } from './amounts.js'
import { atPrices, conversionOf } from './conversion.js'
import { convertUp, extensionFeeLines, feeLinesOf, platformFee, platformUsd, ratesOf, userFees } from './fees.js'
import { feesTooHigh } from './feesTooHigh.js'
import type { Market } from './marketReader.js'
import type { PricedPath } from './pathFinder.js'
import type { PriceBook } from './priceBook.js'
import type { PricedQuote, PricingContext } from './pricedQuote.js'
import { effectiveSlippage } from './slippage.js'

/** The part of a market that the amounts of a pair without swaps depend on. */
export type PlainMarket = Pick<Market, 'depositTaken' | 'payoutFee' | 'currencyFee'>

/** What the stored terms are later repriced with. */
export const plainContext = (
  { deposit, payout }: SolverPair,
  { plan: { route }, book, settings }: PricingContext,
): RateContext => ({
  conversion: conversionOf(
    { origin: deposit.decimals, destination: payout.decimals },
    deposit.groupId === payout.groupId ? undefined : { origin: book.of(deposit), destination: book.of(payout) },
  ),
  payable: payableBetween({ ...route.origin, currency: deposit }, { ...route.destination, currency: payout }),
  underpaymentToleranceBps: settings.underpaymentToleranceBps,
})

/** What a pair is priced with: the market, or the rate that somebody guarantees (wire.md D.8). */
export const pricingContext = (pair: SolverPair, context: PricingContext): RateContext => {
  const market = plainContext(pair, context)
  const { fixedRate } = context.plan.draft
  if (fixedRate === null) return market
  const decimals = { origin: pair.deposit.decimals, destination: pair.payout.decimals }
  const rate = { origin: fixedRate.output, destination: fixedRate.input }
  return { ...market, conversion: atPrices(decimals, rate) }
}

/** See `PricedDraft.rateGap`. */
const rateGapOf = (
  pair: SolverPair,
  { depositAmount, payoutAmount }: Pick<PricedPath, 'depositAmount' | 'payoutAmount'>,
  userPays: bigint,
  context: PricingContext,
): bigint => {
  if (context.plan.draft.fixedRate === null) return 0n
  return plainContext(pair, context).conversion.toDeposit(payoutAmount, 'up') - (depositAmount - userPays)
}

/** What arrives of a deposit of which the currency keeps a part: in proportion, which its own limit only makes less. */
const arriving = (sent: bigint, { depositTaken }: PlainMarket, asked: bigint): bigint =>
  depositTaken === 0n ? sent : sent - (depositTaken * sent + asked - 1n) / asked

/**
 * Prices a pair without swaps from what the chains said of it; `asked` is the deposit that they were asked about. Throws ServiceError
 * `AMOUNT_TOO_LOW` when fees eat the amount, `INVALID_REQUEST` when a derived amount exceeds what its chain can represent.
 */
export const pricePlain = (
  context: PricingContext,
  market: PlainMarket,
  pair: SolverPair,
  asked: bigint,
): PricedPath => {
  const { plan, book } = context
  const { input } = plan
  const { deposit, payout } = pair
  const inDeposited = (money: Money): bigint => convertUp(money, book.of(money.currency), deposit, book.of(deposit))
  const gas = inDeposited(market.payoutFee) + inDeposited({ currency: payout, amount: market.currencyFee })
  const rates = ratesOf(pair, context)
  const exactInput = input.tradeType === 'EXACT_INPUT'
  const { conversion, payable } = pricingContext(pair, context)
  const { depositAmount, payoutAmount } = solveAmounts({
    tradeType: input.tradeType,
    amount: exactInput ? arriving(input.amount, market, asked) : input.amount,
    conversion,
    payable,
    feesFor: (amount) => userFees(amount, gas, rates, context),
    refuse: (least) => feesTooHigh({ currency: deposit, lines: feeLinesOf(input.amount, gas, rates, context), least }),
  })
  const inputAmount = exactInput ? input.amount : payable.deposit(sending(depositAmount, market, asked))
  const offers = { originOffer: null, destinationOffer: null }
  return { ...pair, ...offers, inputAmount, depositAmount, payoutAmount, outputAmount: payoutAmount, gas }
}

/** The other way round: what must be sent so that `arrived` arrives. */
const sending = (arrived: bigint, { depositTaken }: PlainMarket, asked: bigint): bigint =>
  depositTaken === 0n ? arrived : (arrived * asked) / (asked - depositTaken) + 1n

/** What was found for a plan through the solver. */
export interface FoundPath {
  readonly path: PricedPath
  readonly market: Market
  /** Unix milliseconds at which the market was read. */
  readonly now: number
}

/** Decides all the numbers of a quote over a path; no input or output. */
export const priceQuote = (context: PricingContext, { path, market, now }: FoundPath): PricedQuote => {
  const { plan, book, settings } = context
  const { input, route, draft } = plan
  requireRepresentable(path.inputAmount, route.origin)
  requireRepresentable(path.outputAmount, route.destination)
  requireWorth(path.inputAmount, context)
  requireCallValue(input.calls, path.outputAmount, route.destination.currency === route.destination.native)
  const pair = { deposit: path.deposit, payout: path.payout }
  const rates = ratesOf(pair, context)
  const extensionLines = extensionFeeLines(draft)
  const { inputAmount, depositAmount, payoutAmount, outputAmount, gas } = path
  const lines = feeLinesOf(depositAmount, gas, rates, context)
  const fees = sumFees(lines, pair.deposit)
  const { tradeType } = input
  const slippageBps = effectiveSlippage(plan, { gas, depositAmount }, settings)
  const minimumOf = ({ address }: Currency, amount: bigint): bigint =>
    largestPayable(route.destination.chain.adapter, {
      currency: address,
      amount: minimumAfterSlippage(tradeType, amount, slippageBps),
    })
  const minimumPayout = minimumOf(pair.payout, payoutAmount)
  const rate = {
    ...{ tradeType, depositAmount, payoutAmount, minimumPayout, feesIn: fees.userPays, fillCost: fees.relayerGas },
    sponsorship: fees.subsidized === 0n && draft.fixedRate === null ? undefined : { fees: fees.subsidized },
  }
  const least = draft.wholeDeposit ? depositAmount : minimumDeposit(rate, plainContext(pair, context))
  return {
    plan,
    book,
    pair,
    inputAmount,
    depositAmount,
    minimumDeposit: least,
    payoutAmount,
    minimumPayout,
    outputAmount,
    minimumOutput: minimumOf(route.destination.currency, outputAmount),
    originSwap: originSwapOf(path, { minimumDeposit: least, slippageBps, now }, context),
    destinationOffer: path.destinationOffer,
    slippageBps,
    fees,
    lines,
    rateGap: rateGapOf(pair, path, fees.userPays, context),
    payoutFee: market.payoutFee.amount,
    depositFee: draft.sentForUser ? { ...market.depositFee, amount: 0n } : market.depositFee,
    flatUsd: rates.flatUsd + addedUsd('execution', extensionLines, book),
    platformUsd: platformUsd(depositAmount, rates) + addedUsd('platform', extensionLines, book),
    platformAmount: platformFee(depositAmount, rates),
    userBalance: market.userBalance,
    topup: draft.topup,
    quotedAt: now,
  }
}

/** What extensions add to a part of the price impact (wire.md D.3). */
const addedUsd = (bucket: FeeLine['bucket'], lines: readonly FeeLine[], book: PriceBook): Usd =>
  lines
    .filter((line) => line.bucket === bucket)
    .reduce((sum, { money }) => sum + usdValue(money, book.of(money.currency)), 0n)

/** The user's swap reverts rather than depositing what could not consume the order. */
const originSwapOf = (
  { originOffer, depositAmount }: PricedPath,
  least: { readonly minimumDeposit: bigint; readonly slippageBps: bigint; readonly now: number },
  { plan, settings }: PricingContext,
): SwapOrder | null => {
  if (originOffer === null) return null
  const { swaps } = plan.route.origin.chain.adapter
  const isFixed = plan.input.tradeType === 'EXACT_OUTPUT' || swaps?.deposits === 'minimum'
  const slipped = applyBps(originOffer.amountOut, BPS - least.slippageBps, 'down')
  return {
    offer: originOffer,
    minimumOut: isFixed ? depositAmount : larger(slipped, least.minimumDeposit),
    deadline: Math.floor(least.now / 1000) + settings.swapDeadlineSeconds,
  }
}

/** Throws ServiceError `AMOUNT_TOO_LOW` below what the operator quotes at least (wire.md 1.2). */
export const requireWorth = (inputAmount: bigint, { plan, book, settings }: PricingContext): void => {
  const { currency } = plan.route.origin
  const worth = usdValue({ currency, amount: inputAmount }, book.of(currency))
  const isSmallSwap = plan.requestType === 'Same-chain Swap' && plan.input.calls === null
  const least = isSmallSwap ? larger(settings.minimumUsd, settings.minimumSameChainUsd) : settings.minimumUsd
  if (worth >= least) return
  throw new ServiceError(
    'AMOUNT_TOO_LOW',
    `The amount is worth less than the minimum of ${formatUsd(least)} US dollars`,
  )
}
