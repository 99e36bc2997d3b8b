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
import { tracePhase } from '@causeway/core/plugin'
import type { QuoteSettings } from '../options.js'
import { simulationError } from './answer/quoteErrors.js'
import type { RateContext } from './pricing/amounts.js'
import { priceDirect } from './pricing/directQuote.js'
import { isOracle } from './pricing/fees.js'
import { feePayerOf, type Market, type MarketReader, standsFor } from './pricing/marketReader.js'
import type { PathFinder, PricedPath } from './pricing/pathFinder.js'
import { type PriceBook, readPriceBook } from './pricing/priceBook.js'
import type { PricedQuote, PricingContext } from './pricing/pricedQuote.js'
import { type PlainMarket, pricePlain, priceQuote, pricingContext } from './pricing/priceQuote.js'
import { valuesOf } from './pricing/quoteValues.js'
import { slippageBeforeGas } from './pricing/slippage.js'
import { priceUnlisted, requireFairSwaps } from './pricing/swapImpact.js'
import type { QuoteExtensions } from './quoteExtensions.js'
import { fillOf } from './route/fillRequest.js'
import type { QuotePlan } from './route/quotePlan.js'
import type { ResolvedRoute } from './route/resolveRoute.js'
import type { SolverPair } from './route/solverPath.js'

export interface QuotePricerDeps {
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly clock: Clock
  readonly settings: QuoteSettings
  readonly market: MarketReader
  readonly paths: PathFinder
}

/** What was decided of a plan through the solver, and what the chains said of it. */
interface PricedMarket {
  readonly quote: PricedQuote
  readonly market: Market
}

const ignore = (): void => {}

/** Prices plans: reads prices and the market, and decides every number of a quote. Nothing is written. */
export class QuotePricer {
  readonly #deps: QuotePricerDeps

  constructor(deps: QuotePricerDeps) {
    this.#deps = deps
  }

  /** Throws ServiceError; extensions of the phase `simulate` run when the amounts are known. */
  async price(plan: QuotePlan, extensions: QuoteExtensions): Promise<PricedQuote> {
    const { route, direct } = plan
    const quote = await (direct === null ? this.#throughSolver(plan, extensions) : this.#direct(plan, direct))
    // After the answers: they may have come from the last node that is left of a chain (faults.md F06).
    for (const end of [route.origin, route.destination]) requireQuorum(end.chain)
    requireFairSwaps(quote, valuesOf(quote), this.#deps.settings)
    return quote
  }

  #direct(plan: QuotePlan, kind: NonNullable<QuotePlan['direct']>): Promise<PricedQuote> {
    const { settings, clock, market } = this.#deps
    const prices = this.#prices(plan.route)
    return tracePhase('read market', () => priceDirect({ plan, kind, settings, now: clock.now() }, market, prices))
  }

  async #throughSolver(plan: QuotePlan, extensions: QuoteExtensions): Promise<PricedQuote> {
    const { paths } = this.#deps
    const fromInventory = isOracle(plan.rule) || plan.draft.fixedRate !== null
    const pair = fromInventory ? (paths.heldPair(plan.route) ?? paths.plainPair(plan)) : paths.plainPair(plan)
    const { quote, market } = await (pair === null ? this.#overSwaps(plan) : this.#plain(plan, pair))
    await extensions.run('simulate', plan.draft)
    if (!market.simulation.ok) throw simulationError(market.simulation)
    return quote
  }

  /** No swap on either side: both chains are asked at the same time, about the amounts that the prices give. */
  async #plain(plan: QuotePlan, pair: SolverPair): Promise<PricedMarket> {
    const { clock, settings, market: reader } = this.#deps
    const book = await tracePhase('read prices', () => this.#prices(plan.route, { needed: lineCurrencies(plan) }))
    const context = { plan, book, settings }
    const before = amountsBeforeFees(plan, pricingContext(pair, context))
    const priceIn = (market: PlainMarket): PricedPath => pricePlain(context, market, pair, before.deposit)
    const { market, amount, path } = await tracePhase('read market', async () => {
      const origin = reader.origin(plan.route, depositOf(plan, pair.deposit, before.deposit))
      const payout = this.#payout(plan, pair, before.payout, priceIn)
      // Failures are met below, one at a time and in the order that decides which one answers.
      for (const part of [origin, payout]) part.catch(ignore)
      const market: Market = { ...(await origin), ...(await payout) }
      return { market, amount: (await payout).amount, path: priceIn(market) }
    })
    if (standsFor({ simulation: market.simulation, amount }, path.payoutAmount)) {
      return { quote: priceQuote(context, { path, market, now: clock.now() }), market }
    }
    const again: Market = { ...market, ...(await this.#simulated(plan, pair, path.payoutAmount)) }
    return { quote: priceQuote(context, { path: priceIn(again), market: again, now: clock.now() }), market: again }
  }

  /** The fill with what it will likely pay; the prices, and the usual network fee, are at hand. */
  async #payout(plan: QuotePlan, pair: SolverPair, beforeFees: bigint, priceIn: (market: PlainMarket) => PricedPath) {
    const money = { currency: pair.payout.address, amount: beforeFees }
    const payoutFee = await this.#deps.market.typicalPayoutFee(plan.route.destination, { ...fillOf(plan), money })
    const amount = likelyAmount(() => priceIn({ ...NOTHING_TAKEN, payoutFee }), beforeFees)
    return { ...(await this.#simulated(plan, pair, amount)), amount }
  }

  #simulated(plan: QuotePlan, pair: SolverPair, amount: bigint) {
    const money = { currency: pair.payout.address, amount }
    return this.#deps.market.payout(plan.route.destination, { ...fillOf(plan), money })
  }

  /** Different assets, or one the solver does not hold: paths are compared, then the best is looked at. */
  async #overSwaps(plan: QuotePlan): Promise<PricedMarket> {
    const { route } = plan
    const { market: reader, paths, settings, clock } = this.#deps
    const wanted = { needed: lineCurrencies(plan), optional: this.#candidates(route) }
    const listed = await tracePhase('read prices', () => this.#prices(route, wanted))
    const fill = fillOf(plan)
    const path = await tracePhase('compare offers', () => paths.find({ plan, book: listed, settings }))
    const { originOffer, destinationOffer } = path
    const book = priceUnlisted(listed, [
      { offer: originOffer, known: path.deposit, unknown: route.origin.currency },
      { offer: destinationOffer, known: path.payout, unknown: route.destination.currency },
    ])
    const context: PricingContext = { plan, book, settings }
    const deadline = Math.floor(clock.now() / 1000) + settings.swapDeadlineSeconds
    const swap =
      destinationOffer === null
        ? {}
        : { swap: { offer: destinationOffer, minimumOut: simulatedMinimum(destinationOffer, context), deadline } }
    const money = { currency: path.payout.address, amount: destinationOffer?.amountIn ?? path.payoutAmount }
    const end = { ...route.destination, currency: path.payout }
    const [origin, payout] = await tracePhase('read market', () =>
      Promise.all([
        reader.origin(route, depositOverSwap(plan, path, deadline)),
        reader.payout(end, { ...fill, money, ...swap }),
      ]),
    )
    const market: Market = { ...origin, ...payout }
    return { quote: priceQuote(context, { path, market, now: clock.now() }), market }
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
const simulatedMinimum = ({ amountOut }: { readonly amountOut: bigint }, { plan, settings }: PricingContext): bigint =>
  larger(applyBps(amountOut, BPS - slippageBeforeGas(plan, settings), 'down'), 1n)

/** Beside those of the route: of the fees, and of balances. */
const lineCurrencies = ({ draft, balanceCurrency }: QuotePlan): readonly Currency[] => [
  ...draft.feeLines.map(({ money }) => money.currency),
  ...(balanceCurrency === null ? [] : [balanceCurrency]),
]

const depositOf = (
  { route, input }: QuotePlan,
  currency: Currency,
  amount: bigint,
): Omit<DepositRequest, 'orderId'> => ({
  from: route.user,
  money: { currency: currency.address, amount },
  explicitDeposit: input.explicitDeposit,
  ...feePayerOf(route),
})

const depositOverSwap = (plan: QuotePlan, path: PricedPath, deadline: number): Omit<DepositRequest, 'orderId'> => {
  const deposit = depositOf(plan, path.deposit, path.depositAmount)
  if (path.originOffer === null) return deposit
  // What a deposit must bring at least is decided later; its fee does not depend on it.
  return { ...deposit, originSwap: { offer: path.originOffer, minimumOut: path.depositAmount, deadline } }
}

/** As long as nobody has asked. */
const NOTHING_TAKEN = { depositTaken: 0n, currencyFee: 0n }

/** What is deposited and what is paid of it before fees, as far as the chains can represent it. */
const amountsBeforeFees = (
  { input: { tradeType, amount }, route }: QuotePlan,
  { conversion, payable }: RateContext,
) => {
  const exactInput = tradeType === 'EXACT_INPUT'
  const deposit = exactInput ? amount : conversion.toDeposit(amount, 'up')
  const payout = exactInput ? conversion.toPayout(amount, 'down') : amount
  return {
    deposit: payable.deposit(smaller(deposit, route.origin.chain.adapter.maxAmount)),
    payout: payable.payout(smaller(payout, route.destination.chain.adapter.maxAmount)),
  }
}

/** What a path pays; where the usual fees would eat the amount, whoever knows the real ones says so. */
const likelyAmount = (price: () => PricedPath, otherwise: bigint): bigint => {
  try {
    return price().payoutAmount
  } catch (error) {
    if (ServiceError.is(error)) return otherwise
    throw error
  }
}
