import type { Hex } from '@causeway/core'
import type { Payout, PayoutPurpose } from '@causeway/core/chain'
import { concat, keccak256, slice, toHex } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { encodeSweep } from '../depositAddress/depositAddress.js'
import { encodeOrigin } from '../permit/originCall.js'
import type { EncodedCall } from './contracts/encodedCall.js'
import { encodeFillCalls, encodeFillNative } from './contracts/fillRouter.js'
import { encodeApprove, encodeTransfer } from './contracts/staticCall.js'
import { encodeFillSwap } from './contracts/swapRouter.js'
import { delegationsOf } from './delegations.js'
import { encodeWithdrawal } from './withdrawal.js'

/** What a payout calls. `data` ends with the 32 bytes of the order id (chains.md evm 5). */
export type PayoutForm = EncodedCall

/** How native currency reaches its recipient: plainly, or through the fill router for contracts that refuse data. */
export type NativeRoute = 'direct' | 'router'

/** Four bytes before the order id that tell an order's other payouts from its fill or refund. */
export const markerOf = (purpose: PayoutPurpose): Hex =>
  purpose === 'fill' || purpose === 'refund' || purpose === 'withdraw' ? '0x' : slice(keccak256(toHex(purpose)), 0, 4)

/** Whether a payment takes a router whatever its currency: it does more than to move one currency to one account. */
export const isComposed = (payout: Payout): boolean =>
  payout.swap !== undefined || payout.calls.length > 0 || (payout.topup ?? 0n) > 0n || delegationsOf(payout).length > 0

/** Purposes whose transaction is no payment of the lane's own money. */
const SPECIAL: ReadonlySet<PayoutPurpose> = new Set(['withdraw', 'approve', 'sweep', 'origin'])

/** A payment that moves one currency to one account, as most do; everything about those is known from few calls. */
export const isPlain = (payout: Payout): boolean => !SPECIAL.has(payout.purpose) && !isComposed(payout)

/** Throws Error when the payout asks for what this chain is not set up for: the quote refuses those before. */
export const buildPayout = (payout: Payout, contracts: Contracts, native: NativeRoute = 'direct'): PayoutForm => {
  const trail = concat([markerOf(payout.purpose), payout.orderId])
  if (payout.purpose === 'withdraw') return withTrail(encodeWithdrawal(payout, contracts), trail)
  if (payout.purpose === 'sweep') return withTrail(encodeSweep(payout, contracts), trail)
  if (payout.purpose === 'origin') return withTrail(encodeOrigin(payout, contracts), trail)
  if (payout.swap !== undefined) return withTrail(encodeFillSwap(payout, payout.swap, contracts), trail)
  if (isComposed(payout)) return withTrail(encodeFillCalls(payout, contracts), trail)
  const { currency, amount } = payout.money
  if (payout.purpose === 'approve') return withTrail(approval(payout), trail)
  if (currency !== ZERO_ADDRESS) {
    return withTrail({ to: currency, data: encodeTransfer(payout.to.address, amount), value: 0n }, trail)
  }
  if (native === 'router') return withTrail(encodeFillNative(payout, contracts), trail)
  return { to: payout.to.address, data: trail, value: amount }
}

const approval = ({ money: { currency, amount }, to }: Payout): EncodedCall => {
  if (currency === ZERO_ADDRESS) throw new Error('The native currency has no allowances.')
  return { to: currency, data: encodeApprove(to.address, amount), value: 0n }
}

const withTrail = (call: EncodedCall, trail: Hex): PayoutForm => ({ ...call, data: concat([call.data, trail]) })
