import { randomBytes } from 'node:crypto'
import { BPS, bytesToHex, divide, type Hex, type Money } from '@causeway/core'
import type { DirectRequest, SwapOffer, SwapOrder } from '@causeway/core/chain'
import { sumFees } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import { minimumOutput } from './amounts.js'
import type { MarketReader } from './marketReader.js'
import { noRoute } from '../route/noRoute.js'
import type { RoutePlan } from '../route/planRoute.js'
import type { PriceBook } from './priceBook.js'
import type { PricedQuote } from './pricedQuote.js'
import { requireWorth } from './priceQuote.js'
import type { QuoteInput } from '../input/quoteInput.js'
import { type ResolvedRoute, requireRepresentable } from '../route/resolveRoute.js'
import { usualSlippage } from './slippage.js'
import { priceUnlisted } from './swapImpact.js'
import type { RouteLimits } from '../input/swapLimits.js'

export interface DirectPricing {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly plan: RoutePlan
  readonly kind: DirectRequest['kind']
  readonly limits: RouteLimits
  readonly settings: QuoteSettings
  /** Unix milliseconds. */
  readonly now: number
}

/** Stands in for the id of a request that does not exist yet. */
const PLACEHOLDER: Hex = `0x${'ff'.repeat(32)}`

/** An id of its own: there is no order to derive it from (wire.md H.2 requestId). */
export const newDirectId = (): Hex => bytesToHex(randomBytes(32))

/** The user's own swap, sized for the trade type: an exact output leaves room for the price to move. */
const orderSwap = (offer: SwapOffer, slippageBps: bigint, { input, settings, now }: DirectPricing): SwapOrder => {
  const isExact = input.tradeType === 'EXACT_OUTPUT' && slippageBps < BPS
  const amountIn = isExact ? divide(offer.amountIn * BPS, BPS - slippageBps, 'up') : offer.amountIn
  const amountOut = input.tradeType === 'EXACT_INPUT' ? offer.amountOut : input.amount
  return {
    offer: { ...offer, amountIn },
    minimumOut: minimumOutput(input.tradeType, amountOut, slippageBps),
    deadline: Math.floor(now / 1000) + settings.swapDeadlineSeconds,
  }
}

const findSwap = async (request: DirectPricing, slippageBps: bigint): Promise<SwapOrder> => {
  const { input, route, limits } = request
  const { origin, destination } = route
  const [from, to] = [origin.currency.address, destination.currency.address]
  const kind = input.tradeType === 'EXACT_INPUT' ? 'exact-input' : 'exact-output'
  const answers = await origin.chain.adapter.swaps?.offers([{ kind, from, to, amount: input.amount }], limits.origin)
  const offer = answers?.[0]?.[0]
  if (offer !== undefined) return orderSwap(offer, slippageBps, request)
  throw noRoute(route, limits, [{ origin: true, destination: false }])
}

/** What the chain is asked to build for a direct quote. */
export const directRequestOf = (
  quote: Pick<PricedQuote, 'route' | 'amountIn' | 'originSwap'>,
  kind: DirectRequest['kind'],
  requestId: Hex,
): DirectRequest => ({
  kind,
  requestId,
  from: quote.route.user,
  recipient: quote.route.recipient.address,
  money: { currency: quote.route.origin.currency.address, amount: quote.amountIn },
  currencyOut: quote.route.destination.currency.address,
  ...(quote.originSwap === null ? {} : { swap: quote.originSwap }),
})

/**
 * Prices what a user moves alone on one chain: nothing is charged for it, so the fees are zero but for the network's own.
 * Throws ServiceError `AMOUNT_TOO_LOW`, `UNSUPPORTED_CURRENCY` and the codes of `noRoute`.
 */
export const priceDirect = async (
  request: DirectPricing,
  market: MarketReader,
  prices: Promise<PriceBook>,
): Promise<PricedQuote> => {
  const { input, route, plan, kind, settings, now } = request
  const { origin, destination } = route
  const slippageBps = kind === 'swap' ? (input.slippageBps ?? usualSlippage(plan.sameAsset, settings)) : 0n
  const [originSwap, userBalance, listed] = await Promise.all([
    kind === 'swap' ? findSwap(request, slippageBps) : null,
    market.balance(route),
    prices,
  ])
  const book = priceEnds(request, originSwap?.offer ?? null, listed)
  const amountIn = originSwap?.offer.amountIn ?? input.amount
  const isExactInput = input.tradeType === 'EXACT_INPUT'
  const amountOut = originSwap !== null && isExactInput ? originSwap.offer.amountOut : input.amount
  const minimumOut = originSwap?.minimumOut ?? amountOut
  const depositFee = await feeOf(request, market, { route, amountIn, originSwap })
  const pair = { deposit: origin.currency, pay: destination.currency }
  requireRepresentable(amountIn, origin)
  requireRepresentable(amountOut, destination)
  requireWorth({ amountIn }, { route, book, settings, input, plan })
  return {
    input,
    route,
    plan,
    book,
    pair,
    amountIn,
    depositAmount: amountIn,
    minimumDeposit: amountIn,
    payAmount: amountOut,
    minimumPay: minimumOut,
    amountOut,
    minimumOut,
    originSwap,
    destinationOffer: null,
    slippageBps,
    fees: sumFees([], origin.currency),
    payoutFee: 0n,
    depositFee,
    flatUsd: 0n,
    platformUsd: 0n,
    platformAmount: 0n,
    rule: null,
    userBalance,
    topup: 0n,
    direct: kind,
    quotedAt: now,
  }
}

/** An end without a price of its own is worth what it is exchanged for: one to one where it is only wrapped. */
const priceEnds = ({ route, plan }: DirectPricing, offer: SwapOffer | null, book: PriceBook): PriceBook => {
  const ends = [route.origin.currency, route.destination.currency]
  const [known, unknown] = book.find(route.origin.currency) === undefined ? ends.reverse() : ends
  if (known === undefined || unknown === undefined || book.find(unknown) !== undefined) return book
  if (plan.operation === 'wrap' || plan.operation === 'unwrap') return book.with(unknown, book.observed(known))
  return priceUnlisted(book, [{ offer, known, unknown }])
}

const feeOf = async (
  { route, kind }: DirectPricing,
  market: MarketReader,
  quote: Pick<PricedQuote, 'route' | 'amountIn' | 'originSwap'>,
): Promise<Money> => {
  const { direct } = route.origin.chain.adapter
  if (direct === undefined) throw new Error(`Chain ${route.origin.chain.config.id} builds no direct transactions`)
  const fee = await direct.estimateFee(directRequestOf(quote, kind, PLACEHOLDER))
  return market.inCurrency(route.origin, fee.network)
}
