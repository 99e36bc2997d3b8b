import { BPS, divide, type Hex, type Money, ServiceError } from '@causeway/core'
import type { DirectRequest, SwapOffer, SwapOrder } from '@causeway/core/chain'
import { type FeeLine, sumFees, topupOrderId } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import { noRoute } from '../route/noRoute.js'
import type { QuotePlan } from '../route/quotePlan.js'
import { requireRepresentable } from '../route/resolveRoute.js'
import { minimumAfterSlippage, smallestDeposit } from './amounts.js'
import type { MarketReader } from './marketReader.js'
import type { PriceBook } from './priceBook.js'
import type { PricedQuote } from './pricedQuote.js'
import { requireWorth } from './priceQuote.js'
import { slippageBeforeGas } from './slippage.js'
import { priceUnlisted } from './swapImpact.js'

export interface DirectPricing {
  readonly plan: QuotePlan
  readonly kind: DirectRequest['kind']
  readonly settings: QuoteSettings
  /** Unix milliseconds. */
  readonly now: number
}

/** Stands in for the id of a request that does not exist yet. */
const PLACEHOLDER: Hex = `0x${'ff'.repeat(32)}`

/** The user's own swap, sized for the trade type: an exact output leaves room for the price to move. */
const orderSwap = (offer: SwapOffer, slippageBps: bigint, { plan, settings, now }: DirectPricing): SwapOrder => {
  const { tradeType, amount } = plan.input
  const isExact = tradeType === 'EXACT_OUTPUT' && slippageBps < BPS
  const amountIn = isExact ? divide(offer.amountIn * BPS, BPS - slippageBps, 'up') : offer.amountIn
  const amountOut = tradeType === 'EXACT_INPUT' ? offer.amountOut : amount
  return {
    offer: { ...offer, amountIn },
    minimumOut: minimumAfterSlippage(tradeType, amountOut, slippageBps),
    deadline: Math.floor(now / 1000) + settings.swapDeadlineSeconds,
  }
}

const findSwap = async (
  request: DirectPricing,
  { slippageBps, feesOf }: { readonly slippageBps: bigint; readonly feesOf: DirectFees },
): Promise<SwapOrder> => {
  const { input, route, limits } = request.plan
  const { origin, destination } = route
  const [from, to] = [origin.currency.address, destination.currency.address]
  const kind = input.tradeType === 'EXACT_INPUT' ? 'exact-input' : 'exact-output'
  const amount = kind === 'exact-input' ? input.amount - sum(feesOf(input.amount)) : input.amount
  if (amount <= 0n) throw new ServiceError('AMOUNT_TOO_LOW', 'The amount does not cover the fees of this route')
  const answers = await origin.chain.adapter.swaps?.offers([{ kind, from, to, amount }], limits.origin)
  const offer = answers?.[0]?.[0]
  if (offer !== undefined) return orderSwap(offer, slippageBps, request)
  throw noRoute(route, limits, [{ origin: true, destination: false }])
}

/** What the chain is asked to build for a direct quote. */
export const directRequestOf = (
  {
    plan: { route },
    inputAmount,
    originSwap,
    lines,
  }: Pick<PricedQuote, 'plan' | 'inputAmount' | 'originSwap' | 'lines'>,
  kind: DirectRequest['kind'],
  requestId: Hex,
): DirectRequest => ({
  kind,
  requestId,
  from: route.user,
  recipient: route.recipient.address,
  money: { currency: route.origin.currency.address, amount: inputAmount },
  currencyOut: route.destination.currency.address,
  ...(originSwap === null ? {} : { swap: originSwap }),
  ...(lines.length === 0 ? {} : { deposits: depositsOf(lines) }),
})

/** One deposit for each wallet that is owed something. */
const depositsOf = (lines: readonly FeeLine[]): NonNullable<DirectRequest['deposits']> => {
  const owed = new Map<string, bigint>()
  for (const { owedTo = '', money } of lines) owed.set(owedTo, (owed.get(owedTo) ?? 0n) + money.amount)
  return [...owed].map(([wallet, amount]) => ({ amount, orderId: topupOrderId(wallet) }))
}

/** Fees that the user's own transaction deposits, of the whole input. */
type DirectFees = (input: bigint) => readonly FeeLine[]

const NO_FEES: DirectFees = () => []

const sum = (lines: readonly FeeLine[]): bigint => lines.reduce((total, { money }) => total + money.amount, 0n)

/** None where the transaction can carry no deposits, or of a currency that is no balance's to take in: the solver must hold and price it. */
const directFees = ({ plan: { route, feeRules } }: DirectPricing, book: PriceBook): DirectFees => {
  const { chain, currency } = route.origin
  const price = book.find(currency)
  if (chain.adapter.direct?.deposits !== true || !route.held.origin || price === undefined) return NO_FEES
  return (amount) => feeRules.direct({ money: { currency, amount }, price: price.usd, priceOf: (of) => book.of(of) })
}

/**
 * Prices what a user moves alone on one chain: nothing is charged for it, so the fees are zero but for the network's own.
 * Throws ServiceError `AMOUNT_TOO_LOW`, `UNSUPPORTED_CURRENCY` and the codes of `noRoute`.
 */
export const priceDirect = async (
  request: DirectPricing,
  market: MarketReader,
  prices: Promise<PriceBook>,
): Promise<PricedQuote> => {
  const { plan, kind, settings, now } = request
  const { input, route } = plan
  const { origin, destination } = route
  const slippageBps = kind === 'swap' ? slippageBeforeGas(plan, settings) : 0n
  const feesOf = plan.balanceCurrency === null ? NO_FEES : directFees(request, await prices)
  const [originSwap, userBalance, listed] = await Promise.all([
    kind === 'swap' ? findSwap(request, { slippageBps, feesOf }) : null,
    market.balance(route),
    prices,
  ])
  const book = priceEnds(plan, originSwap?.offer ?? null, listed)
  const isExactInput = input.tradeType === 'EXACT_INPUT'
  const inputAmount =
    originSwap === null || isExactInput
      ? input.amount
      : smallestDeposit(originSwap.offer.amountIn, (amount) => sum(feesOf(amount)))
  const lines = originSwap === null ? [] : feesOf(inputAmount)
  const outputAmount = originSwap !== null && isExactInput ? originSwap.offer.amountOut : input.amount
  const minimumOutput = originSwap?.minimumOut ?? outputAmount
  const depositFee = await feeOf({ plan, inputAmount, originSwap, lines }, kind, market)
  requireRepresentable(inputAmount, origin)
  requireRepresentable(outputAmount, destination)
  requireWorth(inputAmount, { plan, book, settings })
  return {
    plan,
    book,
    pair: { deposit: origin.currency, payout: destination.currency },
    inputAmount,
    depositAmount: inputAmount,
    minimumDeposit: inputAmount,
    payoutAmount: outputAmount,
    minimumPayout: minimumOutput,
    outputAmount,
    minimumOutput,
    originSwap,
    destinationOffer: null,
    slippageBps,
    fees: sumFees(lines, origin.currency),
    lines,
    rateGap: 0n,
    payoutFee: 0n,
    depositFee,
    flatUsd: 0n,
    platformUsd: 0n,
    platformAmount: 0n,
    userBalance,
    topup: 0n,
    quotedAt: now,
  }
}

/** An end without a price of its own is worth what it is exchanged for: one to one where it is only wrapped. */
const priceEnds = ({ route, operation }: QuotePlan, offer: SwapOffer | null, book: PriceBook): PriceBook => {
  const ends = [route.origin.currency, route.destination.currency]
  const [known, unknown] = book.find(route.origin.currency) === undefined ? ends.reverse() : ends
  if (known === undefined || unknown === undefined || book.find(unknown) !== undefined) return book
  if (operation === 'wrap' || operation === 'unwrap') return book.with(unknown, book.observed(known))
  return priceUnlisted(book, [{ offer, known, unknown }])
}

const feeOf = async (
  quote: Pick<PricedQuote, 'plan' | 'inputAmount' | 'originSwap' | 'lines'>,
  kind: DirectRequest['kind'],
  market: MarketReader,
): Promise<Money> => {
  const { origin } = quote.plan.route
  const { direct } = origin.chain.adapter
  if (direct === undefined) throw new Error(`Chain ${origin.chain.config.id} builds no direct transactions`)
  const fee = await direct.estimateFee(directRequestOf(quote, kind, PLACEHOLDER))
  return market.inCurrency(origin, fee.network)
}
