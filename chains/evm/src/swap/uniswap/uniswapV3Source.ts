import type { Clock, Hex } from '@causeway/core'
import type { SwapOffer, SwapRequest } from '@causeway/core/chain'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { after, type ChainRead, type ReadPlan, together } from '../readPlan.js'
import { quoterAbi } from '../swapAbis.js'
import { routeJson } from '../swapRoute.js'
import type { UniswapV3Settings } from '../swapSettings.js'
import {
  atRate,
  byWorth,
  chained,
  hopsOf,
  type PoolPrice,
  type PoolSource,
  type Ratio,
  type RouteTokens,
  tokenPaths,
} from '../swapSource.js'
import { UniswapV3Pools } from './uniswapV3Pools.js'
import { packPath } from './v3Path.js'

const BASE_GAS = 90_000n
/** Each path is one call of the quoter, which runs the whole swap. */
const MAX_PATHS = 40
const MAX_HOPS = 3
/** Tiers tried for each hop of a longer route, once it is known how deep they are. */
const TIERS_PER_HOP = 2
/** Prices at which a pool stops because nothing is left on one side. */
const PRICE_ENDS: readonly bigint[] = [4295128740n, 1461446703485210103287273052203988822378723970341n]
/** The quoter takes amounts as signed numbers. */
const MAX_AMOUNT = 2n ** 255n

interface Path {
  readonly tokens: readonly string[]
  readonly fees: readonly number[]
}

/** Pools of Uniswap V3 or of an exchange built like it; amounts are those its own quoter tells. */
export class UniswapV3Source implements PoolSource {
  readonly name: string
  readonly #quoter: string
  readonly #pools: UniswapV3Pools

  constructor(deps: { readonly settings: UniswapV3Settings; readonly clock: Clock }) {
    this.name = deps.settings.name
    this.#quoter = deps.settings.quoter
    this.#pools = new UniswapV3Pools(deps)
  }

  plan(request: SwapRequest, tokens: RouteTokens): ReadPlan<readonly SwapOffer[]> {
    if (request.amount >= MAX_AMOUNT) return { reads: [], finish: () => [] }
    const offers = this.#paths(tokens).map((path) => this.#offer(request, path))
    return after(together([...offers, this.#scout(tokens)]), (found) =>
      found
        .filter((offer) => offer !== null)
        .sort(byWorth)
        .slice(0, 1),
    )
  }

  prices(first: string, second: string): ReadPlan<readonly PoolPrice[]> {
    return this.#pools.prices(first, second)
  }

  /** Pools on any way, also on those too many to ask the quoter about. */
  #scout(tokens: RouteTokens): ReadPlan<null> {
    const hops = [...tokenPaths(limited(tokens))].flatMap(hopsOf).map(([left, right]) => [left, right].sort())
    const pairs = new Map(hops.map(([low = '', high = '']) => [`${low}${high}`, [low, high] as const]))
    return after(together([...pairs.values()].map((pair) => this.#pools.scout(...pair))), () => null)
  }

  #paths(tokens: RouteTokens): readonly Path[] {
    const found: Path[] = []
    for (const row of tokenPaths(limited(tokens))) {
      const hops = hopsOf(row)
      const tiers = hops.map((hop) => this.#pools.tiers(...hop).slice(0, this.#width(hops.length, hop)))
      for (const fees of choices(tiers)) {
        found.push({ tokens: row, fees })
        if (found.length === MAX_PATHS) return found
      }
    }
    return found
  }

  #width(hops: number, hop: readonly [string, string]): number {
    return hops === 1 || !this.#pools.known(...hop) ? Number.POSITIVE_INFINITY : TIERS_PER_HOP
  }

  #offer(request: SwapRequest, path: Path): ReadPlan<SwapOffer | null> {
    const read = quoteRead(this.#quoter, request, path)
    const rates = together(hopsOf(path.tokens).map((hop, at) => this.#pools.rate(...hop, path.fees[at] ?? 0)))
    return {
      reads: [read, ...rates.reads],
      finish: ([answer, ...rest]) => {
        const quoted = readQuote(request, answer)
        const mid = rates.finish(rest)
        return quoted && this.#offerOf(request, path, quoted, mid)
      },
    }
  }

  #offerOf(request: SwapRequest, path: Path, quoted: Quoted, rates: readonly (Ratio | null)[]): SwapOffer {
    const known = rates.filter((rate) => rate !== null)
    const rate = known.length === rates.length ? known.reduce(chained) : null
    const { gas, ...amounts } = quoted
    return {
      source: this.name,
      from: request.from,
      to: request.to,
      ...amounts,
      hops: path.fees.length,
      midAmountOut: rate && atRate(amounts.amountIn, rate),
      gas: BASE_GAS + gas,
      route: routeJson({ kind: 'uniswap-v3', path: path.tokens, fees: path.fees }),
    }
  }
}

const limited = (tokens: RouteTokens): RouteTokens => ({ ...tokens, maxHops: Math.min(tokens.maxHops, MAX_HOPS) })

interface Quoted {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly gas: bigint
}

const quoteRead = (quoter: string, { kind, amount }: SwapRequest, { tokens, fees }: Path): ChainRead => {
  const data =
    kind === 'exact-input'
      ? encodeFunctionData({ abi: quoterAbi, functionName: 'quoteExactInput', args: [packPath(tokens, fees), amount] })
      : encodeFunctionData({
          abi: quoterAbi,
          functionName: 'quoteExactOutput',
          // The quoter reads a path to an output from its end.
          args: [packPath([...tokens].reverse(), [...fees].reverse()), amount],
        })
  return { to: quoter, data, heavy: true }
}

/** Null when the quoter failed, gives nothing, or emptied a pool on the way. */
const readQuote = ({ kind, amount }: SwapRequest, answer: Hex | null | undefined): Quoted | null => {
  if (answer === null || answer === undefined) return null
  try {
    const decoded = decodeFunctionResult({ abi: quoterAbi, functionName: 'quoteExactInput', data: answer })
    const [result, pricesAfter, , gas] = decoded
    if (result === 0n || pricesAfter.some((price) => PRICE_ENDS.includes(price))) return null
    return kind === 'exact-input'
      ? { amountIn: amount, amountOut: result, gas }
      : { amountIn: result, amountOut: amount, gas }
  } catch {
    return null
  }
}

/** Every way to take one of each. */
function* choices(lists: readonly (readonly number[])[]): Generator<readonly number[]> {
  const [first, ...rest] = lists
  if (first === undefined) {
    yield []
    return
  }
  for (const choice of first) for (const others of choices(rest)) yield [choice, ...others]
}
