import type { Hex } from '@causeway/core'
import type { PayoutCall, SwapOrder } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem/utils'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { v2RouterAbi } from '../swapAbis.js'
import type { UniswapV2Route } from '../swapRoute.js'

/**
 * One call of the router of version 02. Its variants for tokens that keep part of a transfer serve every token: what
 * arrived decides.
 */
export const uniswapV2Swap = (
  order: SwapOrder,
  route: UniswapV2Route,
  { router, recipient }: { readonly router: string; readonly recipient: string },
): PayoutCall => {
  const native = order.offer.from === ZERO_ADDRESS
  return {
    to: router,
    data: swapData(order, route.path.map(checksummed), checksummed(recipient)),
    value: native ? order.offer.amountIn : 0n,
  }
}

const checksummed = (address: string) => getAddress(address)

type Address = ReturnType<typeof checksummed>

const swapData = ({ offer, minimumOut, deadline }: SwapOrder, path: readonly Address[], to: Address): Hex => {
  const abi = v2RouterAbi
  const until = BigInt(deadline)
  if (offer.from === ZERO_ADDRESS) {
    const args = [minimumOut, path, to, until] as const
    return encodeFunctionData({ abi, functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens', args })
  }
  const args = [offer.amountIn, minimumOut, path, to, until] as const
  return offer.to === ZERO_ADDRESS
    ? encodeFunctionData({ abi, functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens', args })
    : encodeFunctionData({ abi, functionName: 'swapExactTokensForTokensSupportingFeeOnTransferTokens', args })
}
