import type { SwapOffer, SwapRequest } from '@causeway/core/chain'
import type { Logger } from 'pino'
import { routeJson } from '../swapRoute.js'
import type { AggregatorSettings } from '../swapSettings.js'
import { markOf, readAggregatorAnswer } from './aggregatorAnswer.js'
import { readBoundedJson } from './boundedJson.js'

/** Where it does not tell: a swap over several pools. */
const TYPICAL_GAS = 400_000n
const OVERHEAD_GAS = 50_000n
/** Its own check against slippage is left wide: the least that must arrive is checked by the service's contract. */
const SLIPPAGE_BPS = '3000'
const MAX_ANSWER_BYTES = 512 * 1024
const MAX_REST_MS = 15_000

export interface AggregatorSourceDeps {
  readonly settings: AggregatorSettings
  readonly apiKey: string | null
  readonly chainId: number
  /** Runs the swap and gets what it gives. */
  readonly swapRouter: string
  readonly logger: Logger
}

/** An aggregator of exchanges that speaks the API of 0x. Nothing it says is trusted beyond what the chain checks. */
export class AggregatorSource {
  readonly name: string
  readonly #deps: AggregatorSourceDeps
  #failures = 0
  #restingUntil = 0

  constructor(deps: AggregatorSourceDeps) {
    this.name = deps.settings.name
    this.#deps = deps
  }

  /** True from a failure until it answers again. */
  get isSilent(): boolean {
    return this.#failures > 0
  }

  /** Its offer, or none: for exact output, while it rests after failures, and when it fails. Never rejects. */
  async offers(request: SwapRequest): Promise<readonly SwapOffer[]> {
    if (request.kind !== 'exact-input' || performance.now() < this.#restingUntil) return []
    try {
      const quote = readAggregatorAnswer(await this.#ask(request), request)
      this.#failures = 0
      if (quote === null) return []
      const { to, data, value, allowanceTarget } = quote
      return [
        {
          source: this.name,
          from: request.from,
          to: request.to,
          amountIn: request.amount,
          amountOut: quote.amountOut,
          hops: 1,
          midAmountOut: null,
          gas: OVERHEAD_GAS + (quote.gas ?? TYPICAL_GAS),
          route: routeJson({ kind: 'aggregator', to, data, value: value.toString(), allowanceTarget }),
        },
      ]
    } catch (error) {
      this.#rest(error)
      return []
    }
  }

  /** Null when it knows no way; throws when it cannot be asked. */
  async #ask({ from, to, amount }: SwapRequest): Promise<unknown> {
    const { settings, apiKey, chainId, swapRouter } = this.#deps
    const query = new URLSearchParams({
      chainId: String(chainId),
      sellToken: markOf(from),
      buyToken: markOf(to),
      sellAmount: amount.toString(),
      taker: swapRouter,
      recipient: swapRouter,
      slippageBps: SLIPPAGE_BPS,
    })
    const response = await fetch(`${settings.url}/swap/allowance-holder/quote?${query}`, {
      headers: { accept: 'application/json', '0x-version': 'v2', ...(apiKey === null ? {} : { '0x-api-key': apiKey }) },
      redirect: 'error',
      signal: AbortSignal.timeout(settings.timeoutMs),
    })
    if (response.ok) return readBoundedJson(response, MAX_ANSWER_BYTES)
    await response.body?.cancel()
    // It says 400 to tokens and amounts it does not deal in.
    if (response.status === 400 || response.status === 404 || response.status === 422) return null
    throw new Error(`status ${response.status}`)
  }

  /** Left alone for a while, so that a dead source does not slow every quote down. Real time: it is about a network. */
  #rest(error: unknown): void {
    this.#restingUntil = performance.now() + Math.min(MAX_REST_MS, 250 * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
    // Errors of fetch may name the address; their kind is enough.
    const reason = error instanceof Error && error.message.startsWith('status ') ? error.message : nameOf(error)
    this.#deps.logger.warn({ source: this.name, reason }, 'A swap source did not answer')
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
