import {
  amountAt,
  type DepositFacts,
  integerAt,
  type TransactionStep,
  textAt,
  UnreadableQuoteError,
} from '@causeway/core/verify'
import { checkSwapDeposit } from './checkSwapDeposit.js'
import { encodeCall, selectorOf } from './evmCalls.js'
import type { EvmTransaction } from './evmTransaction.js'

const NATIVE = `0x${'0'.repeat(40)}`
const TRANSFER = 'transfer(address,uint256)'
const APPROVE = 'approve(address,uint256)'

/** The forms of a deposit on an EVM chain (chains.md evm 3), and the approvals before it. */
export const checkEvmDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, isSwapped, paid } = facts
  findings.notCovered.push('gas and fees of the transactions: the wallet limits them')
  const deposit = steps.at(-1)
  if (deposit?.id !== 'deposit') throw new UnreadableQuoteError('The last step is no deposit')
  const transaction = readTransaction(deposit, facts)
  if (isSwapped) checkSwapDeposit(transaction, facts)
  else checkPlainDeposit(transaction, facts)
  const pulls = paid.currency.toLowerCase() !== NATIVE && !isTransfer(transaction)
  checkApprovals(steps.slice(0, -1), pulls ? transaction.to : null, facts)
}

const isTransfer = ({ data }: EvmTransaction): boolean => data.startsWith(selectorOf(TRANSFER))

/** The transaction of a step of the sender's. */
export const readTransaction = (
  { id, data }: TransactionStep,
  { sender, chainId, findings }: DepositFacts,
): EvmTransaction => {
  findings.sameHex(`from of the step ${id}`, textAt(data, 'from'), sender)
  findings.same(`chainId of the step ${id}`, integerAt(data, 'chainId'), chainId)
  return { to: textAt(data, 'to'), data: textAt(data, 'data').toLowerCase(), value: amountAt(data, 'value') }
}

const checkPlainDeposit = (transaction: EvmTransaction, facts: DepositFacts): void => {
  const { sender, currency, amount, orderId, depository, findings } = facts
  const compare = (to: string, data: string, value: bigint): void => {
    findings.sameHex('The receiver of the deposit transaction', transaction.to, to)
    findings.require(transaction.data === data.toLowerCase(), 'The deposit transaction does not deposit for the order')
    findings.same('The value of the deposit transaction', transaction.value, value)
  }
  if (currency.toLowerCase() === NATIVE) {
    compare(depository, encodeCall('depositNative(address,bytes32)', sender, orderId), amount)
  } else if (isTransfer(transaction)) {
    compare(currency, encodeCall(TRANSFER, depository, amount) + orderId.slice(2), 0n)
  } else {
    const call = 'depositErc20(address,address,uint256,bytes32)'
    compare(depository, encodeCall(call, sender, currency, amount, orderId), 0n)
  }
}

/** Allowances of exactly what is paid, for the contract that takes it; a reset to zero may come first. */
const checkApprovals = (steps: readonly TransactionStep[], spender: string | null, facts: DepositFacts): void => {
  const { findings, paid } = facts
  findings.require(steps.length <= (spender === null ? 0 : 2), 'There are more steps than the deposit needs')
  if (spender === null) return
  for (const [at, step] of steps.entries()) {
    findings.same('A step before the deposit', step.id, 'approve')
    const { to, data, value } = readTransaction(step, facts)
    findings.sameHex('The receiver of an approval', to, paid.currency)
    findings.same('The value of an approval', value, 0n)
    const isReset = steps.length === 2 && at === 0
    const expected = encodeCall(APPROVE, spender, isReset ? 0n : paid.amount)
    findings.require(data === expected, 'An approval is not exactly of what the deposit takes')
  }
}
