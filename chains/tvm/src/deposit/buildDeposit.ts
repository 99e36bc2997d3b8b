import { depositorySelectors } from '@causeway/contracts-abi'
import { type Json, ServiceError } from '@causeway/core'
import type { ChainMoney, DepositRequest, StepItemDraft } from '@causeway/core/chain'
import { addressPaymentStep, depositStep } from '@causeway/core/chain-kit'
import { addressWord, TRC20, wordOf } from '../address/abi.js'
import { hexOf, MAX_AMOUNT, MAX_SUN, NATIVE, sunNumber } from '../address/addresses.js'
import { transferData } from '../payout/paymentForm.js'

export interface DepositContext {
  readonly depository: string
  readonly chainId: number
}

/** A call of a user's wallet; addresses in the form of nodes (chains.md tvm 3). */
const callJson = (
  {
    from,
    to,
    data,
    value = 0n,
  }: { readonly from: string; readonly to: string; readonly data: string; readonly value?: bigint },
  chainId: number,
): Json => ({
  type: 'TriggerSmartContract',
  parameter: {
    ...{ owner_address: hexOf(from), contract_address: hexOf(to), data: `0x${data}` },
    ...(value === 0n ? {} : { call_value: sunNumber(value) }),
  },
  chainId,
})

const requirePayable = ({ currency, amount }: ChainMoney): void => {
  if (amount <= (currency === NATIVE ? MAX_SUN : MAX_AMOUNT)) return
  throw new ServiceError('INVALID_REQUEST', 'The amount is larger than one transaction of Tron can carry.')
}

/**
 * Steps of a deposit (chains.md tvm 3): a call of the depository after its approvals, or the transfer itself with the order id behind it.
 * @param allowance - of the depository now; null where it needs none
 * @throws ServiceError INVALID_REQUEST where the depository would pay itself
 */
export const buildDeposit = (
  { from, money, orderId, explicitDeposit }: DepositRequest,
  allowance: bigint | null,
  { depository, chainId }: DepositContext,
): readonly StepItemDraft[] => {
  if (from === depository)
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself: name another account as user.')
  requirePayable(money)
  const { currency, amount } = money
  const id = orderId.slice(2).toLowerCase()
  if (currency === NATIVE) {
    const data = depositorySelectors.depositNative.slice(2) + addressWord(from) + id
    return [depositStep(callJson({ from, to: depository, data, value: amount }, chainId))]
  }
  if (!explicitDeposit)
    return [depositStep(callJson({ from, to: currency, data: transferData(depository, amount) + id }, chainId))]
  const args = addressWord(from) + addressWord(currency) + wordOf(amount) + id
  const deposit = callJson({ from, to: depository, data: depositorySelectors.depositErc20.slice(2) + args }, chainId)
  return [...approvals({ from, money, allowance: allowance ?? 0n }, { depository, chainId }), depositStep(deposit)]
}

/** None where the allowance is enough. USDT changes an allowance only from or to zero, and so is every token asked. */
const approvals = (
  {
    from,
    money: { currency, amount },
    allowance,
  }: Pick<DepositRequest, 'from' | 'money'> & { readonly allowance: bigint },
  { depository, chainId }: DepositContext,
): readonly StepItemDraft[] => {
  if (allowance >= amount) return []
  return (allowance > 0n ? [0n, amount] : [amount]).map((allowed) => ({
    ...{ stepId: 'approve', kind: 'transaction', action: 'Confirm transaction in your wallet' },
    description:
      allowed === 0n ? 'Resets the allowance, as this token demands' : 'Allows the depository to take the tokens once',
    data: callJson({ from, to: currency, data: TRC20.approve + addressWord(depository) + wordOf(allowed) }, chainId),
    ...(allowed === 0n ? {} : { approval: { owner: from, token: currency, spender: depository, amount } }),
  }))
}

/** A plain payment to a deposit address: a transfer of TRX, or of a token. */
export const buildAddressPayment = ({
  from,
  to,
  money,
  chainId,
}: {
  readonly from: string
  readonly to: string
  readonly money: ChainMoney
  readonly chainId: number
}): StepItemDraft => {
  requirePayable(money)
  const { currency, amount } = money
  if (currency !== NATIVE)
    return addressPaymentStep(callJson({ from, to: currency, data: transferData(to, amount) }, chainId))
  const parameter = { owner_address: hexOf(from), to_address: hexOf(to), amount: sunNumber(amount) }
  return addressPaymentStep({ type: 'TransferContract', parameter, chainId })
}
