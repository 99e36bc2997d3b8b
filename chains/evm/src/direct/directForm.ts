import { type Hex, ServiceError } from '@causeway/core'
import type { DirectRequest, PayoutCall } from '@causeway/core/chain'
import { toFunctionSelector } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import type { Spending } from '../deposit/approvals.js'
import {
  encodeApprove,
  encodeDepositErc20,
  encodeDepositNative,
  encodeTransfer,
  staticCall,
} from '../payout/contracts/staticCall.js'
import { encodeSwapTo, swapSettingsOf } from '../payout/contracts/swapRouter.js'
import { SWAP_ROUTER_GAS } from '../payout/fees/gasTable.js'

/** The transaction of a direct request. */
export interface DirectForm {
  readonly stepId: 'send' | 'swap'
  readonly description: string
  readonly to: string
  readonly data: Hex
  readonly value: bigint
  /** Typical gas, for estimates. */
  readonly gas: bigint
}

const WRAP = toFunctionSelector('deposit()')
const encodeUnwrap = staticCall('withdraw(uint256)')

/**
 * What the user signs (wire.md 1.4): sends, wraps and unwraps end with the request id, a swap carries it as an argument.
 * Throws ServiceError when a wrap is meant for somebody else: that is a swap.
 */
export const directForm = (request: DirectRequest, contracts: Contracts): DirectForm => {
  switch (request.kind) {
    case 'send':
      return send(request)
    case 'swap':
      return swap(request, contracts)
    case 'wrap':
    case 'unwrap':
      if (request.recipient !== request.from) {
        const message = 'Wrapping and unwrapping serve the user alone; another recipient takes a swap.'
        throw new ServiceError('USER_RECIPIENT_MISMATCH', message)
      }
      return request.kind === 'wrap' ? wrap(request, contracts) : unwrap(request, contracts)
  }
}

/** What a direct request takes by an allowance; only swaps of tokens do. */
export const directSpending = (request: Omit<DirectRequest, 'requestId'>, contracts: Contracts): Spending | null => {
  const { kind, from: owner, money } = request
  if (kind !== 'swap' || money.currency === ZERO_ADDRESS) return null
  const spender = swapSettingsOf(contracts).router
  return { owner, token: money.currency, amount: money.amount, spender, by: 'swap router' }
}

/** Typical gas of one deposit of a swap, its allowance included. */
const DEPOSIT_GAS = 90_000n

/** Deposits out of the account that holds the whole input; the depositor is the user. */
const depositCalls = (
  {
    from,
    currency,
    deposits,
  }: { readonly from: string; readonly currency: string } & Required<Pick<DirectRequest, 'deposits'>>,
  { depository }: Contracts,
): readonly PayoutCall[] =>
  deposits.flatMap(({ amount, orderId }): PayoutCall[] => {
    if (currency === ZERO_ADDRESS) return [{ to: depository, data: encodeDepositNative(from, orderId), value: amount }]
    const deposit = { to: depository, data: encodeDepositErc20(from, currency, amount, orderId), value: 0n }
    return [{ to: currency, data: encodeApprove(depository, amount), value: 0n }, deposit]
  })

const withId = (data: Hex, requestId: Hex): Hex => `${data}${requestId.slice(2)}`

const send = ({ requestId, recipient, money }: DirectRequest): DirectForm => {
  const text = { stepId: 'send', description: 'Sends the funds to the recipient' } as const
  if (money.currency === ZERO_ADDRESS) {
    return { ...text, to: recipient, data: requestId, value: money.amount, gas: 22_000n }
  }
  const data = withId(encodeTransfer(recipient, money.amount), requestId)
  return { ...text, to: money.currency, data, value: 0n, gas: 65_000n }
}

const wrap = ({ requestId, money }: DirectRequest, contracts: Contracts): DirectForm => ({
  stepId: 'swap',
  description: 'Wraps the native currency',
  to: swapSettingsOf(contracts).wrappedNative,
  data: withId(WRAP, requestId),
  value: money.amount,
  gas: 50_000n,
})

const unwrap = ({ requestId, money }: DirectRequest, contracts: Contracts): DirectForm => ({
  stepId: 'swap',
  description: 'Unwraps to the native currency',
  to: swapSettingsOf(contracts).wrappedNative,
  data: withId(encodeUnwrap(money.amount), requestId),
  value: 0n,
  gas: 45_000n,
})

const swap = (request: DirectRequest, contracts: Contracts): DirectForm => {
  const { requestId, from, recipient, money, swap: order, fee } = request
  if (order === undefined) throw new Error('A direct swap needs an order of a swap.')
  const deposits = request.deposits ?? []
  const before = depositCalls({ from, currency: money.currency, deposits }, contracts)
  const routed = { order, amountIn: money.amount, leftoverTo: from, before }
  const form = encodeSwapTo(routed, { recipient, requestId, fee: fee ?? null }, contracts)
  const gas = SWAP_ROUTER_GAS + order.offer.gas + BigInt(deposits.length) * DEPOSIT_GAS
  return { stepId: 'swap', description: 'Swaps the funds', ...form, gas }
}
