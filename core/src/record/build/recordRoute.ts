import type { Json } from '../../chain/chainAdapter.js'
import { readSwapOrder, type SwapOffer } from '../../chain/swaps.js'
import type { AmountJson } from '../../http/sharedSchemas.js'
import { rateText } from '../../money/rate.js'
import type { RecordFacts, RecordPayout } from '../recordFacts.js'
import { quotedAmount, quotedText, quotedTexts } from './quotedFacts.js'
import type { RecordContext } from './recordContext.js'
import type { RecordExecution } from './recordExecution.js'
import type { RecordMoney } from './recordMoney.js'

/** One leg of a route; null: not known yet. */
export interface RouteSideJson {
  readonly inputCurrency: AmountJson | null
  readonly outputCurrency: AmountJson | null
  readonly router: string
  readonly currencyGasTopup?: AmountJson
}

/** Both legs; a transfer within one chain has the first only (specification, rule 2). */
export interface RouteJson {
  readonly origin: RouteSideJson
  readonly destination?: RouteSideJson
}

/** `data.route` (wire.md 3.1). */
export interface RecordRouteJson {
  readonly includedSwapSources: readonly string[]
  readonly includedOriginSwapSources: readonly string[]
  readonly includedDestinationSwapSources: readonly string[]
  readonly quoted: RouteJson
  readonly actual: RouteJson & { readonly rate: string }
}

/** Everything the parts of a record are made from. */
export interface RecordParts {
  readonly facts: RecordFacts
  readonly context: RecordContext
  readonly money: RecordMoney
  readonly execution: RecordExecution
}

/** What the user was to give and the recipient to get. */
export const quotedEnds = ({ facts, money }: Pick<RecordParts, 'facts' | 'money'>) => {
  const { terms } = facts
  const { origin, destination, swap } = terms
  const paid = money.amount(destination.chainId, destination.currency, terms.amountOut)
  return {
    currencyIn:
      quotedAmount(facts, 'details.currencyIn') ?? money.amount(origin.chainId, origin.currency, terms.amountIn),
    currencyOut:
      quotedAmount(facts, 'details.currencyOut') ??
      (swap === undefined ? paid : money.amount(destination.chainId, swap.to, swap.amount)),
  }
}

const quotedSide = ({ facts, context }: RecordParts, side: 'origin' | 'destination', otherwise: AmountJson) => ({
  inputCurrency: quotedAmount(facts, `details.route.${side}.inputCurrency`) ?? otherwise,
  outputCurrency: quotedAmount(facts, `details.route.${side}.outputCurrency`) ?? otherwise,
  router: quotedText(facts, `details.route.${side}.router`) ?? context.router,
})

const quotedRoute = (parts: RecordParts): RouteJson => {
  const { currencyIn, currencyOut } = quotedEnds(parts)
  const origin = quotedSide(parts, 'origin', currencyIn)
  if (currencyIn.currency.chainId === currencyOut.currency.chainId) {
    return { origin: { ...origin, outputCurrency: currencyOut } }
  }
  const topup = quotedAmount(parts.facts, 'details.currencyGasTopup')
  return {
    origin,
    destination: {
      ...quotedSide(parts, 'destination', currencyOut),
      ...(topup === null ? {} : { currencyGasTopup: topup }),
    },
  }
}

/** The swap within a fill, as the payout keeps it. */
const swapOf = ({ data }: RecordPayout): SwapOffer | null => {
  const swap = at(data, 'swap')
  return swap === undefined || swap === null ? null : readSwapOrder(swap).offer
}

const at = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined

const topupOf = ({ money }: RecordParts, { chainId, data }: RecordPayout): AmountJson | null => {
  const topup = at(data, 'topup')
  const [currency, amount] = [at(topup, 'currency'), at(topup, 'amount')]
  return typeof currency === 'string' && typeof amount === 'string'
    ? money.amount(chainId, currency, BigInt(amount))
    : null
}

/** The leg that the solver paid: its own money, and through a swap what it was sized to give. */
const filledSide = (parts: RecordParts, fill: RecordPayout): RouteSideJson => {
  const { money, context } = parts
  const paid = money.amount(fill.chainId, fill.currency, fill.amount)
  const swap = swapOf(fill)
  const topup = topupOf(parts, fill)
  return {
    inputCurrency: paid,
    outputCurrency: swap === null ? paid : money.amount(fill.chainId, swap.to, swap.amountOut),
    router: swap?.source ?? quotedText(parts.facts, 'details.route.destination.router') ?? context.router,
    ...(topup === null ? {} : { currencyGasTopup: topup }),
  }
}

/** The deposit as the first leg: swapped on the way by its sender, or just what was sent. */
const depositedSide = (parts: RecordParts, quoted: RouteSideJson, observed: AmountJson): RouteSideJson => {
  const { currency } = quotedEnds(parts).currencyIn
  const swapped = currency.chainId !== observed.currency.chainId || currency.address !== observed.currency.address
  return {
    inputCurrency: swapped ? quoted.inputCurrency : observed,
    outputCurrency: observed,
    router: quoted.router,
  }
}

const rateOf = (input: AmountJson, output: AmountJson): string =>
  rateText({ ...input, amount: BigInt(input.amount) }, { ...output, amount: BigInt(output.amount) })

const withRate = (route: RouteJson, quotedRate: string, isFilled: boolean) => {
  const out = route.destination === undefined ? route.origin.outputCurrency : route.destination.outputCurrency
  const { inputCurrency } = route.origin
  return {
    rate: isFilled && inputCurrency !== null && out !== null ? rateOf(inputCurrency, out) : quotedRate,
    ...route,
  }
}

/** What a user's own transaction really gave, where the chain told it. */
const receivedRoute = ({ facts, money }: RecordParts, quoted: RouteJson) => {
  const { received } = facts
  const { inputCurrency, outputCurrency } = quoted.origin
  if (received === null || outputCurrency === null) return null
  const { chainId, address } = outputCurrency.currency
  const route = { origin: { ...quoted.origin, outputCurrency: money.amount(chainId, address, received) } }
  return { rate: inputCurrency === null ? '0' : rateOf(inputCurrency, route.origin.outputCurrency), ...route }
}

/** Rules 1 to 4 of the specification for `data.route.actual`. */
const actualRoute = (parts: RecordParts, quoted: RouteJson) => {
  const { facts, money, execution } = parts
  const { deposit, fillAttempted, filled } = execution
  const ends = quotedEnds(parts)
  const quotedRate = quotedText(facts, 'details.rate') ?? rateOf(ends.currencyIn, ends.currencyOut)
  const rated = (route: RouteJson) => withRate(route, quotedRate, filled !== null)
  if (deposit === null) return receivedRoute(parts, quoted) ?? rated(quoted)
  const observed = money.amount(deposit.chainId, deposit.currency, deposit.amount)
  if (!fillAttempted) {
    return rated({ ...quoted, origin: { inputCurrency: observed, outputCurrency: null, router: quoted.origin.router } })
  }
  const origin = depositedSide(parts, quoted.origin, observed)
  if (filled === null) return rated({ ...quoted, origin })
  const destination = filledSide(parts, filled)
  return rated(
    quoted.destination === undefined
      ? { origin: { ...origin, outputCurrency: destination.outputCurrency, router: destination.router } }
      : { origin, destination },
  )
}

/** `data.route`: what was quoted, and what was done. */
export const recordRoute = (parts: RecordParts): RecordRouteJson => {
  const quoted = quotedRoute(parts)
  const origin = quotedTexts(parts.facts, 'details.route.origin.includedSwapSources')
  const destination = quotedTexts(parts.facts, 'details.route.destination.includedSwapSources')
  return {
    includedSwapSources: [...new Set([...origin, ...destination])],
    includedOriginSwapSources: origin,
    includedDestinationSwapSources: destination,
    quoted,
    actual: actualRoute(parts, quoted),
  }
}
