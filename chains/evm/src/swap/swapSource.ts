import type { SwapOffer, SwapRequest } from '@causeway/core/chain'
import type { ReadPlan } from './readPlan.js'

/** What a token costs in a pool, without fee and depth. */
export interface PoolPrice {
  /** Smallest units of the second token for those of the first. */
  readonly rate: Ratio
  /** What the pool holds of both tokens. */
  readonly held: readonly [bigint, bigint]
}

export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** An exchange whose pools are read on the chain. Its plans never throw, whatever the chain answers. */
export interface PoolSource {
  readonly name: string
  /** Its best offer, or none. Native currency appears as the wrapped one in `tokens`. */
  plan(request: SwapRequest, tokens: RouteTokens): ReadPlan<readonly SwapOffer[]>
  /** Its pools of two tokens, as prices. */
  prices(first: string, second: string): ReadPlan<readonly PoolPrice[]>
}

export interface RouteTokens {
  readonly from: string
  readonly to: string
  /** Other tokens that a route may go through. */
  readonly connectors: readonly string[]
  readonly maxHops: number
}

/** A rate of two pools in a row. */
export const chained = (left: Ratio, right: Ratio): Ratio => ({
  numerator: left.numerator * right.numerator,
  denominator: left.denominator * right.denominator,
})

export const atRate = (amount: bigint, { numerator, denominator }: Ratio): bigint => (amount * numerator) / denominator

/** Which of two offers for the same request is better: more for the same, less for the same, or less gas. */
export const byWorth = (left: SwapOffer, right: SwapOffer): number =>
  compare(right.amountOut, left.amountOut) || compare(left.amountIn, right.amountIn) || compare(left.gas, right.gas)

const compare = (left: bigint, right: bigint): number => (left < right ? -1 : left > right ? 1 : 0)

/** Rows of tokens from the first to the last over at most `maxHops` pools, the shortest first, no token twice. */
export function* tokenPaths({ from, to, connectors, maxHops }: RouteTokens): Generator<readonly string[]> {
  let rows: (readonly string[])[] = [[from]]
  for (let hops = 1; hops <= maxHops; hops += 1) {
    for (const row of rows) yield [...row, to]
    rows = rows.flatMap((row) => connectors.filter((token) => !row.includes(token)).map((token) => [...row, token]))
  }
}

/** Neighbours of a row of tokens. */
export const hopsOf = (path: readonly string[]): readonly (readonly [string, string])[] =>
  path.slice(1).map((token, at) => [path[at] ?? '', token] as const)
