import type { Hex } from '@causeway/core'
import type { DepositRequest, StepItemDraft, SwapOrder } from '@causeway/core/chain'
import { depositStep } from '@causeway/core/chain-kit'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { encodeDepositErc20, encodeDepositNative, encodeTransfer } from '../payout/contracts/staticCall.js'
import { encodeSwapAndDeposit, swapSettingsOf } from '../payout/contracts/swapRouter.js'
import { SWAP_ROUTER_GAS } from '../payout/fees/gasTable.js'
import type { Spending } from './approvals.js'
import { type StepContext, stepItem } from './stepItem.js'

/** Typical gas of one deposit transaction, for estimates. */
const DEPOSIT_GAS = { native: 45_000n, token: 110_000n, bareTransfer: 70_000n } as const
const DEPOSIT_BYTES = { plain: 300, swap: 1500 } as const

export interface DepositContext extends StepContext {
  readonly contracts: Contracts
}

type Terms = Omit<DepositRequest, 'orderId'>

/** What a deposit takes by an allowance; null when it needs none. Throws Error when it swaps and the chain has no swaps. */
export const depositSpending = (request: Terms, contracts: Contracts): Spending | null => {
  const { from: owner, money, explicitDeposit, originSwap } = request
  if (originSwap !== undefined) {
    const { from: token, amountIn: amount } = originSwap.offer
    const spender = swapSettingsOf(contracts).router
    return token === ZERO_ADDRESS ? null : { owner, token, amount, spender, by: 'swap router' }
  }
  if (money.currency === ZERO_ADDRESS || !explicitDeposit) return null
  return { owner, token: money.currency, amount: money.amount, spender: contracts.depository, by: 'depository' }
}

/** Gas and bytes of the deposit transaction, about. */
export const depositSize = ({ money, explicitDeposit, originSwap }: Terms) => {
  if (originSwap !== undefined) return { gas: SWAP_ROUTER_GAS + originSwap.offer.gas, bytes: DEPOSIT_BYTES.swap }
  const form = money.currency === ZERO_ADDRESS ? 'native' : explicitDeposit ? 'token' : 'bareTransfer'
  return { gas: DEPOSIT_GAS[form], bytes: DEPOSIT_BYTES.plain }
}

/** The step `deposit` (wire.md 1.4, G.4); approvals of its `depositSpending` come before it. */
export const buildDeposit = (request: DepositRequest, context: DepositContext): StepItemDraft => {
  if (request.originSwap !== undefined) return swapDeposit(request, request.originSwap, context)
  if (request.money.currency === ZERO_ADDRESS) return nativeDeposit(request, context)
  return request.explicitDeposit ? tokenDeposit(request, context) : bareTransfer(request, context)
}

const nativeDeposit = ({ from, money, orderId }: DepositRequest, context: DepositContext): StepItemDraft => {
  const call = { from, to: context.contracts.depository, data: encodeDepositNative(from, orderId) }
  return depositStep(stepItem({ ...call, value: money.amount }, context))
}

const tokenDeposit = ({ from, money, orderId }: DepositRequest, context: DepositContext): StepItemDraft => {
  const data = encodeDepositErc20(from, money.currency, money.amount, orderId)
  return depositStep(stepItem({ from, to: context.contracts.depository, data }, context))
}

const bareTransfer = ({ from, money, orderId }: DepositRequest, context: DepositContext): StepItemDraft => {
  const transfer = encodeTransfer(context.contracts.depository, money.amount)
  const data: Hex = `${transfer}${orderId.slice(2)}`
  return depositStep(stepItem({ from, to: money.currency, data }, context))
}

/** One transaction swaps and deposits all that the swap gives; below its minimum it reverts. */
const swapDeposit = ({ from, orderId }: DepositRequest, order: SwapOrder, context: DepositContext): StepItemDraft => {
  const swap = { order, amountIn: order.offer.amountIn, leftoverTo: from }
  const form = encodeSwapAndDeposit(swap, { depositor: from, orderId }, context.contracts)
  const description = 'Swaps the funds and deposits what comes out, so that the transfer can be filled'
  return depositStep(stepItem({ from, ...form }, context), description)
}
