import {
  type AmountJson,
  amountObject,
  formatPercent,
  formatUsd,
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
  const { origin, destination } = quote.route
  const paid = (amount: bigint): Usd => roundUsd(usdValue({ currency: origin.currency, amount }, quote.prices.origin))
  const got = (amount: bigint): Usd =>
    roundUsd(usdValue({ currency: destination.currency, amount }, quote.prices.destination))
  const relayerGas = paid(quote.fees.relayerGas)
  const relayerService = paid(quote.fees.relayerService)
  const relayer = relayerGas + relayerService
  const app = paid(quote.fees.app)
  const totalImpact = got(quote.amountOut) - paid(quote.amountIn)
  return {
    in: paid(quote.amountIn),
    out: got(quote.amountOut),
    minimumOut: got(quote.minimumOut),
    gas: roundUsd(usdValue(quote.depositFee, quote.prices.originNative)),
    relayerGas,
    relayerService,
    relayer,
    app,
    subsidized: paid(quote.fees.subsidized),
    totalImpact,
    swapImpact: totalImpact + relayer + app,
  }
}

/** `fees` of the answer (wire.md 1.3). */
export const feesJson = (quote: PricedQuote, values: QuoteValues) => {
  const { currency } = quote.route.origin
  const fee = (amount: bigint, usd: Usd) => amountObject({ currency, amount }, quote.prices.origin, { usd })
  return {
    gas: amountObject(quote.depositFee, quote.prices.originNative, { usd: values.gas }),
    relayer: fee(quote.fees.relayer, values.relayer),
    relayerGas: fee(quote.fees.relayerGas, values.relayerGas),
    relayerService: fee(quote.fees.relayerService, values.relayerService),
    app: fee(quote.fees.app, values.app),
    subsidized: fee(quote.fees.subsidized, values.subsidized),
  }
}

const amountsJson = (quote: PricedQuote, values: QuoteValues) => {
  const { origin, destination } = quote.route
  const { prices, minimumOut: minimumAmount } = quote
  return {
    currencyIn: amountObject({ currency: origin.currency, amount: quote.amountIn }, prices.origin, { usd: values.in }),
    currencyOut: amountObject({ currency: destination.currency, amount: quote.amountOut }, prices.destination, {
      usd: values.out,
      minimumAmount,
    }),
  }
}

const slippageJson = (quote: PricedQuote, values: QuoteValues) => {
  const usd = values.out - values.minimumOut
  return {
    total: quote.slippageBps.toString(),
    // Nothing is swapped on the origin, so the whole tolerance is the destination's (wire.md 1.6).
    origin: { usd: formatUsd(0n), value: '0', percent: formatPercent(0n, 0n) },
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
  {
    currencyIn,
    currencyOut,
    router,
  }: { readonly currencyIn: AmountJson; readonly currencyOut: AmountJson; readonly router: string },
) => ({
  refundCurrency: currencyIn,
  expandedPriceImpact: expandedImpactJson(quote, values),
  route: {
    origin: { inputCurrency: currencyIn, outputCurrency: currencyIn, router },
    destination: { inputCurrency: currencyOut, outputCurrency: currencyOut, router },
  },
  isFixedRate: false,
})

/** Four parts that sum to the total impact, and what a sponsor gives (wire.md D.3). */
const expandedImpactJson = (quote: PricedQuote, values: QuoteValues) => {
  const execution = -(roundUsd(quote.flatUsd) + values.relayerGas)
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
