import type { DepositRequest, Hex, StepItemDraft } from '@causeway/core'
import { type Contracts, ZERO_ADDRESS } from '../contracts/addresses.js'
import { encodeApprove, encodeDepositErc20, encodeDepositNative, encodeTransfer } from '../contracts/staticCall.js'
import type { FeeLevel } from '../fees/feeSource.js'

/** Typical gas of one deposit transaction, for estimates. Only the native one is a property of our contract alone. */
export const DEPOSIT_GAS = { native: 45_000n, token: 110_000n, bareTransfer: 70_000n } as const

export interface DepositContext {
  readonly contracts: Contracts
  readonly fees: FeeLevel
  readonly legacy: boolean
  /** Depository's allowance of the depositor; read for explicit token deposits only. */
  readonly allowance: bigint
  /** The token refuses to change a non-zero allowance to another non-zero one. */
  readonly zeroReset: boolean
}

/** Steps of one deposit: `deposit`, or `approve` (twice for zero-reset tokens) and `deposit` (wire.md 1.4, G.4). */
export const buildDeposit = (request: DepositRequest, context: DepositContext): readonly StepItemDraft[] => {
  const { currency } = request.money
  if (currency === ZERO_ADDRESS) return [nativeDeposit(request, context)]
  if (!request.explicitDeposit) return [bareTransfer(request, context)]
  return [...approvals(request, context), tokenDeposit(request, context)]
}

const DEPOSIT_TEXT = {
  stepId: 'deposit',
  kind: 'transaction',
  action: 'Confirm transaction in your wallet',
  description: 'Deposits the funds so that the transfer can be filled',
} as const

const nativeDeposit = (request: DepositRequest, context: DepositContext): StepItemDraft => {
  const data = encodeDepositNative(request.from, request.orderId)
  const to = context.contracts.depository
  return { ...DEPOSIT_TEXT, data: item(request, context, to, data, request.money.amount, DEPOSIT_GAS.native) }
}

const tokenDeposit = (request: DepositRequest, context: DepositContext): StepItemDraft => {
  const { currency, amount } = request.money
  const data = encodeDepositErc20(request.from, currency, amount, request.orderId)
  return { ...DEPOSIT_TEXT, data: item(request, context, context.contracts.depository, data) }
}

const bareTransfer = (request: DepositRequest, context: DepositContext): StepItemDraft => {
  const transfer = encodeTransfer(context.contracts.depository, request.money.amount)
  const data: Hex = `${transfer}${request.orderId.slice(2)}`
  return { ...DEPOSIT_TEXT, data: item(request, context, request.money.currency, data) }
}

const approvals = (request: DepositRequest, context: DepositContext): StepItemDraft[] => {
  if (context.allowance >= request.money.amount) return []
  const resets = context.zeroReset && context.allowance > 0n ? [0n, request.money.amount] : [request.money.amount]
  return resets.map((amount) => ({
    stepId: 'approve',
    kind: 'transaction',
    action: 'Confirm transaction in your wallet',
    description:
      amount === 0n ? 'Resets the allowance, as this token demands' : 'Allows the depository to take the tokens once',
    data: item(request, context, request.money.currency, encodeApprove(context.contracts.depository, amount)),
  }))
}

/** Transaction data of a step item (wire.md 1.4, A.5 evm). Amounts are decimal text, the chain id a number. */
const item = (
  request: DepositRequest,
  { contracts, fees, legacy }: DepositContext,
  to: string,
  data: Hex,
  value = 0n,
  gas: bigint | null = null,
) => ({
  from: request.from,
  to,
  data,
  value: value.toString(),
  chainId: contracts.chainId,
  ...(gas === null ? {} : { gas: gas.toString() }),
  maxFeePerGas: fees.maxFeePerGas.toString(),
  maxPriorityFeePerGas: (legacy ? fees.maxFeePerGas : fees.maxPriorityFeePerGas).toString(),
})
