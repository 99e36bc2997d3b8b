import {
  type AmountJson,
  amountObject,
  type Currency,
  formatPercent,
  formatUsd,
  larger,
  rateText,
  roundUsd,
  type Usd,
  usdValue,
} from '@causeway/core'
import type { PricedQuote } from './pricedQuote.js'

/**
 * Dollar values of a quote, each rounded to the six decimals shown before anything is computed from it, so that the
 * identities of wire.md D.2 to D.4 hold for the texts a client reads, exactly.
 */
export interface QuoteValues {
  readonly in: Usd
  readonly out: Usd
  readonly minimumOut: Usd
  readonly gas: Usd
  readonly relayerGas: Usd
  readonly relayerService: Usd
  readonly relayer: Usd
  readonly app: Usd
  readonly subsidized: Usd
  readonly totalImpact: Usd
  readonly swapImpact: Usd
}

/** The values of a quote at its own prices. */
export const valuesOf = (quote: PricedQuote): QuoteValues => {
  const { route, pair, book, fees } = quote
  const worth = (currency: Currency, amount: bigint): Usd => roundUsd(usdValue({ currency, amount }, book.of(currency)))
  const fee = (amount: bigint): Usd => worth(pair.deposit, amount)
  const relayerGas = fee(fees.relayerGas)
  const relayerService = fee(fees.relayerService)
  const relayer = relayerGas + relayerService
  const app = fee(fees.app)
  const paid = worth(route.origin.currency, quote.amountIn)
  const got = worth(route.destination.currency, quote.amountOut)
  const totalImpact = got - paid
  return {
    in: paid,
    out: got,
    minimumOut: worth(route.destination.currency, quote.minimumOut),
    gas: worth(quote.depositFee.currency, quote.depositFee.amount),
    relayerGas,
    relayerService,
    relayer,
    app,
    subsidized: fee(fees.subsidized),
    totalImpact,
    swapImpact: totalImpact + relayer + app,
  }
}

/** `fees` of the answer (wire.md 1.3). */
export const feesJson = ({ pair, book, fees, depositFee }: PricedQuote, values: QuoteValues) => {
  const currency = pair.deposit
  const fee = (amount: bigint, usd: Usd) => amountObject({ currency, amount }, book.of(currency), { usd })
  return {
    gas: amountObject(depositFee, book.of(depositFee.currency), { usd: values.gas }),
    relayer: fee(fees.relayer, values.relayer),
    relayerGas: fee(fees.relayerGas, values.relayerGas),
    relayerService: fee(fees.relayerService, values.relayerService),
    app: fee(fees.app, values.app),
    subsidized: fee(fees.subsidized, values.subsidized),
  }
}

const amountsJson = ({ route, book, amountIn, amountOut, minimumOut }: PricedQuote, values: QuoteValues) => {
  const { origin, destination } = route
  return {
    currencyIn: amountObject({ currency: origin.currency, amount: amountIn }, book.of(origin.currency), {
      usd: values.in,
    }),
    currencyOut: amountObject({ currency: destination.currency, amount: amountOut }, book.of(destination.currency), {
      usd: values.out,
      minimumAmount: minimumOut,
    }),
  }
}

/** What the swap of the deposit may give less than expected. */
const originSlippage = ({ originSwap, pair, book }: PricedQuote, values: QuoteValues) => {
  const value = originSwap === null ? 0n : larger(originSwap.offer.amountOut - originSwap.minimumOut, 0n)
  const usd = roundUsd(usdValue({ currency: pair.deposit, amount: value }, book.of(pair.deposit)))
  return { usd: formatUsd(usd), value: value.toString(), percent: formatPercent(usd, values.out) }
}

const slippageJson = (quote: PricedQuote, values: QuoteValues) => {
  const usd = values.out - values.minimumOut
  return {
    total: quote.slippageBps.toString(),
    // Two ways to use the one tolerance up, not two tolerances (wire.md 1.6).
    origin: originSlippage(quote, values),
    destination: {
      usd: formatUsd(usd),
      value: (quote.amountOut - quote.minimumOut).toString(),
      percent: formatPercent(usd, values.out),
    },
  }
}

const impactJson = (usd: Usd, values: QuoteValues) => ({ usd: formatUsd(usd), percent: formatPercent(usd, values.in) })

/** `details` of `POST /price` (wire.md 1.8); a quote adds `quoteOnlyJson`. */
export const priceDetailsJson = (quote: PricedQuote, values: QuoteValues, timeEstimate: number) => {
  const { origin, destination, user, recipient } = quote.route
  return {
    operation: quote.plan.operation,
    sender: user,
    recipient: recipient.address,
    ...amountsJson(quote, values),
    totalImpact: impactJson(values.totalImpact, values),
    swapImpact: impactJson(values.swapImpact, values),
    rate: rateText(
      { currency: origin.currency, amount: quote.amountIn },
      { currency: destination.currency, amount: quote.amountOut },
    ),
    slippageTolerance: slippageJson(quote, values),
    timeEstimate,
    userBalance: quote.userBalance.toString(),
  }
}

/** The part of `details` that `/price` lacks (wire.md 1.6, 1.8). `router` names the solver's own route. */
export const quoteOnlyJson = (
  quote: PricedQuote,
  values: QuoteValues,
  ends: { readonly currencyIn: AmountJson; readonly currencyOut: AmountJson; readonly router: string },
) => ({
  refundCurrency: quote.originSwap === null ? ends.currencyIn : depositJson(quote),
  expandedPriceImpact: expandedImpactJson(quote, values),
  route: routeJson(quote, ends),
  isFixedRate: false,
})

const depositJson = ({ pair, depositAmount: amount, book }: PricedQuote): AmountJson =>
  amountObject({ currency: pair.deposit, amount }, book.of(pair.deposit))

/** One side of the route: swapped by a source, else carried by the solver. */
const sideJson = (
  inputCurrency: AmountJson,
  outputCurrency: AmountJson,
  router: string,
  source: string | undefined,
) => ({
  inputCurrency,
  outputCurrency,
  router: source ?? router,
  ...(source === undefined ? {} : { includedSwapSources: [source] }),
})

const routeJson = (
  quote: PricedQuote,
  {
    currencyIn,
    currencyOut,
    router,
  }: { readonly currencyIn: AmountJson; readonly currencyOut: AmountJson; readonly router: string },
) => {
  const { originSwap, destinationOffer, pair, payAmount, book } = quote
  // The user's one transaction is the whole route (specification.md, details).
  if (quote.direct !== null) return { origin: sideJson(currencyIn, currencyOut, router, originSwap?.offer.source) }
  const paid = amountObject({ currency: pair.pay, amount: payAmount }, book.of(pair.pay))
  return {
    origin: sideJson(
      currencyIn,
      originSwap === null ? currencyIn : depositJson(quote),
      router,
      originSwap?.offer.source,
    ),
    destination: sideJson(
      destinationOffer === null ? currencyOut : paid,
      currencyOut,
      router,
      destinationOffer?.source,
    ),
  }
}

/** Four parts that sum to the total impact, and what a sponsor gives (wire.md D.3). */
const expandedImpactJson = (quote: PricedQuote, values: QuoteValues) => {
  const flat = quote.direct === null ? roundUsd(quote.flatUsd) : 0n
  const execution = -(flat + values.relayerGas)
  const relay = -roundUsd(quote.platformUsd)
  const app = -values.app
  const part = (usd: Usd) => ({ usd: formatUsd(usd) })
  return {
    swap: part(values.totalImpact - execution - relay - app),
    execution: part(execution),
    relay: part(relay),
    app: part(app),
    sponsored: part(values.subsidized),
  }
}
