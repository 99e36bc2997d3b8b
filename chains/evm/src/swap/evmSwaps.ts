import type { Clock, Environment } from '@causeway/core'
import type { SwapCapability, SwapLimits, SwapOffer, SwapRequest } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import type { Logger } from 'pino'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { AggregatorSource } from './aggregator/aggregatorSource.js'
import { ChainReader } from './chainReader.js'
import { MidPrices } from './midPrices.js'
import { type ReadPlan, together } from './readPlan.js'
import { type SwapSettings, sourceNames } from './swapSettings.js'
import { byWorth, type PoolSource, type RouteTokens } from './swapSource.js'
import { UniswapV2Source } from './uniswap/uniswapV2Source.js'
import { UniswapV3Source } from './uniswap/uniswapV3Source.js'
import { wrapOffer } from './wrapOffer.js'

/** Pools in a row beyond which nothing is looked for. */
const MAX_HOPS = 4

export interface EvmSwapsDeps {
  readonly chainId: number
  readonly settings: SwapSettings
  readonly rpc: JsonRpcClient
  readonly clock: Clock
  readonly logger: Logger
  /** Where the API keys of aggregators are looked up. */
  readonly environment: Environment
}

/** Exchanging currencies of one EVM chain over its configured sources. */
export class EvmSwaps implements SwapCapability {
  readonly sources: readonly string[]
  readonly wrappedNative: string
  readonly router: string
  readonly payouts = true
  readonly deposits = 'all'
  readonly #settings: SwapSettings
  readonly #reader: ChainReader
  readonly #pools: readonly PoolSource[]
  readonly #aggregators: readonly AggregatorSource[]
  readonly #prices: MidPrices

  constructor({ chainId, settings, rpc, clock, logger, environment }: EvmSwapsDeps) {
    this.#settings = settings
    this.sources = sourceNames(settings)
    this.wrappedNative = settings.wrappedNative
    this.router = settings.router
    this.#reader = new ChainReader({ rpc, multicall: settings.multicall, logger })
    this.#pools = [
      ...settings.uniswapV2.map((source) => new UniswapV2Source({ settings: source, clock })),
      ...settings.uniswapV3.map((source) => new UniswapV3Source({ settings: source, clock })),
    ]
    this.#aggregators = settings.aggregators.map((source) => {
      const { apiKeyVariable: variable } = source
      const apiKey = variable === null ? null : (environment.read(variable) ?? null)
      if (variable !== null && apiKey === null)
        logger.warn({ source: source.name, variable }, 'A swap source lacks its key')
      return new AggregatorSource({ settings: source, apiKey, chainId, swapRouter: settings.router, logger })
    })
    this.#prices = new MidPrices({ settings, pools: this.#pools, reader: this.#reader })
  }

  async offers(requests: readonly SwapRequest[], limits: SwapLimits): Promise<readonly (readonly SwapOffer[])[]> {
    const plans = requests.map((request) => this.#plan(request, limits))
    const [onChain, remote] = await Promise.all([
      this.#reader.run(together(plans)),
      Promise.all(requests.map((request) => this.#ask(request, limits))),
    ])
    return onChain.map((offers, at) => [...offers, ...(remote[at] ?? [])].sort(byWorth))
  }

  silentSources(): readonly string[] {
    return this.#aggregators.filter(({ isSilent }) => isSilent).map(({ name }) => name)
  }

  midPrices(
    pairs: readonly { readonly from: string; readonly to: string; readonly unit: bigint }[],
  ): Promise<readonly (bigint | null)[]> {
    return this.#prices.read(pairs)
  }

  #plan(request: SwapRequest, limits: SwapLimits): ReadPlan<readonly SwapOffer[]> {
    const wrapped = request.amount > 0n ? wrapOffer(request, this.wrappedNative) : null
    if (wrapped !== null) return { reads: [], finish: () => [wrapped] }
    const tokens = this.#routeTokens(request, limits.maxHops)
    const pools = tokens === null ? [] : this.#pools.filter(({ name }) => isAllowed(name, limits))
    const plan = together(tokens === null ? [] : pools.map((source) => source.plan(request, tokens)))
    return { reads: plan.reads, finish: (answers) => plan.finish(answers).flat() }
  }

  async #ask(request: SwapRequest, limits: SwapLimits): Promise<readonly SwapOffer[]> {
    if (this.#routeTokens(request, limits.maxHops) === null) return []
    const usable = this.#aggregators.filter(({ name }) => isAllowed(name, limits))
    return (await Promise.all(usable.map((source) => source.offers(request)))).flat()
  }

  /** Null when no exchange is of use: nothing asked for, or one currency in two forms. */
  #routeTokens({ from, to, amount }: SwapRequest, maxHops: number): RouteTokens | null {
    const [first, last] = [from, to].map((currency) => (currency === ZERO_ADDRESS ? this.wrappedNative : currency))
    if (first === undefined || last === undefined || first === last || amount <= 0n || maxHops < 1) return null
    const connectors = this.#settings.connectors.filter((token) => token !== first && token !== last)
    return { from: first, to: last, connectors, maxHops: Math.min(Math.floor(maxHops), MAX_HOPS) }
  }
}

const isAllowed = (name: string, { included, excluded }: SwapLimits): boolean =>
  (included === undefined || included.includes(name)) && excluded?.includes(name) !== true
