import type { SwapOffer, SwapRequest } from '@causeway/core/chain'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { routeJson } from './swapRoute.js'
import { WRAPPED_NATIVE } from './swapSettings.js'

const WRAP_GAS = 75_000n

/** Native currency and its wrapped form are exchanged one to one, without any pool; null for other currencies. */
export const wrapOffer = ({ from, to, amount }: SwapRequest, wrappedNative: string): SwapOffer | null => {
  const kind =
    from === ZERO_ADDRESS && to === wrappedNative
      ? 'wrap'
      : from === wrappedNative && to === ZERO_ADDRESS
        ? 'unwrap'
        : null
  if (kind === null) return null
  return {
    source: WRAPPED_NATIVE,
    from,
    to,
    amountIn: amount,
    amountOut: amount,
    hops: 1,
    midAmountOut: amount,
    gas: WRAP_GAS,
    route: routeJson({ kind }),
  }
}
