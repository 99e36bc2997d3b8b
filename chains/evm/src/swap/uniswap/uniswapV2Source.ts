import { type Clock, type Hex, smaller } from '@causeway/core'
import type { SwapOffer, SwapRequest } from '@causeway/core/chain'
import { keccak256, toFunctionSelector } from 'viem/utils'
import { create2Address } from '../../address/create2.js'
import { staticCall } from '../../payout/contracts/staticCall.js'
import { after, type ReadPlan, together } from '../readPlan.js'
import { routeJson } from '../swapRoute.js'
import type { UniswapV2Settings } from '../swapSettings.js'
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
import { wordsOf } from './answerWords.js'
import { PoolDirectory } from './poolDirectory.js'
import { amountIn, amountOut, type Reserves } from './uniswapV2Amounts.js'

const GET_RESERVES = toFunctionSelector('getReserves()')
const encodeGetPair = staticCall('getPair(address,address)')

const BASE_GAS = 90_000n
const GAS_PER_HOP = 75_000n

/** Pairs of Uniswap V2 or of an exchange built like it; amounts follow from the reserves. */
export class UniswapV2Source implements PoolSource {
  readonly name: string
  readonly #settings: UniswapV2Settings
  readonly #pools: PoolDirectory

  constructor(deps: { readonly settings: UniswapV2Settings; readonly clock: Clock }) {
    this.name = deps.settings.name
    this.#settings = deps.settings
    this.#pools = new PoolDirectory(deps.clock)
  }

  plan(request: SwapRequest, tokens: RouteTokens): ReadPlan<readonly SwapOffer[]> {
    const paths = [...tokenPaths(tokens)].map(hopsOf)
    const hops = new Map(paths.flat().map((hop) => [keyOf(...hop), hop]))
    const pairs = together([...hops.values()].map(([left, right]) => this.#reserves(left, right)))
    return after(pairs, (found) => {
      const reserves = new Map([...hops.keys()].map((key, at) => [key, found[at] ?? null]))
      const offers = paths.flatMap((path) => this.#offer(request, path, reserves))
      return offers.sort(byWorth).slice(0, 1)
    })
  }

  prices(first: string, second: string): ReadPlan<readonly PoolPrice[]> {
    return after(this.#reserves(first, second), (reserves) => {
      if (reserves === null) return []
      return [{ rate: rateOf(reserves), held: [reserves.input, reserves.output] }]
    })
  }

  #offer(
    request: SwapRequest,
    path: readonly (readonly [string, string])[],
    found: ReadonlyMap<string, Reserves | null>,
  ): readonly SwapOffer[] {
    const reserves = path.map((hop) => found.get(keyOf(...hop)) ?? null).filter((pair) => pair !== null)
    if (reserves.length < path.length) return []
    const amounts = this.#amounts(request, reserves)
    if (amounts === null) return []
    const rate = reserves.map(rateOf).reduce(chained)
    const route = routeJson({ kind: 'uniswap-v2', path: [path[0]?.[0] ?? '', ...path.map(([, token]) => token)] })
    return [
      {
        source: this.name,
        from: request.from,
        to: request.to,
        ...amounts,
        hops: path.length,
        midAmountOut: atRate(amounts.amountIn, rate),
        gas: BASE_GAS + GAS_PER_HOP * BigInt(path.length),
        route,
      },
    ]
  }

  #amounts({ kind, amount }: SwapRequest, reserves: readonly Reserves[]) {
    const { feeBps } = this.#settings
    let current: bigint | null = amount
    if (kind === 'exact-input') {
      for (const pair of reserves) current = current && amountOut(current, pair, feeBps)
      return current ? { amountIn: amount, amountOut: current } : null
    }
    for (const pair of [...reserves].reverse()) current = current && amountIn(current, pair, feeBps)
    return current ? { amountIn: current, amountOut: amount } : null
  }

  /** Reserves in the direction of the hop; null where there is no pair or nothing in it. */
  #reserves(input: string, output: string): ReadPlan<Reserves | null> {
    const { factory, initCodeHash } = this.#settings
    const [low, high] = input < output ? [input, output] : [output, input]
    const pair = this.#pools.read<Reserves>({
      key: `${low}${high}`,
      lookup: { to: factory, data: encodeGetPair(low, high) },
      derive: () => create2Address(factory, keccak256(`${low as Hex}${high.slice(2)}`), initCodeHash),
      content: (address) => ({
        reads: [{ to: address, data: GET_RESERVES }],
        finish: ([answer]) => reservesOf(answer),
      }),
      liquidityOf: (reserves) => smaller(reserves.input, reserves.output),
    })
    return input === low
      ? pair
      : after(pair, (reserves) => reserves && { input: reserves.output, output: reserves.input })
  }
}

const keyOf = (input: string, output: string): string => `${input}${output}`

const reservesOf = (answer: Hex | null | undefined): Reserves | null => {
  const [input, output] = wordsOf(answer)
  return input === undefined || output === undefined ? null : { input, output }
}

const rateOf = ({ input, output }: Reserves): Ratio => ({ numerator: output, denominator: input })
