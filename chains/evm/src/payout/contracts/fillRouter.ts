import { fillRouterAbi } from '@causeway/contracts-abi'
import type { Payout, PayoutCall } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../../address/addresses.js'
import type { EncodedCall } from './encodedCall.js'

const routerOf = (contracts: Contracts): string => {
  if (contracts.fillRouter === null) throw new Error(`Chain ${contracts.chainId} has no fill router; set "fillRouter".`)
  return contracts.fillRouter
}

/** Native payment through the router: the recipient's code sees no data and bounded gas. */
export const encodeFillNative = (payout: Payout, contracts: Contracts): EncodedCall => {
  const { amount } = payout.money
  const args = [getAddress(payout.to.address), amount, contracts.recipientGasLimit] as const
  const data = encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillNative', args })
  return { to: routerOf(contracts), data, value: amount }
}

/** Calls as the routers take them. */
export const routerCalls = (calls: readonly PayoutCall[]) =>
  calls.map((call) => ({ to: getAddress(call.to), data: call.data, value: call.value }))

/**
 * The calls of an order, all or none; leftovers go to the recipient. A top-up is a call of its own before the others, so that
 * they cannot use it up; without other calls everything goes to the recipient anyway. For a token the solver must have given
 * the router an allowance beforehand.
 */
export const encodeFillCalls = (payout: Payout, contracts: Contracts): EncodedCall => {
  const { currency, amount } = payout.money
  const native = currency === ZERO_ADDRESS
  const topup = payout.topup ?? 0n
  const topupCall = { to: payout.to.address, data: '0x', value: topup } as const
  const calls = topup > 0n && payout.calls.length > 0 ? [topupCall, ...payout.calls] : payout.calls
  const token = getAddress(currency)
  const args = [routerCalls(calls), token, native ? 0n : amount, getAddress(payout.to.address)] as const
  const data = encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillCalls', args })
  return { to: routerOf(contracts), data, value: (native ? amount : 0n) + topup }
}
