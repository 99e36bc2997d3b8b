import { destinationText, type Hex, larger } from '@causeway/core'
import type { StepItemDraft, SwapOffer } from '@causeway/core/chain'
import {
  type AmountJson,
  amountObject,
  formatPercent,
  formatUsd,
  leftByCalls,
  type PriceResponse,
  type QuoteResponse,
  quotientText,
  rateText,
  roundUsd,
  SOLVER_ROUTER,
  spentByCalls,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { PricedQuote } from '../pricing/pricedQuote.js'
import { type QuoteValues, valuesOf } from '../pricing/quoteValues.js'
import { isOrdered, type OrderedResult, type QuoteResult } from './quoteResult.js'
import { replacedStepsJson, stepsJson } from './responseSteps.js'

/** What extensions add to a part of the answer. */
type ExtensionFields = Readonly<Record<string, unknown>>

/** The part of an answer that is stored with the quote. */
export type FeesAndDetails = Pick<QuoteResponse, 'fees' | 'details'>

/** Answer of `POST /price` (wire.md 1.8). */
export const priceResponse = (quote: PricedQuote, settings: Pick<QuoteSettings, 'timeEstimate'>): PriceResponse => {
  const values = valuesOf(quote)
  return { fees: feesJson(quote, values), details: priceDetailsJson(quote, values, settings) }
}

/** `fees` and `details` of `POST /quote`, extensions' own fields included (wire.md 1.3, 1.6). */
export const feesAndDetails = (
  quote: PricedQuote,
  settings: Pick<QuoteSettings, 'timeEstimate'>,
  added: ExtensionFields,
): FeesAndDetails => {
  const values = valuesOf(quote)
  const details = priceDetailsJson(quote, values, settings)
  return { fees: feesJson(quote, values), details: { ...details, ...quoteOnlyJson(quote, values, details), ...added } }
}

export interface QuoteResponseParts extends FeesAndDetails {
  readonly quote: PricedQuote
  readonly result: QuoteResult
  readonly steps: readonly StepItemDraft[]
  /** What takes the place of the deposit's own steps, behind `steps`; null: nothing does. */
  readonly replaced: { readonly address: string | null; readonly items: readonly StepItemDraft[] } | null
  /** Null where nobody asked for it. */
  readonly signature: Hex | null
  /** Fields of extensions. */
  readonly added: ExtensionFields
}

/** Answer of `POST /quote` (wire.md 1.3). */
export const quoteResponse = (parts: QuoteResponseParts): QuoteResponse => {
  const { quote, result, fees, details, steps, replaced, signature, added } = parts
  const { requestId } = result
  return {
    requestId,
    steps: replaced === null ? stepsJson(steps, requestId) : replacedStepsJson(steps, replaced, requestId),
    fees,
    details,
    ...added,
    ...protocolOf(quote, result, signature),
  }
}

const NO_ORDER = {
  orderId: null,
  hubType: 'onchain',
  orderData: null,
  orderSignature: null,
  paymentDetails: null,
} as const

/** A caller that asks for the order of a quote without one is told so; others read no `protocol` then. */
const protocolOf = (
  quote: PricedQuote,
  result: QuoteResult,
  signature: Hex | null,
): Pick<QuoteResponse, 'protocol'> => {
  if (isOrdered(result)) return { protocol: { v2: protocolJson(quote, result, signature) } }
  return quote.plan.input.includeProtocolData ? { protocol: { v2: NO_ORDER } } : {}
}

/** `protocol.v2` (wire.md 1.7). */
const protocolJson = (
  { plan, pair, depositAmount }: PricedQuote,
  { orderId, order }: OrderedResult,
  signature: Hex | null,
) => {
  const { chain } = plan.route.origin
  return {
    orderId,
    hubType: 'onchain' as const,
    ...(signature === null ? {} : { orderData: order, orderSignature: signature }),
    paymentDetails: {
      chainId: chain.config.slug,
      depository: chain.adapter.depository,
      currency: pair.deposit.address,
      amount: depositAmount.toString(),
    },
  }
}

/** `fees` of the answer (wire.md 1.3). */
const feesJson = ({ pair, book, fees, depositFee }: PricedQuote, values: QuoteValues) => {
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

const callsOf = ({ plan: { input } }: PricedQuote) => input.calls?.calls ?? []

/** The whole output, as the order promises it: to the recipient, or to the calls first. */
const wholeOutputJson = ({ plan, book, outputAmount, minimumOutput }: PricedQuote, values: QuoteValues): AmountJson => {
  const { currency } = plan.route.destination
  return amountObject({ currency, amount: outputAmount }, book.of(currency), {
    usd: values.output,
    minimumAmount: minimumOutput,
  })
}

/** What is left of the output for the recipient, as far as it is known before the calls run (wire.md 1.6, G.2). */
const receivedJson = (quote: PricedQuote, values: QuoteValues): AmountJson => {
  const calls = callsOf(quote)
  if (spentByCalls(calls) === 0n) return wholeOutputJson(quote, values)
  const { currency } = quote.plan.route.destination
  const received = { currency, amount: leftByCalls(quote.outputAmount, calls) }
  return amountObject(received, quote.book.of(currency), { minimumAmount: leftByCalls(quote.minimumOutput, calls) })
}

/** What the record needs beside the answer: with the whole output it prices what was moved, all that is left being little or nothing. */
export const callsFacts = (quote: PricedQuote, values: QuoteValues): object =>
  spentByCalls(callsOf(quote)) === 0n ? {} : { wholeOutput: wholeOutputJson(quote, values) }

const amountsJson = (quote: PricedQuote, values: QuoteValues) => {
  const { plan, book, inputAmount } = quote
  const { currency } = plan.route.origin
  return {
    currencyIn: amountObject({ currency, amount: inputAmount }, book.of(currency), { usd: values.input }),
    currencyOut: receivedJson(quote, values),
  }
}

/** What the swap of the deposit may give less than expected. */
const originSlippage = ({ originSwap, pair, book }: PricedQuote, values: QuoteValues) => {
  const value = originSwap === null ? 0n : larger(originSwap.offer.amountOut - originSwap.minimumOut, 0n)
  const usd = roundUsd(usdValue({ currency: pair.deposit, amount: value }, book.of(pair.deposit)))
  return { usd: formatUsd(usd), value: value.toString(), percent: formatPercent(usd, values.output) }
}

const slippageJson = (quote: PricedQuote, values: QuoteValues) => {
  const usd = values.output - values.minimumOutput
  return {
    total: quote.slippageBps.toString(),
    // Two ways to use the one tolerance up, not two tolerances (wire.md 1.6).
    origin: originSlippage(quote, values),
    destination: {
      usd: formatUsd(usd),
      value: (quote.outputAmount - quote.minimumOutput).toString(),
      percent: formatPercent(usd, values.output),
    },
  }
}

const impactJson = (usd: Usd, values: QuoteValues) => ({
  usd: formatUsd(usd),
  percent: formatPercent(usd, values.input),
})

/** `details` of `POST /price` (wire.md 1.8); a quote adds `quoteOnlyJson`. */
const priceDetailsJson = (quote: PricedQuote, values: QuoteValues, settings: Pick<QuoteSettings, 'timeEstimate'>) => {
  const { route, input } = quote.plan
  const { user, recipient } = route
  return {
    operation: quote.plan.operation,
    sender: user,
    recipient: destinationText(recipient),
    ...amountsJson(quote, values),
    totalImpact: impactJson(values.totalImpact, values),
    swapImpact: impactJson(values.swapImpact, values),
    rate: shownRate(quote),
    slippageTolerance: slippageJson(quote, values),
    timeEstimate: settings.timeEstimate(input.originChainId),
    userBalance: quote.userBalance.toString(),
  }
}

/** A fixed rate as it was asked for, whatever a unit was rounded to; else that of the amounts. */
const shownRate = ({ plan, inputAmount, outputAmount }: PricedQuote): string => {
  const { fixedRate } = plan.draft
  if (fixedRate !== null) return quotientText(fixedRate.output, fixedRate.input)
  const { origin, destination } = plan.route
  return rateText(
    { currency: origin.currency, amount: inputAmount },
    { currency: destination.currency, amount: outputAmount },
  )
}

/** The part of `details` that `/price` lacks (wire.md 1.6, 1.8). */
const quoteOnlyJson = (quote: PricedQuote, values: QuoteValues, ends: Ends) => ({
  refundCurrency: quote.originSwap === null ? ends.currencyIn : depositJson(quote),
  expandedPriceImpact: expandedImpactJson(quote, values),
  route: routeJson(quote, ends),
  isFixedRate: quote.plan.draft.fixedRate !== null,
})

interface Ends {
  readonly currencyIn: AmountJson
  readonly currencyOut: AmountJson
}

const depositJson = ({ pair, depositAmount: amount, book }: PricedQuote): AmountJson =>
  amountObject({ currency: pair.deposit, amount }, book.of(pair.deposit))

/** One side of the route: swapped by sources, else carried by the solver. */
const sideJson = (
  inputCurrency: AmountJson,
  outputCurrency: AmountJson,
  ...swaps: readonly (SwapOffer | null | undefined)[]
) => {
  const sources = [...new Set(swaps.flatMap((swap) => swap?.source ?? []))]
  return {
    inputCurrency,
    outputCurrency,
    router: sources.at(-1) ?? SOLVER_ROUTER,
    ...(sources.length === 0 ? {} : { includedSwapSources: sources }),
  }
}

const routeJson = (quote: PricedQuote, { currencyIn, currencyOut }: Ends) => {
  const { plan, originSwap, destinationOffer, pair, payoutAmount, book } = quote
  const { route } = plan
  const offer = originSwap?.offer
  // Within one chain there is no other side, also where the solver carries it (wire.md 1.6).
  if (route.origin.chain === route.destination.chain) {
    return { origin: sideJson(currencyIn, currencyOut, offer, destinationOffer) }
  }
  const paid = amountObject({ currency: pair.payout, amount: payoutAmount }, book.of(pair.payout))
  const isWhole = destinationOffer === null && spentByCalls(callsOf(quote)) === 0n
  return {
    origin: sideJson(currencyIn, originSwap === null ? currencyIn : depositJson(quote), offer),
    destination: sideJson(isWhole ? currencyOut : paid, currencyOut, destinationOffer),
  }
}

/** Four parts that sum to the total impact, and what a sponsor gives (wire.md D.3). */
const expandedImpactJson = (quote: PricedQuote, values: QuoteValues) => {
  const flat = quote.plan.direct === null ? roundUsd(quote.flatUsd) : 0n
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
