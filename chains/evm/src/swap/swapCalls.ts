import type { Hex } from '@causeway/core'
import type { PayoutCall, SwapOrder } from '@causeway/core/chain'
import { toFunctionSelector } from 'viem/utils'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { encodeApprove, encodeTransfer, staticCall } from '../payout/contracts/staticCall.js'
import type { AggregatorRoute } from './swapRoute.js'
import { readRoute } from './swapRoute.js'
import type { SwapSettings } from './swapSettings.js'
import { uniswapV2Swap } from './uniswap/uniswapV2Swap.js'
import { uniswapV3Swap } from './uniswap/uniswapV3Swap.js'

export interface SwapCallsContext {
  /** Contract that measures and passes on what the swap gives. */
  readonly swapRouter: string
  readonly settings: SwapSettings
}

const WRAP = toFunctionSelector('deposit()')
const encodeUnwrap = staticCall('withdraw(uint256)')

/**
 * The calls that run an offer from inside an account that holds `offer.amountIn` of `offer.from` and nothing of value
 * besides. What the swap gives goes to `swapRouter`, which must take native currency from anybody; input that a pool
 * leaves stays in the account. Throws Error when the source of the offer is no longer configured.
 */
export const swapCalls = (order: SwapOrder, context: SwapCallsContext): readonly PayoutCall[] => {
  const route = readRoute(order.offer.route)
  switch (route.kind) {
    case 'wrap':
      return wrap(order, context)
    case 'unwrap':
      return unwrap(order, context)
    case 'uniswap-v2': {
      const source = sourceOf(context.settings.uniswapV2, order)
      const swap = uniswapV2Swap(order, route, { router: source.router, recipient: context.swapRouter })
      return [...approval(order, source.router), swap]
    }
    case 'uniswap-v3': {
      const source = sourceOf(context.settings.uniswapV3, order)
      return [...approval(order, source.router), uniswapV3Swap(order, route, { source, recipient: context.swapRouter })]
    }
    case 'aggregator':
      return [...approval(order, route.allowanceTarget), aggregatorCall(route)]
  }
}

const sourceOf = <Source extends { readonly name: string }>(
  sources: readonly Source[],
  { offer }: SwapOrder,
): Source => {
  const found = sources.find(({ name }) => name === offer.source)
  if (found === undefined) throw new Error(`The swap source "${offer.source}" is not configured.`)
  return found
}

/** Exactly the input; the account is new, so that no token asks for an allowance of zero first. */
const approval = ({ offer }: SwapOrder, spender: string | null): readonly PayoutCall[] =>
  offer.from === ZERO_ADDRESS || spender === null ? [] : [callOf(offer.from, encodeApprove(spender, offer.amountIn))]

const wrap = ({ offer }: SwapOrder, { swapRouter }: SwapCallsContext): readonly PayoutCall[] => [
  callOf(offer.to, WRAP, offer.amountIn),
  callOf(offer.to, encodeTransfer(swapRouter, offer.amountIn)),
]

const unwrap = ({ offer }: SwapOrder, { swapRouter }: SwapCallsContext): readonly PayoutCall[] => [
  callOf(offer.from, encodeUnwrap(offer.amountIn)),
  callOf(swapRouter, '0x', offer.amountIn),
]

const aggregatorCall = ({ to, data, value }: AggregatorRoute): PayoutCall => callOf(to, data, BigInt(value))

const callOf = (to: string, data: Hex, value = 0n): PayoutCall => ({ to, data, value })
