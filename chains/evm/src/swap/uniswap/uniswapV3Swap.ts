import type { Hex } from '@causeway/core'
import type { PayoutCall, SwapOrder } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem/utils'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { v3PaymentsAbi, v3Router02Abi, v3RouterAbi } from '../swapAbis.js'
import type { UniswapV3Route } from '../swapRoute.js'
import type { UniswapV3Settings } from '../swapSettings.js'
import { packPath } from './v3Path.js'

/** How the routers call themselves as a recipient: the older one by zero, SwapRouter02 by two. */
const ITSELF = { 1: ZERO_ADDRESS, 2: '0x0000000000000000000000000000000000000002' } as const

/** One call of the router. A native input that a pool leaves comes back; a native output is unwrapped on the way. */
export const uniswapV3Swap = (
  order: SwapOrder,
  route: UniswapV3Route,
  { source, recipient }: { readonly source: UniswapV3Settings; readonly recipient: string },
): PayoutCall => {
  const { offer } = order
  const fromNative = offer.from === ZERO_ADDRESS
  const toNative = offer.to === ZERO_ADDRESS
  const steps = [exactInput(order, route, source.routerVersion, toNative ? ITSELF[source.routerVersion] : recipient)]
  if (toNative) steps.push(unwrap(order.minimumOut, recipient))
  if (fromNative) steps.push(encodeFunctionData({ abi: v3PaymentsAbi, functionName: 'refundETH' }))
  return {
    to: source.router,
    data: together(steps, order, source.routerVersion),
    value: fromNative ? offer.amountIn : 0n,
  }
}

const exactInput = (
  { offer, minimumOut, deadline }: SwapOrder,
  { path, fees }: UniswapV3Route,
  version: 1 | 2,
  recipient: string,
): Hex => {
  const params = {
    path: packPath(path, fees),
    recipient: getAddress(recipient),
    amountIn: offer.amountIn,
    amountOutMinimum: minimumOut,
  }
  if (version === 2) return encodeFunctionData({ abi: v3Router02Abi, functionName: 'exactInput', args: [params] })
  const args = [{ ...params, deadline: BigInt(deadline) }] as const
  return encodeFunctionData({ abi: v3RouterAbi, functionName: 'exactInput', args })
}

const unwrap = (minimumOut: bigint, recipient: string): Hex => {
  const args = [minimumOut, getAddress(recipient)] as const
  return encodeFunctionData({ abi: v3PaymentsAbi, functionName: 'unwrapWETH9', args })
}

const together = (steps: readonly Hex[], { deadline }: SwapOrder, version: 1 | 2): Hex =>
  version === 2
    ? encodeFunctionData({ abi: v3Router02Abi, functionName: 'multicall', args: [BigInt(deadline), steps] })
    : encodeFunctionData({ abi: v3RouterAbi, functionName: 'multicall', args: [steps] })
