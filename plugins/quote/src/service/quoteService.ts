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
  type ChainRegistry,
  type CurrencyListing,
  type Deployment,
  type HoldResult,
  holderOf,
  type Keys,
  type QuoteCall,
  type QuoteEngine,
  type QuoteIds,
  type QuoteStore,
  type QuoteTerms,
  type RepriceDecision,
  type RepriceDeposit,
  tracePhase,
} from '@causeway/core/plugin'
import type { QuoteSettings } from '../options.js'
import type { IntegratorRules } from '../rules/integratorRules.js'
import { agreedFacts } from './answer/agreedFacts.js'
import { callsFacts, feesJson, priceDetailsJson, quoteOnlyJson } from './answer/quoteResponse.js'
import { directRequestOf, newDirectId } from './pricing/directQuote.js'
import { type Drafted, Drafter } from './quotePlanner.js'
import { forPath } from './answer/quoteErrors.js'
import { feePayerOf, MarketReader } from './pricing/marketReader.js'
import { type MadeOrder, OrderMaker } from './answer/order.js'
import { PathFinder } from './pricing/pathFinder.js'
import type { PricedQuote } from './pricing/pricedQuote.js'
import { type QuoteValues, valuesOf } from './pricing/quoteValues.js'
import type { QuoteExtensions } from './quoteExtensions.js'
import { holdOf, termsOf } from './answer/quoteTerms.js'
import { Repricer } from './pricing/repricer.js'
import { stepsJson } from './answer/responseSteps.js'

export interface QuoteServiceDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly store: QuoteStore
  readonly clock: Clock
  readonly keys: Keys
  readonly deployment: Deployment
  readonly settings: QuoteSettings
  readonly rules: Pick<IntegratorRules, 'rulesOf'>
  /** Told of each quote that was stored, and whether its fill is held. */
  onStored?(held: HoldResult): void
  /** Asked for at the first quote that needs it. */
  listing(): CurrencyListing
  /** Asked for at the first quote, when every plugin has registered. */
  extensions(): QuoteExtensions
}

/** How old an inventory `/price` may answer from; a quote holds what it promises and asks each time. */
const INVENTORY_MS = 1_000

/** A quote with its ids; `order` is null where the user moves the value alone. */
interface Made extends QuoteIds {
  readonly order: MadeOrder | null
}

/** Makes quotes and prices, stores quotes, and decides what becomes of a deposit. */
export class QuoteService implements QuoteEngine {
  readonly #deps: QuoteServiceDeps
  readonly #drafter: Drafter
  readonly #repricer: Repricer
  readonly #available: BoundedCache<bigint | null>
  #madeExtensions: QuoteExtensions | undefined
  #madeOrders: OrderMaker | undefined

  constructor(deps: QuoteServiceDeps) {
    this.#deps = deps
    const market = new MarketReader(deps)
    const { clock, settings } = deps
    this.#drafter = new Drafter({ ...deps, market, paths: new PathFinder({ ...deps, market }) })
    this.#repricer = new Repricer({ ...deps, market })
    const lifeOf = (available: bigint | null) => (available === null ? 0 : INVENTORY_MS)
    this.#available = new BoundedCache({ clock, maxEntries: settings.cacheEntries, lifeOf })
  }

  async price(call: QuoteCall): Promise<object> {
    return this.#answering(call, async () => {
      const { quote } = await this.#drafter.draft(call, this.#extensions)
      await this.#requireInventory(quote)
      const values = valuesOf(quote)
      return { fees: feesJson(quote, values), details: this.#priceDetails(quote, values) }
    })
  }

  async quote(call: QuoteCall): Promise<object> {
    return this.#answering(call, async () => {
      const drafted = await this.#drafter.draft(call, this.#extensions)
      const { quote, draft } = drafted
      const { user, recipient } = quote.route.placeholder
      if (user || recipient) return this.#priceOnly(drafted)
      await this.#extensions.run('order', draft)
      const made = this.#make(quote)
      const answer = this.#answer(drafted)
      await this.#extensions.run('deposit', draft)
      const parts = Promise.all([
        tracePhase('build deposit', () => this.#build(quote, made)),
        this.#signature(quote, made),
      ])
      const whole = async () => this.#whole(drafted, made, answer, ...(await parts))
      await Promise.all([parts, tracePhase('store quote', () => this.#persist(call, drafted, made, { answer, whole }))])
      return whole()
    })
  }

  /**
   * For nobody: nothing to execute, nothing held, and nothing stored, so that a payment by it can only be parked. Steps for it would
   * pay, or refund, an account that has no owner.
   */
  async #priceOnly(drafted: Drafted): Promise<object> {
    await this.#requireInventory(drafted.quote)
    return { requestId: newDirectId(), steps: [], ...this.#answer(drafted) }
  }

  #whole(
    { quote, draft }: Drafted,
    made: Made,
    answer: object,
    built: readonly StepItemDraft[],
    signature: Hex | null,
  ): object {
    return {
      requestId: made.requestId,
      steps: stepsJson([...this.#extensions.steps(draft, made), ...built], made.requestId),
      ...answer,
      ...this.#extensions.response(draft),
      ...(made.order === null ? {} : { protocol: { v2: protocolJson(quote, made.order, signature) } }),
    }
  }

  reprice(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision> {
    return this.#repricer.reprice(terms, deposit)
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

  async #answering(call: QuoteCall, make: () => Promise<object>): Promise<object> {
    try {
      return await make()
    } catch (error) {
      throw forPath(error, call.path)
    }
  }

  #make(quote: PricedQuote): Made {
    if (quote.direct !== null) return { requestId: newDirectId(), orderId: null, order: null }
    const order = this.#orders.make(quote)
    return { requestId: order.requestId, orderId: order.orderId, order }
  }

  #signature(quote: PricedQuote, { order }: Made): Promise<Hex> | null {
    if (order === null || !quote.input.includeProtocolData) return null
    return tracePhase('sign order', () => this.#orders.sign(order.orderId))
  }

  #answer({ quote, draft }: Drafted) {
    const values = valuesOf(quote)
    const details = this.#priceDetails(quote, values)
    const { currencyIn, currencyOut } = details
    return {
      fees: feesJson(quote, values),
      details: {
        ...details,
        ...quoteOnlyJson(quote, values, { currencyIn, currencyOut }),
        ...this.#extensions.details(draft),
      },
    }
  }

  #priceDetails(quote: PricedQuote, values: QuoteValues) {
    return priceDetailsJson(quote, values, this.#deps.settings.timeEstimate(quote.input.originChainId))
  }

  async #build(quote: PricedQuote, { order, requestId }: Made): Promise<readonly StepItemDraft[]> {
    const { route, input, pair, depositAmount, amountIn, originSwap } = quote
    const { adapter } = route.origin.chain
    if (order === null) {
      if (quote.direct === null || adapter.direct === undefined) throw new Error('A quote without order is direct')
      return adapter.direct.build(directRequestOf(quote, quote.direct, requestId))
    }
    return adapter.buildDeposit({
      from: route.user,
      money: { currency: pair.deposit.address, amount: originSwap === null ? amountIn : depositAmount },
      orderId: order.orderId,
      explicitDeposit: input.explicitDeposit,
      ...feePayerOf(route),
      ...(input.userPublicKey === null ? {} : { userPublicKey: input.userPublicKey }),
      ...(originSwap === null ? {} : { originSwap }),
    })
  }

  async #persist(
    call: QuoteCall,
    { quote, draft, limits }: Drafted,
    made: Made,
    { answer, whole }: { readonly answer: object; whole(): Promise<object> },
  ) {
    const { settings, deployment, store, clock } = this.#deps
    const { caller } = call
    await this.#extensions.run('persist', draft)
    // What ties the answer to the quote needs the whole of it; without that nothing waits for the deposit to be built.
    const ties = call.effect === undefined ? [] : [call.effect.statement(await whole())]
    const { apiKey: _secret, ...body } = call.body
    const { requestType, operation } = quote.plan
    const deadline = Math.floor(clock.now() / 1000) + settings.orderDeadlineSeconds
    const ids = made.order ?? { requestId: made.requestId, orderId: made.requestId, deadline }
    const held = await store.insert({
      terms: termsOf(quote, ids, { settings, network: deployment.network, limits }),
      caller:
        caller.kind === 'integrator'
          ? { integratorId: caller.integratorId, apiKeyId: caller.apiKeyId }
          : { integratorId: null, apiKeyId: null },
      body: JSON.stringify(body),
      quoted: JSON.stringify({
        requestType,
        operation,
        ...answer,
        ...agreedFacts(quote),
        ...callsFacts(quote, valuesOf(quote)),
        features: quote.topup === 0n ? [] : ['gas_top_up'],
        feeSponsorship: null,
      }),
      order: made.order === null ? '{}' : JSON.stringify(made.order.order),
      referrer: quote.input.referrer,
      hold: holdOf(quote, settings),
      holder: holderOf(caller, call.ip ?? ''),
      statements: [...this.#extensions.statements(draft, made), ...ties],
    })
    this.#deps.onStored?.(held)
  }

  async #requireInventory({ route: { destination }, pair, payAmount, direct }: PricedQuote): Promise<void> {
    if (direct !== null) return
    const { id } = destination.chain.config
    const { address } = pair.pay
    const available = await this.#available.get(`${id}:${address}`, () => this.#deps.store.available(id, address))
    if (available === null) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The funds on the destination chain are not known yet. Try again.')
    }
    if (available < payAmount) {
      throw new ServiceError('INSUFFICIENT_LIQUIDITY', 'The solver does not hold enough of this currency now')
    }
  }
}

/** `protocol.v2` (wire.md 1.7). */
const protocolJson = (
  { route: { origin }, pair, depositAmount }: PricedQuote,
  made: MadeOrder,
  signature: string | null,
) => ({
  orderId: made.orderId,
  hubType: 'onchain' as const,
  ...(signature === null ? {} : { orderData: made.order, orderSignature: signature }),
  paymentDetails: {
    chainId: origin.chain.config.slug,
    depository: origin.chain.adapter.depository,
    currency: pair.deposit.address,
    amount: depositAmount.toString(),
  },
})
