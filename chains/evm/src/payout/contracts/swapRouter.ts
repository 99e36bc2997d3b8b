import { swapRouterAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { Payout, PayoutCall, SwapOrder } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../../address/addresses.js'
import { swapCalls } from '../../swap/swapCalls.js'
import type { SwapSettings } from '../../swap/swapSettings.js'
import type { EncodedCall } from './encodedCall.js'
import { routerCalls } from './fillRouter.js'

/** What this chain knows of swaps; throws Error where it has none. */
export const swapSettingsOf = ({ chainId, swap }: Contracts): SwapSettings => {
  if (swap === null) throw new Error(`Chain ${chainId} has no swaps; set "swap" in its options.`)
  return swap
}

/** A swap and the money that goes into it: `amountIn` is all that leaves the sender, a fee included. */
export interface RoutedSwap {
  readonly order: SwapOrder
  readonly amountIn: bigint
  /** Gets what the exchange leaves of the input. */
  readonly leftoverTo: string
  /** Run before the exchange by the account that holds the input. */
  readonly before?: readonly PayoutCall[]
}

/** Argument `swap` of every function of the swap router. Throws Error when the source of the offer is not configured. */
const swapArgument = ({ order, amountIn, leftoverTo, before = [] }: RoutedSwap, settings: SwapSettings) => ({
  calls: routerCalls([...before, ...swapCalls(order, { swapRouter: settings.router, settings })]),
  tokenIn: getAddress(order.offer.from),
  amountIn,
  tokenOut: getAddress(order.offer.to),
  minimumOut: order.minimumOut,
  deadline: BigInt(order.deadline),
  leftoverTo: getAddress(leftoverTo),
})

const attached = ({ order, amountIn }: RoutedSwap): bigint => (order.offer.from === ZERO_ADDRESS ? amountIn : 0n)

/** Swaps what the depositor has and deposits all that it gives under the order id. */
export const encodeSwapAndDeposit = (
  swap: RoutedSwap,
  deposit: { readonly depositor: string; readonly orderId: Hex },
  contracts: Contracts,
): EncodedCall => {
  const settings = swapSettingsOf(contracts)
  const { depositor, orderId } = deposit
  const target = [getAddress(contracts.depository), getAddress(depositor), orderId] as const
  const args = [swapArgument(swap, settings), ...target] as const
  const data = encodeFunctionData({ abi: swapRouterAbi, functionName: 'swapAndDeposit', args })
  return { to: settings.router, data, value: attached(swap) }
}

/** Swaps for a recipient of the same chain; the event names the request. */
export const encodeSwapTo = (
  swap: RoutedSwap,
  terms: {
    readonly recipient: string
    readonly requestId: Hex
    readonly fee: { readonly amount: bigint; readonly recipient: string } | null
  },
  contracts: Contracts,
): EncodedCall => {
  const settings = swapSettingsOf(contracts)
  const { recipient, requestId, fee } = terms
  const feeTo = getAddress(fee?.recipient ?? ZERO_ADDRESS)
  const args = [swapArgument(swap, settings), getAddress(recipient), requestId, fee?.amount ?? 0n, feeTo] as const
  const data = encodeFunctionData({ abi: swapRouterAbi, functionName: 'swapTo', args })
  return { to: settings.router, data, value: attached(swap) }
}

/**
 * A fill whose money is swapped first: what comes of it goes to the recipient or is at the disposal of the calls, and a
 * top-up goes along. Leftovers go to the recipient. For a token the solver must have given the router an allowance.
 */
export const encodeFillSwap = (payout: Payout, order: SwapOrder, contracts: Contracts): EncodedCall => {
  const settings = swapSettingsOf(contracts)
  const recipient = getAddress(payout.to.address)
  const swap = { order, amountIn: payout.money.amount, leftoverTo: recipient }
  const topup = payout.topup ?? 0n
  const args = [swapArgument(swap, settings), routerCalls(payout.calls), recipient, topup] as const
  const data = encodeFunctionData({ abi: swapRouterAbi, functionName: 'fillSwap', args })
  return { to: settings.router, data, value: attached(swap) + topup }
}
