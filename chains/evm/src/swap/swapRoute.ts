import type { Hex, Json } from '@causeway/core'

/** Wraps or unwraps the native currency, one to one. */
export interface WrapRoute {
  readonly kind: 'wrap' | 'unwrap'
}

/** Tokens from first to last; the native currency appears as the wrapped one. */
export interface UniswapV2Route {
  readonly kind: 'uniswap-v2'
  readonly path: readonly string[]
}

/** As of Uniswap V2, with the fee tier of the pool after each token but the last. */
export interface UniswapV3Route {
  readonly kind: 'uniswap-v3'
  readonly path: readonly string[]
  readonly fees: readonly number[]
}

/** A call that somebody else wrote; whoever runs it gives it nothing but the input. */
export interface AggregatorRoute {
  readonly kind: 'aggregator'
  readonly to: string
  readonly data: Hex
  /** Native value of the call as decimal text. */
  readonly value: string
  /** Who pulls the input; null where it is native. */
  readonly allowanceTarget: string | null
}

/** What runs one offer: `SwapOffer.route`. */
export type SwapRoute = WrapRoute | UniswapV2Route | UniswapV3Route | AggregatorRoute

/** The route as an offer carries it. */
export const routeJson = (route: SwapRoute): Json => ({ ...route })

// CAST: offers of this chain are made with `routeJson` only.
export const readRoute = (json: Json): SwapRoute => json as unknown as SwapRoute
