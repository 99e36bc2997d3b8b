import {
  BoundedCache,
  type Clock,
  type CurrencyRegistry,
  type Hex,
  PROTOCOL_VM_TYPES,
  ServiceError,
} from '@causeway/core'
import { boundedSigner, type Prices, type StepItemDraft } from '@causeway/core/chain'
import {
  type BalanceCurrency,
  type ChainRegistry,
  type CurrencyListing,
  type Deployment,
  type HoldResult,
  type Keys,
  type PricedDraft,
  type PriceResponse,
  type QuoteCall,
  type QuoteEngine,
  type QuoteResponse,
  type QuoteStore,
  type QuoteTerms,
  type ReplacedDeposit,
  type RepriceDecision,
  type RepriceDeposit,
  type RequoteCall,
  type Requoted,
  tracePhase,
} from '@causeway/core/plugin'
import type { QuoteSettings } from '../options.js'
import type { IntegratorRules } from '../rules/integratorRules.js'
import { type AddedFacts, newQuoteOf, quotedText } from './answer/newQuote.js'
import { OrderMaker } from './answer/order.js'
import { errorForCall, storeError } from './answer/quoteErrors.js'
import { type FeesAndDetails, feesAndDetails, priceResponse, quoteResponse } from './answer/quoteResponse.js'
import { isOrdered, newRequestId, type QuoteResult } from './answer/quoteResult.js'
import { type TermsContext, termsOf } from './answer/quoteTerms.js'
import { requoteCallOf } from './input/requoteCall.js'
import { directRequestOf } from './pricing/directQuote.js'
import { feePayerOf, MarketReader } from './pricing/marketReader.js'
import { PathFinder } from './pricing/pathFinder.js'
import type { PricedQuote } from './pricing/pricedQuote.js'
import type { QuoteExtensions } from './quoteExtensions.js'
import { QuotePlanner } from './quotePlanner.js'
import { QuotePricer } from './quotePricer.js'
import { Repricer } from './repricing/repricer.js'

export interface QuoteServiceDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly store: QuoteStore
  readonly clock: Clock
  readonly keys: Keys
  readonly deployment: Deployment
  readonly settings: QuoteSettings
  readonly rules: Pick<IntegratorRules, 'rulesOf' | 'walletOf'>
  readonly balanceCurrency: BalanceCurrency | null
  /** Told of each quote that was stored, and whether its fill is held. */
  onStored?(held: HoldResult): void
  /** Asked for at the first quote that needs it. */
  listing(): CurrencyListing
  /** Asked for at the first quote, when every plugin has registered. */
  extensions(): QuoteExtensions
}

/** How old an inventory `/price` may answer from; a quote holds what it promises and asks each time. */
const INVENTORY_MS = 1_000

/** Makes quotes and prices, stores quotes, and decides what becomes of a deposit (architecture.md 3, The walk of a quote). */
export class QuoteService implements QuoteEngine {
  readonly #deps: QuoteServiceDeps
  readonly #planner: QuotePlanner
  readonly #pricer: QuotePricer
  readonly #repricer: Repricer
  readonly #available: BoundedCache<bigint | null>
  #madeExtensions: QuoteExtensions | undefined
  #madeOrders: OrderMaker | undefined

  constructor(deps: QuoteServiceDeps) {
    this.#deps = deps
    const market = new MarketReader(deps)
    const { clock, settings } = deps
    this.#planner = new QuotePlanner(deps)
    this.#pricer = new QuotePricer({ ...deps, market, paths: new PathFinder({ ...deps, market }) })
    this.#repricer = new Repricer({ ...deps, market })
    const lifeOf = (available: bigint | null) => (available === null ? 0 : INVENTORY_MS)
    this.#available = new BoundedCache({ clock, maxEntries: settings.cacheEntries, lifeOf })
  }

  async price(call: QuoteCall): Promise<PriceResponse> {
    return this.#answering(call, async () => {
      const quote = await this.#priced(call)
      await this.#requireInventory(quote)
      return { ...priceResponse(quote, this.#deps.settings), ...warningsOf(quote) }
    })
  }

  async quote(call: QuoteCall): Promise<QuoteResponse> {
    return this.#answering(call, async () => {
      const quote = await this.#priced(call)
      const { route, draft } = quote.plan
      if (route.placeholder.user || route.placeholder.recipient) return this.#forNobody(quote)
      await this.#extensions.run('order', draft)
      const result = this.#result(quote)
      const answered = this.#feesAndDetails(quote)
      await this.#extensions.run('deposit', draft)
      const deposit = await this.#extensions.deposit(draft, result, depositStepOf(quote))
      const parts = Promise.all([
        tracePhase('build deposit', () => this.#buildSteps(quote, result, deposit)),
        this.#signature(quote, result),
      ])
      const respond = async () => {
        const [built, signature] = await parts
        const before = this.#extensions.steps(draft, result)
        const steps = deposit === null ? [...before, ...built] : before
        const replaced = deposit === null ? null : { address: deposit.address, items: built }
        const added = { ...this.#extensions.response(draft), ...warningsOf(quote) }
        return quoteResponse({ quote, result, ...answered, steps, replaced, signature, added })
      }
      const storing = tracePhase('store quote', () => this.#store(call, quote, result, answered, respond))
      await Promise.all([parts, storing])
      return respond()
    })
  }

  reprice(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision> {
    return this.#repricer.reprice(terms, deposit)
  }

  async requote(call: RequoteCall): Promise<Requoted> {
    const { address = { type: 'open' as const, refundToSender: false }, requestId } = call.terms
    const quote = await this.#priced(requoteCallOf(call), call.terms)
    const result = this.#orders.make(quote)
    const added = this.#added(quote, result)
    const terms = termsOf(quote, result, this.#termsContext, { ...added.terms, address })
    return {
      terms: { ...terms, requestId },
      order: JSON.stringify(result.order),
      quoted: quotedText(quote, this.#feesAndDetails(quote), added),
    }
  }

  get #termsContext(): TermsContext {
    const { settings, deployment, balanceCurrency } = this.#deps
    return { settings, network: deployment.network, balances: balanceCurrency }
  }

  get #extensions(): QuoteExtensions {
    this.#madeExtensions ??= this.#deps.extensions()
    return this.#madeExtensions
  }

  /** Made at the first quote: a process without the order key can still price. */
  get #orders(): OrderMaker {
    const { keys, chains, settings } = this.#deps
    this.#madeOrders ??= new OrderMaker({
      signer: boundedSigner(keys.signer('order')),
      chains,
      vmTypes: chains.vmTypeBySlug(PROTOCOL_VM_TYPES),
      codecs: chains.addressCodecs(),
      settings,
    })
    return this.#madeOrders
  }

  async #answering<Response>(call: QuoteCall, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer()
    } catch (error) {
      throw errorForCall(error, call)
    }
  }

  async #priced(call: QuoteCall, requoteOf: QuoteTerms | null = null): Promise<PricedQuote> {
    const plan = await tracePhase('plan', () => this.#planner.plan(call, this.#extensions, requoteOf))
    // A transfer that the user executes alone needs no solver, and money that has arrived waits for its payout.
    if (plan.direct === null && requoteOf === null)
      this.#deps.chains.requireService(plan.route.origin.chain, plan.route.destination.chain)
    const quote = await this.#pricer.price(plan, this.#extensions)
    await this.#extensions.priced(plan.draft, pricedDraft(quote))
    return quote
  }

  #added({ plan: { draft } }: PricedQuote, result: QuoteResult): AddedFacts {
    const extensions = this.#extensions
    return {
      terms: extensions.terms(draft),
      features: extensions.features(draft),
      quoted: extensions.quoted(draft, result),
    }
  }

  /**
   * For nobody: nothing to execute, nothing held, and nothing stored, so that a payment by it can only be parked. Steps for it would
   * pay, or refund, an account that has no owner.
   */
  async #forNobody(quote: PricedQuote): Promise<QuoteResponse> {
    await this.#requireInventory(quote)
    const added = { ...this.#extensions.response(quote.plan.draft), ...warningsOf(quote) }
    return { requestId: newRequestId(), steps: [], ...this.#feesAndDetails(quote), ...added }
  }

  #feesAndDetails(quote: PricedQuote): FeesAndDetails {
    return feesAndDetails(quote, this.#deps.settings, this.#extensions.details(quote.plan.draft))
  }

  #result(quote: PricedQuote): QuoteResult {
    if (quote.plan.direct === null) return this.#orders.make(quote)
    const { clock, settings } = this.#deps
    const orderDeadline = Math.floor(clock.now() / 1000) + settings.orderDeadlineSeconds
    return { requestId: newRequestId(), orderId: null, order: null, orderDeadline }
  }

  #signature({ plan }: PricedQuote, result: QuoteResult): Promise<Hex> | null {
    if (!isOrdered(result) || !plan.input.includeProtocolData) return null
    return tracePhase('sign order', () => this.#orders.sign(result.orderId))
  }

  async #buildSteps(
    quote: PricedQuote,
    result: QuoteResult,
    replaced: ReplacedDeposit | null,
  ): Promise<readonly StepItemDraft[]> {
    if (replaced !== null) return replaced.build()
    const { plan, pair, depositAmount, inputAmount, originSwap } = quote
    const { route, input, direct } = plan
    const { adapter } = route.origin.chain
    if (!isOrdered(result)) {
      if (direct === null || adapter.direct === undefined) throw new Error('A quote without order is direct')
      return adapter.direct.build(directRequestOf(quote, direct, result.requestId))
    }
    return adapter.buildDeposit({
      from: route.user,
      money: { currency: pair.deposit.address, amount: originSwap === null ? inputAmount : depositAmount },
      orderId: result.orderId,
      explicitDeposit: input.explicitDeposit,
      ...feePayerOf(route),
      ...(input.userPublicKey === null ? {} : { userPublicKey: input.userPublicKey }),
      ...(originSwap === null ? {} : { originSwap }),
    })
  }

  async #store(
    call: QuoteCall,
    quote: PricedQuote,
    result: QuoteResult,
    answered: FeesAndDetails,
    respond: () => Promise<QuoteResponse>,
  ): Promise<void> {
    const { settings, store } = this.#deps
    const { draft } = quote.plan
    await this.#extensions.run('persist', draft)
    // What ties the answer to the quote needs the whole of it; without that nothing waits for the deposit to be built.
    const tie = call.effect?.statement(await respond())
    const ids = { ...result, heldUntil: this.#deps.clock.now() + settings.holdSeconds * 1_000 }
    const written = { parts: this.#extensions.parts(draft, ids), ...(tie === undefined ? {} : { tie }) }
    const added = this.#added(quote, result)
    const parts = { call, quote, result, answered, written, added }
    const held = await store.insert(newQuoteOf(parts, this.#termsContext)).catch((error: unknown) => {
      throw storeError(error)
    })
    this.#deps.onStored?.(held)
  }

  async #requireInventory({ plan, pair, payoutAmount }: PricedQuote): Promise<void> {
    if (plan.direct !== null) return
    const { id } = plan.route.destination.chain.config
    const { address } = pair.payout
    const available = await this.#available.get(`${id}:${address}`, () => this.#deps.store.available(id, address))
    if (available === null) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The funds on the destination chain are not known yet. Try again.')
    }
    if (available < payoutAmount) {
      throw new ServiceError('INSUFFICIENT_LIQUIDITY', 'The solver does not hold enough of this currency now')
    }
  }
}

const warningsOf = ({ plan: { warnings } }: PricedQuote) => (warnings.length === 0 ? {} : { warnings: [...warnings] })

const pricedDraft = (quote: PricedQuote): PricedDraft => {
  const { plan, pair, book, lines } = quote
  const { origin, destination } = plan.route
  return {
    destinationSwap: quote.destinationOffer !== null,
    isDirect: plan.direct !== null,
    operation: plan.operation,
    input: { currency: origin.currency, amount: quote.inputAmount },
    deposit: { currency: pair.deposit, amount: quote.depositAmount },
    payout: { currency: pair.payout, amount: quote.payoutAmount },
    output: { currency: destination.currency, amount: quote.outputAmount },
    lines,
    rateGap: quote.rateGap,
    priceOf: (currency) => book.of(currency),
  }
}

const depositStepOf = ({ pair, inputAmount, plan: { input } }: PricedQuote) => ({
  money: { currency: pair.deposit.address, amount: inputAmount },
  ...(input.userPublicKey === null ? {} : { userPublicKey: input.userPublicKey }),
})
