import { type Json, ServiceError } from '@causeway/core'
import type { SwapCapability, SwapLimits, SwapOffer, SwapOrder, SwapRequest } from '@causeway/core/chain'
import type { Logger } from 'pino'
import { readQuote, type SourceInstructions, type SourceQuote } from './sourceAnswers.js'
import type { SwapSourceSettings } from './swapOptions.js'
import { type RouteTerms, SwapSource } from './swapSource.js'
import { mintOf, WRAPPED_SOL } from './wrappedSol.js'

export interface SwapSourcesDeps {
  readonly sources: readonly SwapSourceSettings[]
  readonly logger: Logger
}

/** Compute units that one pool takes, for estimates. */
const UNITS_PER_HOP = 80_000n

/** A route's instructions with the programs that its source may call. */
export interface RouteInstructions extends SourceInstructions {
  readonly programs: readonly string[]
}

/** The swap sources of a chain: what they offer, and how an offer is run. */
export class SwapSources implements SwapCapability {
  readonly sources: readonly string[]
  readonly wrappedNative = WRAPPED_SOL.address
  readonly router = null
  readonly payouts = true
  /** A transfer names its amount, so the deposit is the least that the swap gives. */
  readonly deposits = 'minimum'
  readonly #sources: readonly SwapSource[]
  readonly #logger: Logger

  constructor({ sources, logger }: SwapSourcesDeps) {
    this.#sources = sources.map((settings) => new SwapSource(settings))
    this.#logger = logger
    this.sources = this.#sources.map(({ name }) => name)
  }

  offers(requests: readonly SwapRequest[], limits: SwapLimits): Promise<readonly (readonly SwapOffer[])[]> {
    const { included, excluded = [], maxHops } = limits
    const asked = this.#sources.filter(
      ({ name }) => (included === undefined || included.includes(name)) && !excluded.includes(name),
    )
    return Promise.all(
      requests.map(async (request) => {
        const offers = await Promise.all(asked.map((source) => this.#offer(source, request, maxHops)))
        return offers.flat().sort((left, right) => compare(request, left, right))
      }),
    )
  }

  /**
   * Instructions that spend exactly `amountIn` of the order. `fresh` looks for the best route of now, for orders that have
   * waited; so do orders of an exact output, whose route spends what it likes.
   * @throws ServiceError SWAP_QUOTE_FAILED
   */
  async instructions(
    { offer, minimumOut }: SwapOrder,
    terms: Omit<RouteTerms, 'minimumOut'>,
    { fresh, amountIn = offer.amountIn }: { readonly fresh: boolean; readonly amountIn?: bigint },
  ): Promise<RouteInstructions> {
    const source = this.#sources.find(({ name }) => name === offer.source)
    if (source === undefined) throw failed(`There is no swap source ${offer.source} any more.`)
    const request = { kind: 'exact-input', from: offer.from, to: offer.to, amount: amountIn } as const
    const stored = fresh ? null : storedQuote(offer.route, request)
    const quote = stored ?? (await source.quote(request, Math.max(1, offer.hops)).catch(() => null))
    if (quote === null) throw failed(`The swap source ${offer.source} no longer offers this swap.`)
    const instructions = await source.instructions(quote, { ...terms, minimumOut })
    return { ...instructions, programs: source.programs }
  }

  async #offer(source: SwapSource, request: SwapRequest, maxHops: number): Promise<readonly SwapOffer[]> {
    const quote = await source.quote(request, maxHops).catch((err: unknown) => {
      this.#logger.warn({ err, source: source.name }, 'A swap source offers nothing')
      return null
    })
    if (quote === null) return []
    const { amountIn, amountOut, hops, route } = quote
    const { from, to } = request
    const gas = UNITS_PER_HOP * BigInt(hops)
    return [{ source: source.name, from, to, amountIn, amountOut, hops, midAmountOut: null, gas, route }]
  }
}

const storedQuote = (route: Json, { kind, from, to, amount }: SwapRequest): SourceQuote | null =>
  readQuote(route, { kind, inputMint: mintOf(from), outputMint: mintOf(to), amount })

const compare = ({ kind }: SwapRequest, left: SwapOffer, right: SwapOffer): number => {
  const gain = kind === 'exact-input' ? right.amountOut - left.amountOut : left.amountIn - right.amountIn
  return gain > 0n ? 1 : gain < 0n ? -1 : 0
}

const failed = (message: string): ServiceError =>
  new ServiceError('SWAP_QUOTE_FAILED', `${message} Ask for a new quote.`)
