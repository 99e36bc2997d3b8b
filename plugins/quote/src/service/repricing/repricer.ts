import {
  applyBps,
  BPS,
  type Clock,
  type Currency,
  type CurrencyRegistry,
  divide,
  larger,
  type Money,
  type Rounding,
  ServiceError,
  smaller,
} from '@causeway/core'
import type { Prices, SwapOffer, SwapRequest } from '@causeway/core/chain'
import {
  type BalanceCurrency,
  type ChainRegistry,
  conversionBps,
  exchanged,
  fillByTerms,
  type QuoteTerms,
  type RepriceDecision,
  type RepriceDeposit,
  type TermsSwap,
} from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { RateContext } from '../pricing/amounts.js'
import { conversionOf } from '../pricing/conversion.js'
import { convertUp } from '../pricing/fees.js'
import type { MarketReader } from '../pricing/marketReader.js'
import { type PriceBook, readPriceBook } from '../pricing/priceBook.js'
import { payableBetween } from '../route/payableAmounts.js'
import type { RouteEnd } from '../route/resolveRoute.js'
import { isListed } from '../route/screening.js'
import type { LateRates } from './lateTerms.js'
import { decideEarly, decideLate, minimumFor, type NetworkCost } from './reprice.js'

export interface RepricerDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly clock: Clock
  readonly settings: QuoteSettings
  readonly market: MarketReader
  readonly balanceCurrency: BalanceCurrency | null
}

type Fill = Extract<RepriceDecision, { action: 'fill' }>

/** More than an exact output needs, so that a price that moved a little does not fail it; ten-thousandths. */
const EXACT_SWAP_ROOM = 30n

/** Decides what becomes of a deposit from the stored terms of its quote. */
export class Repricer {
  readonly #deps: RepricerDeps

  constructor(deps: RepricerDeps) {
    this.#deps = deps
  }

  /** Behind a strict address more than was quoted buys nothing: it goes back (wire.md E.2). */
  async reprice(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision> {
    // The lists may name it since it was quoted (wire.md C.2, K.4 2).
    if (isListed(terms.recipient.address, this.#deps.settings)) return { action: 'refund', reason: 'BLOCKED_WALLET' }
    const beyond = terms.address?.type === 'strict' ? larger(deposit.amount - terms.depositAmount, 0n) : 0n
    const decision = await this.#decide(terms, { ...deposit, amount: deposit.amount - beyond })
    return decision.action === 'fill' ? { ...decision, excess: decision.excess + beyond } : decision
  }

  async #decide(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision> {
    const ends = { origin: this.#end(terms.origin), destination: this.#end(terms.destination) }
    const quoted = this.#context(ends, terms.prices)
    const early = decideEarly(terms, deposit, this.#deps.clock.now(), quoted)
    const decision = early.kind === 'decided' ? early.decision : await this.#late(terms, deposit, ends, quoted)
    return decision.action === 'fill' && terms.swap !== undefined
      ? this.#swapped(terms, terms.swap, { fill: decision, paid: deposit.amount, quoted }, ends.destination)
      : decision
  }

  async #late(terms: QuoteTerms, deposit: RepriceDeposit, ends: Ends, quoted: RateContext): Promise<RepriceDecision> {
    const { origin, destination } = ends
    const balance = this.#balanceCurrency(terms)
    const fees = terms.convertedFees ?? []
    const needed = [
      ...[origin.currency, destination.currency, origin.native, destination.native],
      ...fees.map(({ chainId, currency }) => this.#currency(chainId, currency)),
      ...(balance === null ? [] : [balance]),
    ]
    const [book, cost] = await Promise.all([
      readPriceBook(this.#deps.prices, { needed }),
      this.#networkCost(terms, destination),
    ])
    const deposited = [cost.fee, ...cost.beside].reduce(
      (sum, money) => sum + convertUp(money, book.of(money.currency), origin.currency, book.of(origin.currency)),
      0n,
    )
    const now = terms.prices === undefined ? quoted : this.#context(ends, pricesOf(book, ends))
    const networkCost: NetworkCost = { deposited, fee: cost.fee.amount }
    const rates = this.#rates(origin.currency, balance, book)
    return decideLate(terms, deposit, networkCost, { quoted, now, rates })
  }

  #rates(deposited: Currency, balance: Currency | null, book: PriceBook): LateRates {
    const inDeposited = (money: Money, rounding: Rounding) =>
      exchanged(money, book.of(money.currency), { currency: deposited, price: book.of(deposited) }, rounding)
    const balances = (): Currency => {
      if (balance !== null) return balance
      throw new Error('Terms without earnings and sponsorship have no currency of balances')
    }
    const toBalance = (amount: bigint, rounding: Rounding): bigint => {
      const currency = balances()
      const into = { currency, price: book.of(currency) }
      return exchanged({ currency: deposited, amount }, book.of(deposited), into, rounding)
    }
    return {
      toBalance,
      credited: (amount) =>
        book.crossed(
          { currency: deposited, amount: applyBps(amount, BPS - this.#conversionBps(deposited, balances()), 'down') },
          balances(),
          'down',
        ),
      toDeposit: (amount) => inDeposited({ currency: balances(), amount }, 'down'),
      charged: ({ chainId, currency, amount }) =>
        inDeposited({ currency: this.#currency(chainId, currency), amount }, 'up'),
    }
  }

  /** Terms outlive a configuration: without balances now, the usual cost. */
  #conversionBps(deposited: Currency, balance: Currency): bigint {
    return conversionBps(this.#deps.balanceCurrency ?? balance, deposited, balance)
  }

  #balanceCurrency({ earnings, sponsorship }: QuoteTerms): Currency | null {
    const money = earnings ?? sponsorship
    return money === undefined ? null : this.#currency(money.chainId, money.currency)
  }

  /** What the fill costs the solver beside the payment, as the chain would charge it now. */
  async #networkCost(terms: QuoteTerms, end: RouteEnd) {
    const { swap, topup } = terms
    const offer =
      swap === undefined ? undefined : await this.#offer(end, swap, exactInput(end, swap, terms.payoutAmount))
    const order = offer === undefined ? undefined : { offer, minimumOut: 1n, deadline: 0 }
    const payout = fillByTerms(terms, { from: end.chain.config.solver, amount: terms.payoutAmount, swap: order })
    const { payoutFee, currencyFee } = await this.#deps.market.payout(end, payout)
    const beside = [
      { currency: end.currency, amount: currencyFee },
      { currency: end.native, amount: topup?.amount ?? 0n },
    ]
    return { fee: payoutFee, beside }
  }

  /**
   * The fill with its swap priced now. An output under the promised minimum is refunded; while the quoted price stands, a
   * silent source is asked again.
   */
  async #swapped(
    terms: QuoteTerms,
    swap: TermsSwap,
    { fill, paid, quoted }: { readonly fill: Fill; readonly paid: bigint; readonly quoted: RateContext },
    end: RouteEnd,
  ): Promise<RepriceDecision> {
    const isExact = terms.tradeType === 'EXACT_OUTPUT' && terms.trueExactOutput
    const request = isExact ? exactOutput(end, swap) : exactInput(end, swap, fill.amount)
    const offer = await this.#offer(end, swap, request)
    const now = this.#deps.clock.now()
    if (offer === undefined) {
      if (now <= terms.priceUntil) throw new ServiceError('SWAP_QUOTE_FAILED', 'No swap source serves this swap now')
      return { action: 'refund', reason: 'NO_QUOTES' }
    }
    const amount = isExact
      ? smaller(divide(offer.amountIn * (10_000n + EXACT_SWAP_ROOM), 10_000n, 'up'), fill.amount)
      : fill.amount
    const minimumOut = minimumFor(terms, swap.minimum, paid, quoted)
    if (offer.amountOut < minimumOut || offer.amountIn > amount) return { action: 'refund', reason: 'SLIPPAGE' }
    const deadline = Math.floor(now / 1000) + this.#deps.settings.swapDeadlineSeconds
    return { ...fill, amount, swap: { offer: { ...offer, amountIn: amount }, minimumOut, deadline } }
  }

  async #offer(end: RouteEnd, swap: TermsSwap, request: SwapRequest): Promise<SwapOffer | undefined> {
    const answers = await end.chain.adapter.swaps?.offers([request], swap.limits)
    return answers?.[0]?.[0]
  }

  #context({ origin, destination }: Ends, prices: QuoteTerms['prices']): RateContext {
    const decimals = { origin: origin.currency.decimals, destination: destination.currency.decimals }
    const { underpaymentToleranceBps } = this.#deps.settings
    const payable = payableBetween(origin, destination)
    return { conversion: conversionOf(decimals, prices), payable, underpaymentToleranceBps }
  }

  #end({ chainId, currency: address }: QuoteTerms['origin']): RouteEnd {
    const chain = this.#deps.chains.get(chainId)
    return { chain, currency: this.#currency(chainId, address), native: this.#currency(chainId, null) }
  }

  /** `address` null: the native currency. */
  #currency(chainId: number, address: string | null): Currency {
    const { currencies } = this.#deps
    const currency = address === null ? currencies.native(chainId) : currencies.find(chainId, address)
    if (currency !== undefined) return currency
    throw new Error(
      `Currency ${address ?? 'native'} of chain ${chainId} is not configured; add it to "currencies" again.`,
    )
  }
}

interface Ends {
  readonly origin: RouteEnd
  readonly destination: RouteEnd
}

const pricesOf = (
  book: PriceBook,
  { origin, destination }: Record<'origin' | 'destination', { currency: Currency }>,
) => ({
  origin: book.of(origin.currency),
  destination: book.of(destination.currency),
})

const exactInput = (end: RouteEnd, { to }: TermsSwap, amount: bigint): SwapRequest => ({
  kind: 'exact-input',
  from: end.currency.address,
  to,
  amount,
})

const exactOutput = (end: RouteEnd, swap: TermsSwap): SwapRequest => ({
  ...exactInput(end, swap, swap.amount),
  kind: 'exact-output',
})
