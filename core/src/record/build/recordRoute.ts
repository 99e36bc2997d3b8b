import type { Json } from '../../chain/json.js'
import { readSwapOrder, type SwapOffer } from '../../chain/swaps.js'
import type { AmountJson } from '../../http/openapi/sharedSchemas.js'
import { rateText } from '../../money/rate.js'
import { SOLVER_ROUTER } from '../../quote/solverRouter.js'
import { leftByCalls } from '../../quote/spentByCalls.js'
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

/** Both legs; a transfer within one chain has the first only (wire.md 3.1, rule 2 of `route.actual`). */
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
  const left = (amount: bigint) => leftByCalls(amount, terms.calls?.calls ?? [])
  const paid = money.amount(destination.chainId, destination.currency, left(terms.payoutAmount))
  return {
    currencyIn:
      quotedAmount(facts, 'details.currencyIn') ?? money.amount(origin.chainId, origin.currency, terms.depositAmount),
    currencyOut:
      quotedAmount(facts, 'details.currencyOut') ??
      (swap === undefined ? paid : money.amount(destination.chainId, swap.to, left(swap.amount))),
  }
}

const quotedSide = ({ facts }: RecordParts, side: 'origin' | 'destination', otherwise: AmountJson) => ({
  inputCurrency: quotedAmount(facts, `details.route.${side}.inputCurrency`) ?? otherwise,
  outputCurrency: quotedAmount(facts, `details.route.${side}.outputCurrency`) ?? otherwise,
  router: quotedText(facts, `details.route.${side}.router`) ?? SOLVER_ROUTER,
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

/**
 * All that a fill moved: to the recipient, or to the calls first. A swap was sized to give its amount; the chain shows what it gave.
 */
const filledOutput = ({ facts, money }: RecordParts, fill: RecordPayout): AmountJson => {
  const swap = swapOf(fill)
  const sized = swap?.amountOut ?? fill.amount
  const hasCalls = (facts.terms.calls?.calls.length ?? 0) > 0
  return money.amount(fill.chainId, swap?.to ?? fill.currency, hasCalls ? sized : (facts.received ?? sized))
}

/** What the recipient has of it: with calls what the chain showed, else what they cannot have spent (wire.md G.2). */
const filledFor = (parts: RecordParts, fill: RecordPayout): AmountJson => {
  const { facts, money } = parts
  const { calls = [] } = facts.terms.calls ?? {}
  const moved = filledOutput(parts, fill)
  if (calls.length === 0) return moved
  const left = facts.received ?? leftByCalls(BigInt(moved.amount), calls)
  return money.amount(fill.chainId, moved.currency.address, left)
}

/** The leg that the solver paid: its own money, and what arrived of it. */
const filledSide = (parts: RecordParts, fill: RecordPayout): RouteSideJson => {
  const topup = topupOf(parts, fill)
  return {
    inputCurrency: parts.money.amount(fill.chainId, fill.currency, fill.amount),
    outputCurrency: filledFor(parts, fill),
    router: swapOf(fill)?.source ?? quotedText(parts.facts, 'details.route.destination.router') ?? SOLVER_ROUTER,
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

/** What was moved to the other end; of a fill with calls more than arrived, and what rate and fees go by (wire.md D.4). */
export const movedOutput = (parts: RecordParts, { origin, destination }: RouteJson): AmountJson | null => {
  const { filled } = parts.execution
  if (filled !== null) return filledOutput(parts, filled)
  return destination === undefined ? origin.outputCurrency : destination.outputCurrency
}

const withRate = (parts: RecordParts, route: RouteJson, quotedRate: string) => {
  const out = movedOutput(parts, route)
  const { inputCurrency } = route.origin
  const isFilled = parts.execution.filled !== null
  return {
    rate: isFilled && inputCurrency !== null && out !== null ? rateOf(inputCurrency, out) : quotedRate,
    ...route,
  }
}

const withAmount = (money: RecordMoney, quoted: AmountJson, amount: bigint | null): AmountJson =>
  amount === null ? quoted : money.amount(quoted.currency.chainId, quoted.currency.address, amount)

/** Route by the amounts of the user's own transaction; null if the chain did not show them. */
const executedRoute = ({ facts, money }: RecordParts, quoted: RouteJson) => {
  const { given, received } = facts
  const { inputCurrency, outputCurrency } = quoted.origin
  if (received === null || inputCurrency === null || outputCurrency === null) return null
  const input = withAmount(money, inputCurrency, given)
  const output = withAmount(money, outputCurrency, received)
  return { rate: rateOf(input, output), origin: { ...quoted.origin, inputCurrency: input, outputCurrency: output } }
}

/** Rules 1 to 4 of `data.route.actual` (wire.md 3.1). */
const actualRoute = (parts: RecordParts, quoted: RouteJson) => {
  const { facts, money, execution } = parts
  const { deposit, fillAttempted, filled } = execution
  const ends = quotedEnds(parts)
  const quotedRate = quotedText(facts, 'details.rate') ?? rateOf(ends.currencyIn, ends.currencyOut)
  const rated = (route: RouteJson) => withRate(parts, route, quotedRate)
  if (deposit === null && filled === null) return executedRoute(parts, quoted) ?? rated(quoted)
  // Of a fill ahead of its deposit the first leg is the one that the fill was priced by.
  if (deposit === null) return rated(withFill(parts, quoted, quoted.origin))
  const observed = money.amount(deposit.chainId, deposit.currency, deposit.amount)
  if (!fillAttempted) {
    return rated({ ...quoted, origin: { inputCurrency: observed, outputCurrency: null, router: quoted.origin.router } })
  }
  const origin = depositedSide(parts, quoted.origin, observed)
  return rated(withFill(parts, quoted, origin))
}

/** A route with the leg that the solver paid, once it has. */
const withFill = (parts: RecordParts, quoted: RouteJson, origin: RouteSideJson): RouteJson => {
  const { filled } = parts.execution
  if (filled === null) return { ...quoted, origin }
  const destination = filledSide(parts, filled)
  return quoted.destination === undefined
    ? { origin: { ...origin, outputCurrency: destination.outputCurrency, router: destination.router } }
    : { origin, destination }
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
