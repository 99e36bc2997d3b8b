import {
  BoundedCache,
  boundedSigner,
  type ChainRegistry,
  type Clock,
  type CurrencyRegistry,
  type Deployment,
  type Keys,
  PROTOCOL_VM_TYPES,
  type Prices,
  type QuoteCall,
  type QuoteDraft,
  type QuoteEngine,
  type QuoteStore,
  type QuoteTerms,
  type RepriceDecision,
  type RepriceDeposit,
  ServiceError,
  scaleAmount,
  smaller,
  tracePhase,
} from '@causeway/core'
import type { QuoteBody } from '../http/quote.schema.js'
import type { QuoteSettings } from '../options.js'
import { feesJson, priceDetailsJson, type QuoteValues, quoteOnlyJson, valuesOf } from './details.js'
import { forPath, simulationError } from './failures.js'
import { convertUp } from './fees.js'
import { feePayerOf, MarketReader } from './marketReader.js'
import { type MadeOrder, OrderMaker } from './order.js'
import { planRoute } from './planRoute.js'
import type { PricedQuote } from './pricedQuote.js'
import { priceQuote } from './priceQuote.js'
import type { QuoteExtensions } from './quoteExtensions.js'
import { type QuoteInput, readQuoteInput } from './quoteInput.js'
import { holdOf, termsOf } from './quoteTerms.js'
import { decideEarly, decideLate } from './reprice.js'
import { type ResolvedRoute, type RouteEnd, resolveRoute } from './resolveRoute.js'
import { stepsJson } from './steps.js'

export interface QuoteServiceDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly store: QuoteStore
  readonly clock: Clock
  readonly keys: Keys
  readonly deployment: Deployment
  readonly settings: QuoteSettings
  /** Asked for at the first quote, when every plugin has registered. */
  extensions(): QuoteExtensions
}

/** How old an inventory `/price` may answer from; a quote holds what it promises and asks each time. */
const INVENTORY_MS = 1_000

interface Drafted {
  readonly quote: PricedQuote
  readonly draft: QuoteDraft
}

/** Makes quotes and prices, stores quotes, and decides what becomes of a deposit. */
export class QuoteService implements QuoteEngine {
  readonly #deps: QuoteServiceDeps
  readonly #market: MarketReader
  readonly #available: BoundedCache<bigint | null>
  #madeExtensions: QuoteExtensions | undefined
  #madeOrders: OrderMaker | undefined

  constructor(deps: QuoteServiceDeps) {
    this.#deps = deps
    this.#market = new MarketReader(deps)
    const { clock, settings } = deps
    const lifeOf = (available: bigint | null) => (available === null ? 0 : INVENTORY_MS)
    this.#available = new BoundedCache({ clock, maxEntries: settings.cacheEntries, lifeOf })
  }

  async price(call: QuoteCall): Promise<object> {
    return this.#answering(call, async () => {
      const { quote } = await this.#draft(call)
      await this.#requireInventory(quote)
      const values = valuesOf(quote)
      return { fees: feesJson(quote, values), details: this.#priceDetails(quote, values) }
    })
  }

  async quote(call: QuoteCall): Promise<object> {
    return this.#answering(call, async () => {
      const { quote, draft } = await this.#draft(call)
      await this.#extensions.run('order', draft)
      const made = this.#orders.make(quote)
      const answer = this.#answer(quote)
      await this.#extensions.run('deposit', draft)
      const [steps, signature] = await Promise.all([
        tracePhase('build deposit', () => this.#buildDeposit(quote, made)),
        quote.input.includeProtocolData ? tracePhase('sign order', () => this.#orders.sign(made.orderId)) : null,
        tracePhase('store quote', () => this.#persist(call, quote, made, answer, draft)),
      ])
      return {
        requestId: made.requestId,
        steps: stepsJson(steps, made.requestId),
        ...answer,
        ...this.#extensions.response(draft),
        protocol: { v2: protocolJson(quote, made, signature) },
      }
    })
  }

  async reprice(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision> {
    const ends = { origin: this.#end(terms.origin), destination: this.#end(terms.destination) }
    const context = {
      originDecimals: ends.origin.currency.decimals,
      destinationDecimals: ends.destination.currency.decimals,
      underpaymentToleranceBps: this.#deps.settings.underpaymentToleranceBps,
    }
    const early = decideEarly(terms, deposit, this.#deps.clock.now(), context)
    if (early.kind === 'decided') return early.decision
    const [prices, { payoutFee, currencyFee }] = await Promise.all([
      this.#market.prices(ends),
      this.#market.payout({ ...ends, recipient: { address: terms.recipient } }, terms.amountOut),
    ])
    const { currency } = ends.origin
    const networkCost =
      convertUp(payoutFee, prices.destinationNative, currency, prices.origin) +
      convertUp(currencyFee, prices.destination, currency, prices.origin)
    return decideLate(terms, deposit, networkCost, context)
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
      vmTypes: chains.vmTypeBySlug(PROTOCOL_VM_TYPES),
      codecs: chains.addressCodecs(),
      settings,
    })
    return this.#madeOrders
  }

  async #answering(call: QuoteCall, make: () => Promise<object>): Promise<object> {
    try {
      return await make()
    } catch (error) {
      throw forPath(error, call.path)
    }
  }

  /** Everything up to the numbers, in the order of checks of wire.md K.1 1. Nothing is written. */
  async #draft(call: QuoteCall): Promise<Drafted> {
    const { settings, clock } = this.#deps
    // CAST: the routes checked the body against QuoteBody.
    const body = call.body as QuoteBody
    this.#extensions.check(body)
    const input = readQuoteInput(body, this.#extensions)
    const route = resolveRoute(input, this.#deps)
    const plan = planRoute(route, settings)
    const draft: QuoteDraft = {
      body,
      caller: call.caller,
      originCurrency: route.origin.currency,
      destinationCurrency: route.destination.currency,
      feeLines: [],
    }
    await this.#extensions.run('resolve', draft)
    await this.#extensions.run('route', draft)
    const market = await tracePhase('read market', () =>
      this.#market.read(route, expectedAmounts(input, route), input.explicitDeposit),
    )
    await this.#extensions.run('fees', draft)
    const extraFees = draft.feeLines
    const quote = priceQuote({ input, route, plan, market, settings, extraFees, now: clock.now() })
    await this.#extensions.run('simulate', draft)
    if (!market.simulation.ok) throw simulationError(market.simulation)
    return { quote, draft }
  }

  #answer(quote: PricedQuote) {
    const values = valuesOf(quote)
    const details = this.#priceDetails(quote, values)
    const { currencyIn, currencyOut } = details
    const router = this.#deps.deployment.serviceName
    return {
      fees: feesJson(quote, values),
      details: { ...details, ...quoteOnlyJson(quote, values, { currencyIn, currencyOut, router }) },
    }
  }

  #priceDetails(quote: PricedQuote, values: QuoteValues) {
    return priceDetailsJson(quote, values, this.#deps.settings.timeEstimate(quote.input.originChainId))
  }

  #buildDeposit({ route, amountIn, input }: PricedQuote, { orderId }: MadeOrder) {
    return route.origin.chain.adapter.buildDeposit({
      from: route.user,
      money: { currency: route.origin.currency.address, amount: amountIn },
      orderId,
      explicitDeposit: input.explicitDeposit,
      ...feePayerOf(route),
    })
  }

  async #persist(call: QuoteCall, quote: PricedQuote, made: MadeOrder, answer: object, draft: QuoteDraft) {
    const { settings, deployment, store } = this.#deps
    const { caller } = call
    await this.#extensions.run('persist', draft)
    const { apiKey: _secret, ...body } = call.body
    const { requestType, operation } = quote.plan
    await store.insert({
      terms: termsOf(quote, made, { settings, network: deployment.network }),
      caller:
        caller.kind === 'integrator'
          ? { integratorId: caller.integratorId, apiKeyId: caller.apiKeyId }
          : { integratorId: null, apiKeyId: null },
      body: JSON.stringify(body),
      quoted: JSON.stringify({ requestType, operation, ...answer, feeSponsorship: null }),
      order: JSON.stringify(made.order),
      referrer: quote.input.referrer,
      hold: holdOf(quote, settings, caller.kind === 'anonymous'),
    })
  }

  async #requireInventory({ route: { destination }, amountOut }: PricedQuote): Promise<void> {
    const { id } = destination.chain.config
    const { address } = destination.currency
    const available = await this.#available.get(`${id}:${address}`, () => this.#deps.store.available(id, address))
    if (available === null) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The funds on the destination chain are not known yet. Try again.')
    }
    if (available < amountOut) {
      throw new ServiceError('INSUFFICIENT_LIQUIDITY', 'The solver does not hold enough of this currency now')
    }
  }

  #end({ chainId, currency: address }: QuoteTerms['origin']): RouteEnd {
    const chain = this.#deps.chains.get(chainId)
    const currency = this.#deps.currencies.find(chainId, address)
    const native = this.#deps.currencies.native(chainId)
    if (currency === undefined || native === undefined) {
      throw new Error(`Currency ${address} of chain ${chainId} is not configured; add it to "currencies" again.`)
    }
    return { chain, currency, native }
  }
}

/** Amounts before fees, as far as the chains can represent them: close enough to simulate with. */
const expectedAmounts = ({ tradeType, amount }: QuoteInput, { origin, destination }: ResolvedRoute) => {
  const from = origin.currency.decimals
  const to = destination.currency.decimals
  const exactInput = tradeType === 'EXACT_INPUT'
  return {
    paid: smaller(exactInput ? amount : scaleAmount(amount, to, from, 'up'), origin.chain.adapter.maxAmount),
    sent: smaller(exactInput ? scaleAmount(amount, from, to, 'down') : amount, destination.chain.adapter.maxAmount),
  }
}

/** `protocol.v2` (wire.md 1.7). */
const protocolJson = ({ route: { origin }, amountIn }: PricedQuote, made: MadeOrder, signature: string | null) => ({
  orderId: made.orderId,
  hubType: 'onchain' as const,
  ...(signature === null ? {} : { orderData: made.order, orderSignature: signature }),
  paymentDetails: {
    chainId: origin.chain.config.slug,
    depository: origin.chain.adapter.depository,
    currency: origin.currency.address,
    amount: amountIn.toString(),
  },
})
