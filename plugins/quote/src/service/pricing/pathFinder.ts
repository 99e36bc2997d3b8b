import { applyBps, BPS, type Currency, type CurrencyRegistry, divide, ServiceError } from '@causeway/core'
import type { SwapLimits, SwapOffer, SwapRequest } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import { fillOf } from '../route/fillRequest.js'
import { noRoute } from '../route/noRoute.js'
import { type Payable, payableBetween } from '../route/payableAmounts.js'
import type { QuotePlan } from '../route/quotePlan.js'
import type { ResolvedRoute } from '../route/resolveRoute.js'
import { listPairs, type SolverPair, type SolverPath, swapsOf } from '../route/solverPath.js'
import { leastDeposit, solveAmounts } from './amounts.js'
import { type Conversion, conversionOf } from './conversion.js'
import { convertUp, feeLinesOf, ratesOf, userFees } from './fees.js'
import { feesTooHigh } from './feesTooHigh.js'
import type { MarketReader } from './marketReader.js'
import type { PricingContext } from './pricedQuote.js'
import { slippageBeforeGas } from './slippage.js'

/** A path with its amounts, all of them before slippage. */
export interface PricedPath extends SolverPath {
  /** What the user pays. */
  readonly inputAmount: bigint
  readonly depositAmount: bigint
  readonly payoutAmount: bigint
  /** What the recipient gets. */
  readonly outputAmount: bigint
  /** Network cost of the fill in the deposited currency. */
  readonly gas: bigint
}

export interface PathFinderDeps {
  readonly currencies: CurrencyRegistry
  readonly market: MarketReader
  readonly settings: QuoteSettings
}

/** A pair on the way to a path. */
interface Candidate extends SolverPair {
  readonly conversion: Conversion
  readonly payable: Payable
  /** What a deposit must cover of its fees, `gas` of them for the network. */
  feesOf(depositAmount: bigint, gas: bigint): bigint
  /** Of a deposit that its fees eat. */
  tooLow(deposited: bigint, gas: bigint): ServiceError
}

type Offers = ReadonlyMap<string, SwapOffer>

/** Compares the paths between two currencies by what they give, or by what they cost for a given output. */
export class PathFinder {
  readonly #deps: PathFinderDeps

  constructor(deps: PathFinderDeps) {
    this.#deps = deps
  }

  /** The only pair of this route where it needs no swap and no comparison, else null. */
  plainPair({ route, input }: QuotePlan): SolverPair | null {
    const [pair, ...others] = listPairs(route, input, this.#deps.currencies, this.#deps.settings)
    if (pair === undefined || others.length > 0) return null
    const swaps = swapsOf(route, pair)
    return swaps.origin || swaps.destination ? null : pair
  }

  /** The two currencies themselves where the solver holds both: no pool is asked. */
  heldPair({ origin, destination, held }: ResolvedRoute): SolverPair | null {
    return held.origin && held.destination ? { deposit: origin.currency, payout: destination.currency } : null
  }

  /**
   * The best path. Both chains are asked once each. Throws ServiceError `AMOUNT_TOO_LOW` when fees eat the amount on all
   * of them, the codes of `noRoute` when none leads there.
   */
  async find(context: PricingContext): Promise<PricedPath> {
    const { plan, book, settings } = context
    const { route, input } = plan
    const pairs = listPairs(route, input, this.#deps.currencies, settings)
    const candidates = pairs
      .filter((pair) => book.find(pair.deposit) !== undefined && book.find(pair.payout) !== undefined)
      .map((pair) => candidateOf(pair, context))
    const exactInput = input.tradeType === 'EXACT_INPUT'
    const priced: readonly (PricedPath | ServiceError)[] = exactInput
      ? await this.#fromInput(candidates, context)
      : await this.#fromOutput(candidates, context)
    const paths = priced.flatMap((path) => (path instanceof ServiceError ? [] : [path]))
    const failure = priced.find((path) => path instanceof ServiceError)
    const [first, ...others] = paths
    if (first === undefined) throw failure ?? noRouteOf(pairs, plan)
    return others.reduce((best, path) => {
      const better = exactInput ? path.outputAmount > best.outputAmount : path.inputAmount < best.inputAmount
      return better ? path : best
    }, first)
  }

  async #fromInput(
    candidates: readonly Candidate[],
    context: PricingContext,
  ): Promise<readonly (PricedPath | ServiceError)[]> {
    const { input, route, limits } = context.plan
    const asked = candidates.filter((pair) => swapsOf(route, pair).origin)
    const originOffers = await offersOf(
      route.origin.chain,
      asked.map(({ deposit }) => [
        keyOf(deposit, input.amount),
        exactInput(route.origin.currency, deposit, input.amount),
      ]),
      limits.origin,
    )
    const reached = candidates.flatMap((candidate) => {
      const swaps = swapsOf(route, candidate)
      const offer = swaps.origin ? originOffers.get(keyOf(candidate.deposit, input.amount)) : null
      if (offer === undefined) return []
      const deposited = offer === null ? input.amount : depositedOf(offer, context)
      return [{ ...candidate, originOffer: offer, deposited, swaps }]
    })
    // Before the network cost, which the offers themselves tell: the output then shrinks in proportion, never more.
    const before = reached.map((item) => ({ ...item, most: payoutFor(item, item.deposited, 0n) }))
    const destinationOffers = await offersOf(
      route.destination.chain,
      before.flatMap(({ payout, swaps, most }) =>
        swaps.destination && most > 0n
          ? [[keyOf(payout, most), exactInput(payout, route.destination.currency, most)] as const]
          : [],
      ),
      limits.destination,
    )
    return Promise.all(
      before.flatMap((item): (ServiceError | Promise<PricedPath | ServiceError>)[] => {
        if (item.most <= 0n) return [item.tooLow(item.deposited, 0n)]
        const offer = item.swaps.destination ? destinationOffers.get(keyOf(item.payout, item.most)) : null
        return offer === undefined ? [] : [this.#solveInput(item, offer, context)]
      }),
    )
  }

  async #solveInput(
    item: Candidate & { readonly originOffer: SwapOffer | null; readonly deposited: bigint },
    destinationOffer: SwapOffer | null,
    context: PricingContext,
  ): Promise<PricedPath | ServiceError> {
    const { deposit, payout, originOffer, deposited } = item
    const gas = await this.#gas(item, destinationOffer, context)
    const payoutAmount = payoutFor(item, deposited, gas)
    const outputAmount =
      destinationOffer === null ? payoutAmount : (destinationOffer.amountOut * payoutAmount) / destinationOffer.amountIn
    if (outputAmount <= 0n) return item.tooLow(deposited, gas)
    const { amount: inputAmount } = context.plan.input
    return {
      deposit,
      payout,
      originOffer,
      destinationOffer,
      inputAmount,
      depositAmount: deposited,
      payoutAmount,
      outputAmount,
      gas,
    }
  }

  async #fromOutput(candidates: readonly Candidate[], context: PricingContext): Promise<readonly PricedPath[]> {
    const { input, route, limits } = context.plan
    const destinationOffers = await offersOf(
      route.destination.chain,
      candidates.flatMap((pair) =>
        swapsOf(route, pair).destination
          ? [
              [
                keyOf(pair.payout, input.amount),
                exactOutput(pair.payout, route.destination.currency, input.amount),
              ] as const,
            ]
          : [],
      ),
      limits.destination,
    )
    const reached = candidates.flatMap((candidate) => {
      const offer = swapsOf(route, candidate).destination
        ? destinationOffers.get(keyOf(candidate.payout, input.amount))
        : null
      return offer === undefined ? [] : [{ ...candidate, destinationOffer: offer }]
    })
    const needed = await Promise.all(
      reached.map(async (item) => {
        const gas = await this.#gas(item, item.destinationOffer, context)
        const payoutAmount =
          item.destinationOffer === null ? input.amount : payoutForOutput(item.destinationOffer, context)
        const depositAmount = depositFor(item, payoutAmount, gas)
        return { ...item, gas, payoutAmount, depositAmount, ask: depositToAskFor(depositAmount, context) }
      }),
    )
    const originOffers = await offersOf(
      route.origin.chain,
      needed.flatMap((item) =>
        swapsOf(route, item).origin
          ? [[keyOf(item.deposit, item.ask), exactOutput(route.origin.currency, item.deposit, item.ask)] as const]
          : [],
      ),
      limits.origin,
    )
    return needed.flatMap((item): PricedPath[] => {
      const { deposit, payout, destinationOffer, gas, payoutAmount, depositAmount } = item
      const originOffer = swapsOf(route, item).origin ? originOffers.get(keyOf(deposit, item.ask)) : null
      if (originOffer === undefined) return []
      const inputAmount = originOffer?.amountIn ?? depositAmount
      return [
        {
          deposit,
          payout,
          originOffer,
          destinationOffer,
          inputAmount,
          depositAmount,
          payoutAmount,
          outputAmount: input.amount,
          gas,
        },
      ]
    })
  }

  /** Network cost of a fill, in the deposited currency, as far as it is known before a simulation. */
  async #gas(
    { deposit, payout }: SolverPair,
    offer: SwapOffer | null,
    { plan, book }: PricingContext,
  ): Promise<bigint> {
    const swap = offer === null ? {} : { swap: { offer, minimumOut: 1n, deadline: 0 } }
    const money = { currency: payout.address, amount: offer?.amountIn ?? 1n }
    const fee = await this.#deps.market.typicalPayoutFee(plan.route.destination, { ...fillOf(plan), money, ...swap })
    return convertUp(fee, book.of(fee.currency), deposit, book.of(deposit))
  }
}

const candidateOf = (pair: SolverPair, context: PricingContext): Candidate => {
  const { plan, book } = context
  const prices = { origin: book.of(pair.deposit), destination: book.of(pair.payout) }
  const decimals = { origin: pair.deposit.decimals, destination: pair.payout.decimals }
  const isOne = pair.deposit.groupId === pair.payout.groupId
  const rates = ratesOf(pair, context)
  const conversion = conversionOf(decimals, isOne ? undefined : prices)
  const payable = payableBetween(
    { ...plan.route.origin, currency: pair.deposit },
    { ...plan.route.destination, currency: pair.payout },
  )
  const feesOf = (depositAmount: bigint, gas: bigint) => userFees(depositAmount, gas, rates, context)
  return {
    ...pair,
    conversion,
    payable,
    feesOf,
    tooLow: (deposited, gas) =>
      feesTooHigh({
        currency: pair.deposit,
        lines: feeLinesOf(deposited, gas, rates, context),
        least: leastDeposit({ conversion, payable, feesFor: (amount) => feesOf(amount, gas) }),
      }),
  }
}

/** What the solver can pay for a deposit, 0 when fees eat it. */
const payoutFor = ({ conversion, payable, feesOf }: Candidate, deposited: bigint, gas: bigint): bigint => {
  const left = deposited - feesOf(deposited, gas)
  return left > 0n ? payable.payout(conversion.toPayout(left, 'down')) : 0n
}

const depositFor = ({ conversion, payable, feesOf }: Candidate, payoutAmount: bigint, gas: bigint): bigint =>
  solveAmounts({
    tradeType: 'EXPECTED_OUTPUT',
    amount: payoutAmount,
    conversion,
    payable,
    feesFor: (amount) => feesOf(amount, gas),
  }).depositAmount

const slippageOf = ({ plan, settings }: PricingContext): bigint => slippageBeforeGas(plan, settings)

/** Where a deposit must name its amount beforehand, only the least that the swap gives is sure. */
const depositsMinimum = ({ plan: { route } }: PricingContext): boolean =>
  route.origin.chain.adapter.swaps?.deposits === 'minimum'

const depositedOf = (offer: SwapOffer, context: PricingContext): bigint =>
  depositsMinimum(context) ? applyBps(offer.amountOut, BPS - slippageOf(context), 'down') : offer.amountOut

/** An exact output leaves room for the price to move against it: what is not needed is given back. */
const padded = (amount: bigint, slippageBps: bigint): bigint =>
  slippageBps >= BPS ? amount : divide(amount * BPS, BPS - slippageBps, 'up')

const payoutForOutput = (offer: SwapOffer, context: PricingContext): bigint =>
  context.plan.input.tradeType === 'EXACT_OUTPUT' ? padded(offer.amountIn, slippageOf(context)) : offer.amountIn

const depositToAskFor = (depositAmount: bigint, context: PricingContext): bigint =>
  context.plan.input.tradeType === 'EXACT_OUTPUT' || depositsMinimum(context)
    ? padded(depositAmount, slippageOf(context))
    : depositAmount

const exactInput = (from: Currency, to: Currency, amount: bigint): SwapRequest => ({
  kind: 'exact-input',
  from: from.address,
  to: to.address,
  amount,
})

const exactOutput = (from: Currency, to: Currency, amount: bigint): SwapRequest => ({
  ...exactInput(from, to, amount),
  kind: 'exact-output',
})

/** The best offer for each request, by its key; requests without an offer are left out. One round trip. */
const offersOf = async (
  chain: Chain,
  requests: readonly (readonly [string, SwapRequest])[],
  limits: SwapLimits,
): Promise<Offers> => {
  const { swaps } = chain.adapter
  const unique = [...new Map(requests)]
  if (unique.length === 0 || swaps === undefined) return new Map()
  const answers = await swaps.offers(
    unique.map(([, request]) => request),
    limits,
  )
  return new Map(
    unique.flatMap(([key], at) => {
      const best = answers[at]?.[0]
      return best === undefined ? [] : [[key, best] as const]
    }),
  )
}

const keyOf = ({ address }: Currency, amount: bigint): string => `${address}:${amount}`

const noRouteOf = (pairs: readonly SolverPair[], { route, limits }: QuotePlan): ServiceError =>
  noRoute(
    route,
    limits,
    pairs.map((pair) => swapsOf(route, pair)),
  )
