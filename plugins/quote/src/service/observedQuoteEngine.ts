import { type CurrencyRegistry, errorCatalog, type Hex, ServiceError } from '@causeway/core'
import {
  type ChainRegistry,
  type Counter,
  collectPhases,
  type Histogram,
  type Metrics,
  type PriceResponse,
  type QuoteCall,
  type QuoteEngine,
  type QuoteResponse,
  type QuoteTerms,
  type RepriceDecision,
  type RepriceDeposit,
  type RequestTracing,
  type RequoteCall,
  type Requoted,
  type TracePhase,
  traceTime,
} from '@causeway/core/plugin'
import { QuoteKinds } from './input/quoteKinds.js'

export interface ObservedQuoteEngineDeps {
  readonly engine: QuoteEngine
  readonly metrics: Metrics
  readonly tracing: RequestTracing
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

const KINDS = ['bridge', 'swap', 'same-chain', 'unknown'] as const
const CODES = ['OK', ...Object.keys(errorCatalog)]
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const codeOf = (error: unknown): string => (ServiceError.is(error) ? error.code : 'UNKNOWN_ERROR')

/** A quote engine whose quotes and prices are counted, timed and traced. */
export class ObservedQuoteEngine implements QuoteEngine {
  readonly #deps: ObservedQuoteEngineDeps
  readonly #kinds: QuoteKinds
  readonly #quotes: Counter<{ kind: readonly string[]; code: readonly string[] }>
  readonly #seconds: Histogram<{ kind: readonly string[] }>

  constructor(deps: ObservedQuoteEngineDeps) {
    this.#deps = deps
    this.#kinds = new QuoteKinds(deps)
    this.#quotes = deps.metrics.counter({
      name: 'causeway_quotes_total',
      help: 'Quotes and prices asked for, by kind of route and by outcome: OK or the error code',
      labels: { kind: KINDS, code: CODES },
    })
    this.#seconds = deps.metrics.histogram({
      name: 'causeway_quote_seconds',
      help: 'Time the engine took for a quote or price, failures counted too',
      labels: { kind: KINDS },
      buckets: SECONDS,
    })
  }

  price(call: QuoteCall): Promise<PriceResponse> {
    return this.#measured(call, () => this.#deps.engine.price(call))
  }

  quote(call: QuoteCall): Promise<QuoteResponse> {
    return this.#measured(call, () => (this.#deps.tracing.enabled ? this.#traced(call) : this.#deps.engine.quote(call)))
  }

  reprice(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision> {
    return this.#deps.engine.reprice(terms, deposit)
  }

  requote(call: RequoteCall): Promise<Requoted> {
    return this.#deps.engine.requote(call)
  }

  async #measured<Response>(call: QuoteCall, work: () => Promise<Response>): Promise<Response> {
    const kind = this.#kinds.of(call.body)
    const startedAt = performance.now()
    let code = 'OK'
    try {
      return await work()
    } catch (error) {
      code = codeOf(error)
      throw error
    } finally {
      this.#quotes.add({ kind, code })
      this.#seconds.observe({ kind }, (performance.now() - startedAt) / 1000)
    }
  }

  /** The request's id is known only at the end, so its spans are made then. A quote that fails has no request and no trace. */
  async #traced(call: QuoteCall): Promise<QuoteResponse> {
    const startedAt = traceTime()
    const phases: TracePhase[] = []
    const response = await collectPhases(phases, () => this.#deps.engine.quote(call))
    // CAST: the schema.
    const requestId = response.requestId as Hex
    this.#deps.tracing.quoted({ requestId, ...call.trace, startedAt, phases })
    return response
  }
}
