import {
  applyBps,
  BPS,
  type Clock,
  type Currency,
  type CurrencyRegistry,
  larger,
  ServiceError,
  smaller,
} from '@causeway/core'
import { type DepositRequest, type Prices, requireQuorum } from '@causeway/core/chain'
import {
  type ChainRegistry,
  type CurrencyListing,
  type QuoteCall,
  type QuoteDraft,
  tracePhase,
} from '@causeway/core/plugin'
import type { QuoteBody } from '../http/quote.schema.js'
import type { QuoteSettings } from '../options.js'
import type { IntegratorRule } from '../rules/integratorRule.js'
import type { IntegratorRules } from '../rules/integratorRules.js'
import { ruleFor } from '../rules/ruleFor.js'
import type { Conversion } from './pricing/conversion.js'
import { valuesOf } from './pricing/quoteValues.js'
import { priceDirect } from './pricing/directQuote.js'
import { simulationError } from './answer/quoteErrors.js'
import { isOracle } from './pricing/fees.js'
import { fillOf } from './route/fillRequest.js'
import { feePayerOf, type Market, type MarketReader, standsFor } from './pricing/marketReader.js'
import type { PathFinder, PricedPath } from './pricing/pathFinder.js'
import { planRoute, type RoutePlan } from './route/planRoute.js'
import { type PriceBook, readPriceBook } from './pricing/priceBook.js'
import type { PricedQuote } from './pricing/pricedQuote.js'
import { contextOf, type PlainMarket, type PricingRequest, pricePlain, priceQuote } from './pricing/priceQuote.js'
import type { QuoteExtensions } from './quoteExtensions.js'
import { type QuoteInput, readQuoteInput } from './input/quoteInput.js'
import { type ResolvedRoute, type RouteEnd, resolveRoute } from './route/resolveRoute.js'
import { screenRoute } from './route/screening.js'
import { usualSlippage } from './pricing/slippage.js'
import type { SolverPair } from './route/solverPath.js'
import { priceUnlisted, requireFairSwaps } from './pricing/swapImpact.js'
import { type RouteLimits, readSwapLimits } from './input/swapLimits.js'

export interface DrafterDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly clock: Clock
  readonly settings: QuoteSettings
  readonly market: MarketReader
  readonly paths: PathFinder
  readonly rules: Pick<IntegratorRules, 'rulesOf'>
  listing(): CurrencyListing
}

/** A quote up to its numbers; nothing is written yet. */
export interface Drafted {
  readonly quote: PricedQuote
  readonly draft: QuoteDraft
  readonly limits: RouteLimits
}

interface Planned {
  readonly input: QuoteInput
  readonly route: ResolvedRoute
  readonly plan: RoutePlan
  readonly limits: RouteLimits
  readonly rule: IntegratorRule | null
  readonly draft: QuoteDraft
}

const ignore = (): void => {}

/** Makes priced quotes of bodies, in the order of checks of wire.md K.1 1. */
export class Drafter {
  readonly #deps: DrafterDeps

  constructor(deps: DrafterDeps) {
    this.#deps = deps
  }

  async draft(call: QuoteCall, extensions: QuoteExtensions): Promise<Drafted> {
    const planned = await tracePhase('plan', () => this.#plan(call, extensions))
    const { draft, limits, route } = planned
    const quote =
      planned.plan.direct === null
        ? await this.#throughSolver(planned, extensions)
        : await this.#direct(planned, planned.plan.direct)
    // After the answers: they may have come from the last node that is left of a chain (faults.md F06).
    for (const end of [route.origin, route.destination]) requireQuorum(end.chain)
    requireFairSwaps(quote, valuesOf(quote), this.#deps.settings)
    return { quote, draft, limits }
  }

  async #plan(call: QuoteCall, extensions: QuoteExtensions): Promise<Planned> {
    const { settings } = this.#deps
    // CAST: the routes checked the body against QuoteBody.
    const body = call.body as QuoteBody
    extensions.check(body)
    const input = readQuoteInput(body, extensions)
    const route = await resolveRoute(input, this.#deps)
    screenRoute(route, settings)
    const limits = readSwapLimits(body, route.origin.chain, route.destination.chain)
    const draft = draftOf(call, body, route, this.#deps.prices)
    for (const phase of ['resolve', 'route', 'fees'] as const) await extensions.run(phase, draft)
    const plan = planRoute(route, input, settings, draft.topup > 0n || draft.feeLines.length > 0)
    return { input, route, plan, limits, rule: await this.#rule(call, route, plan), draft }
  }

  async #rule({ caller }: QuoteCall, { origin, destination }: ResolvedRoute, { pairClass }: RoutePlan) {
    if (caller.kind === 'anonymous') return null
    const sideOf = ({ chain, currency }: RouteEnd) => ({ chainId: chain.config.id, currency: currency.address })
    const rules = await this.#deps.rules.rulesOf(caller.integratorId)
    return ruleFor(rules, { bucket: pairClass, origin: sideOf(origin), destination: sideOf(destination) })
  }

  #direct({ input, route, plan, limits }: Planned, kind: NonNullable<RoutePlan['direct']>): Promise<PricedQuote> {
    const { settings, clock, market } = this.#deps
    const prices = this.#prices(route)
    return tracePhase('read market', () =>
      priceDirect({ input, route, plan, kind, limits, settings, now: clock.now() }, market, prices),
    )
  }

  async #throughSolver(planned: Planned, extensions: QuoteExtensions): Promise<PricedQuote> {
    const { input, route, draft } = planned
    const { paths, settings } = this.#deps
    const pair = isOracle(planned.rule)
      ? (paths.heldPair(route) ?? paths.plainPair({ route, input, settings }))
      : paths.plainPair({ route, input, settings })
    const priced = await (pair === null ? this.#overSwaps(planned) : this.#plain(planned, pair))
    await extensions.run('simulate', draft)
    if (!priced.market.simulation.ok) throw simulationError(priced.market.simulation)
    return priced.quote
  }

  /** No swap on either side: both chains are asked at the same time, about the amounts that the prices give. */
  async #plain(planned: Planned, pair: SolverPair) {
    const { route, draft } = planned
    const book = await tracePhase('read prices', () => this.#prices(route, { needed: lineCurrencies(draft) }))
    const amounts = expectedAmounts(planned, contextOf(pair, book, this.#deps.settings).conversion)
    const { market, amount, path } = await tracePhase('read market', async () => {
      const origin = this.#deps.market.origin(route, depositOf(planned, pair.deposit, amounts.paid))
      const payout = this.#payout(planned, pair, { book, expected: amounts })
      // Failures are met below, one at a time and in the order that decides which one answers.
      for (const part of [origin, payout]) part.catch(ignore)
      const market: Market = { ...(await origin), ...(await payout) }
      return { market, amount: (await payout).amount, path: this.#priced(planned, pair, { book, market, amounts }) }
    })
    const stands = standsFor({ simulation: market.simulation, amount }, path.payAmount)
    const sure = stands ? market : { ...market, ...(await this.#simulated(planned, pair, path.payAmount)) }
    const sured = stands ? path : this.#priced(planned, pair, { book, market: sure, amounts })
    return { quote: priceQuote(this.#pricing(planned, book, sure), sured), market: sure }
  }

  /** The fill with what it will likely pay; the prices, and the usual network fee, are at hand. */
  async #payout(planned: Planned, pair: SolverPair, { book, expected }: Expectation) {
    const { route, input, draft } = planned
    const fill = fillOf(route, input, draft.topup)
    const money = { currency: pair.pay.address, amount: expected.sent }
    const payoutFee = await this.#deps.market.typicalPayoutFee(route.destination, { ...fill, money })
    const market = { ...NOTHING_TAKEN, payoutFee }
    const amount = likelyAmount(() => this.#priced(planned, pair, { book, market, amounts: expected }), expected.sent)
    return { ...(await this.#simulated(planned, pair, amount)), amount }
  }

  #simulated({ route, input, draft }: Planned, pair: SolverPair, amount: bigint) {
    const money = { currency: pair.pay.address, amount }
    return this.#deps.market.payout(route.destination, { ...fillOf(route, input, draft.topup), money })
  }

  #priced(
    planned: Planned,
    pair: SolverPair,
    { book, market, amounts }: { readonly book: PriceBook; readonly market: PlainMarket; readonly amounts: Amounts },
  ): PricedPath {
    return pricePlain({ ...this.#context(planned, book), market }, pair, amounts.paid)
  }

  /** Different assets, or one the solver does not hold: paths are compared, then the best is looked at. */
  async #overSwaps(planned: Planned) {
    const { input, route, draft, plan, limits, rule } = planned
    const { market, paths, settings, clock } = this.#deps
    const optional = this.#candidates(route)
    const needed = lineCurrencies(draft)
    const listed = await tracePhase('read prices', () => this.#prices(route, { needed, optional }))
    const fill = fillOf(route, input, draft.topup)
    const extraFees = extraLines(draft)
    const { rebalancingBps } = draft
    const shared = { input, route, plan, limits, settings, rule, rebalancingBps, extraFees, fill }
    const path = await tracePhase('compare offers', () => paths.find({ ...shared, book: listed }))
    const book = priceUnlisted(listed, [
      { offer: path.originOffer, known: path.deposit, unknown: route.origin.currency },
      { offer: path.destinationOffer, known: path.pay, unknown: route.destination.currency },
    ])
    const deadline = Math.floor(clock.now() / 1000) + settings.swapDeadlineSeconds
    const { destinationOffer } = path
    const swap =
      destinationOffer === null
        ? {}
        : { swap: { offer: destinationOffer, minimumOut: simulatedMinimum(path, planned, settings), deadline } }
    const money = { currency: path.pay.address, amount: destinationOffer?.amountIn ?? path.payAmount }
    const end = { ...route.destination, currency: path.pay }
    const [origin, payout] = await tracePhase('read market', () =>
      Promise.all([
        market.origin(route, depositFor(planned, path, deadline)),
        market.payout(end, { ...fill, money, ...swap }),
      ]),
    )
    const read: Market = { ...origin, ...payout }
    return { quote: priceQuote(this.#pricing(planned, book, read), path), market: read }
  }

  #pricing(planned: Planned, book: PriceBook, market: Market): PricingRequest {
    return { ...this.#context(planned, book), market }
  }

  #context({ input, route, plan, draft, rule }: Planned, book: PriceBook): Omit<PricingRequest, 'market'> {
    const { settings, clock } = this.#deps
    const extraFees = extraLines(draft)
    const { topup, rebalancingBps } = draft
    return { input, route, plan, book, settings, rule, rebalancingBps, extraFees, topup, now: clock.now() }
  }

  /** Every currency that a path between the two chains may touch. */
  #candidates({ origin, destination }: ResolvedRoute): readonly Currency[] {
    const { currencies } = this.#deps
    return [origin, destination].flatMap(({ chain }) => currencies.ofChain(chain.config.id))
  }

  #prices(
    { origin, destination, held }: ResolvedRoute,
    more: { readonly needed?: readonly Currency[]; readonly optional?: readonly Currency[] } = {},
  ): Promise<PriceBook> {
    const { needed = [], optional = [] } = more
    const unlisted = [
      ...(held.origin || origin.currency === origin.native ? [] : [origin.currency]),
      ...(held.destination || destination.currency === destination.native ? [] : [destination.currency]),
    ]
    const ends = [origin.currency, destination.currency, origin.native, destination.native, ...needed]
    return readPriceBook(this.#deps.prices, {
      needed: ends.filter((currency) => !unlisted.includes(currency)),
      unlisted,
      optional: optional.filter((currency) => !ends.includes(currency)),
    })
  }
}

/** What the simulated swap must give: a source that promises too much is found out here. */
const simulatedMinimum = (
  { destinationOffer }: PricedPath,
  { input, plan }: Planned,
  settings: QuoteSettings,
): bigint => {
  const slippage = input.slippageBps ?? usualSlippage(plan.sameAsset, settings)
  return larger(applyBps(destinationOffer?.amountOut ?? 0n, BPS - slippage, 'down'), 1n)
}

const draftOf = (call: QuoteCall, body: QuoteBody, route: ResolvedRoute, prices: Prices): QuoteDraft => ({
  body,
  caller: call.caller,
  origin: route.origin.chain,
  destination: route.destination.chain,
  originCurrency: route.origin.currency,
  destinationCurrency: route.destination.currency,
  destinationNative: route.destination.native,
  user: route.user,
  recipient: route.recipient.address,
  feeLines: [],
  topup: 0n,
  rebalancingBps: null,
  prices: (currencies) => prices.get(currencies),
})

const lineCurrencies = (draft: QuoteDraft): readonly Currency[] => [
  ...draft.feeLines.map(({ money }) => money.currency),
]

/** The lines of extensions, and what the native currency that comes along is worth: the user pays for it. */
const extraLines = ({ feeLines, topup, destinationNative }: QuoteDraft) =>
  topup === 0n
    ? feeLines
    : [
        ...feeLines,
        { bucket: 'gas' as const, payer: 'user' as const, money: { currency: destinationNative, amount: topup } },
      ]

const depositOf = ({ route, input }: Planned, currency: Currency, amount: bigint): Omit<DepositRequest, 'orderId'> => ({
  from: route.user,
  money: { currency: currency.address, amount },
  explicitDeposit: input.explicitDeposit,
  ...feePayerOf(route),
})

const depositFor = (planned: Planned, path: PricedPath, deadline: number): Omit<DepositRequest, 'orderId'> => {
  const deposit = depositOf(planned, path.deposit, path.depositAmount)
  if (path.originOffer === null) return deposit
  // What a deposit must bring at least is decided later; its fee does not depend on it.
  return { ...deposit, originSwap: { offer: path.originOffer, minimumOut: path.depositAmount, deadline } }
}

/** What is deposited and what is paid of it before fees. */
interface Amounts {
  readonly paid: bigint
  readonly sent: bigint
}

interface Expectation {
  readonly book: PriceBook
  readonly expected: Amounts
}

/** As long as nobody has asked. */
const NOTHING_TAKEN = { depositTaken: 0n, currencyFee: 0n }

/** Amounts before fees, as far as the chains can represent them. */
const expectedAmounts = ({ input: { tradeType, amount }, route }: Planned, conversion: Conversion): Amounts => {
  const exactInput = tradeType === 'EXACT_INPUT'
  return {
    paid: smaller(exactInput ? amount : conversion.toDeposited(amount, 'up'), route.origin.chain.adapter.maxAmount),
    sent: smaller(exactInput ? conversion.toPaid(amount, 'down') : amount, route.destination.chain.adapter.maxAmount),
  }
}

/** What a path pays; where the usual fees would eat the amount, whoever knows the real ones says so. */
const likelyAmount = (price: () => PricedPath, otherwise: bigint): bigint => {
  try {
    return price().payAmount
  } catch (error) {
    if (ServiceError.is(error)) return otherwise
    throw error
  }
}
