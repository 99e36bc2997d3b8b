import { BPS, type Currency, divide, powerOfTen, ServiceError } from '@causeway/core'
import type { SwapOffer } from '@causeway/core/chain'
import { formatUsd, type Usd } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { PriceBook } from './priceBook.js'
import type { PricedQuote } from './pricedQuote.js'
import type { QuoteValues } from './quoteValues.js'

/** What one whole unit of one end of an offer is worth when the other end has a price; null where the offer knows no mid price. */
const priceBy = (
  offer: SwapOffer,
  known: { readonly currency: Currency; readonly price: Usd },
  unknown: Currency,
): Usd | null => {
  const { amountIn, midAmountOut } = offer
  if (midAmountOut === null || midAmountOut <= 0n || amountIn <= 0n) return null
  const [knownAmount, unknownAmount] =
    known.currency.address === offer.to ? [midAmountOut, amountIn] : [amountIn, midAmountOut]
  const worth = knownAmount * known.price * powerOfTen(unknown.decimals)
  const usd = divide(worth, unknownAmount * powerOfTen(known.currency.decimals), 'down')
  return usd > 0n ? usd : null
}

/**
 * The book with a price for an unlisted currency that no source knows: that of the pools it is swapped over, before fee and
 * depth. Throws ServiceError `UNSUPPORTED_CURRENCY` when there is none.
 */
export const priceUnlisted = (
  book: PriceBook,
  swaps: readonly { readonly offer: SwapOffer | null; readonly known: Currency; readonly unknown: Currency }[],
): PriceBook =>
  swaps.reduce((priced, { offer, known, unknown }) => {
    if (offer === null || priced.find(unknown) !== undefined) return priced
    const { usd: price, observedAt } = priced.observed(known)
    const usd = priceBy(offer, { currency: known, price }, unknown)
    if (usd !== null) return priced.with(unknown, { usd, observedAt })
    throw new ServiceError('UNSUPPORTED_CURRENCY', `${unknown.symbol} has no price here, so it cannot be quoted.`)
  }, book)

const lossBps = ({ amountOut, midAmountOut }: SwapOffer): bigint =>
  midAmountOut === null || midAmountOut <= 0n ? 0n : ((midAmountOut - amountOut) * BPS) / midAmountOut

/** Refuses a quote whose swaps cost too much, `SWAP_IMPACT_TOO_HIGH`, unless the caller wants it so (wire.md 1.2). */
export const requireFairSwaps = (
  { plan, originSwap, destinationOffer }: PricedQuote,
  values: QuoteValues,
  { maxSwapImpactBps }: Pick<QuoteSettings, 'maxSwapImpactBps'>,
): void => {
  const offers = [originSwap?.offer, destinationOffer].filter((offer) => offer !== undefined && offer !== null)
  if (plan.input.overridePriceImpact || offers.length === 0) return
  // What a sponsor gives makes no swap better.
  const lost = values.subsidized - values.swapImpact
  const inDollars = values.input > 0n ? (lost * BPS) / values.input : 0n
  const worst = [inDollars, ...offers.map(lossBps)].reduce((most, loss) => (loss > most ? loss : most), 0n)
  if (worst <= maxSwapImpactBps) return
  throw new ServiceError(
    'SWAP_IMPACT_TOO_HIGH',
    `The swap would cost ${worst / 100n}.${(worst % 100n).toString().padStart(2, '0')} % of the value (${formatUsd(-lost)} US dollars); ask for less, or set overridePriceImpact`,
  )
}
