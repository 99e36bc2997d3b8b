import { type DepositFacts, type TransactionStep, UnreadableQuoteError, valueAt } from '@causeway/core/verify'
import { addressWord, selectorOf, TRC20, wordOf } from '../address/abi.js'
import { hexOf, NATIVE } from '../address/addresses.js'

/** A call of a step: addresses are hex with the prefix `41`, data is hex without prefix. */
interface Call {
  readonly to: string
  readonly data: string
  readonly value: string
}

const DEPOSIT_NATIVE = selectorOf('depositNative(address,bytes32)')
const DEPOSIT_ERC20 = selectorOf('depositErc20(address,address,uint256,bytes32)')

const textOf = (value: unknown): string => String(value ?? '').slice(0, 4000)

/** The forms of a deposit on Tron (chains.md tvm 3), and the approvals before it. */
export const checkTronDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, isSwapped, currency, amount, depository, orderId, sender } = facts
  findings.notCovered.push('fee limit, energy and bandwidth of the transactions: the wallet limits them')
  const step = steps.at(-1)
  if (step?.id !== 'deposit') throw new UnreadableQuoteError('The last step is no deposit')
  findings.require(!isSwapped, 'There is no swap before a deposit on Tron')
  const deposit = readCall(step, facts)
  const id = orderId.slice(2).toLowerCase()
  const compare = (to: string, data: string, value: bigint): void => {
    findings.same('The contract of the deposit transaction', deposit.to, hexOf(to))
    findings.require(deposit.data === data, 'The deposit transaction does not deposit for the order')
    findings.same('The value of the deposit transaction', deposit.value, value.toString())
  }
  if (currency === NATIVE) {
    compare(depository, DEPOSIT_NATIVE + addressWord(sender) + id, amount)
  } else if (deposit.data.startsWith(TRC20.transfer)) {
    compare(currency, TRC20.transfer + addressWord(depository) + wordOf(amount) + id, 0n)
  } else {
    const args = addressWord(sender) + addressWord(currency) + wordOf(amount) + id
    compare(depository, DEPOSIT_ERC20 + args, 0n)
  }
  const pulls = currency !== NATIVE && !deposit.data.startsWith(TRC20.transfer)
  checkApprovals(steps.slice(0, -1), pulls, facts)
}

/** The call of a step of the sender's. */
const readCall = ({ id, data }: TransactionStep, { sender, chainId, findings }: DepositFacts): Call => {
  const parameter = valueAt(data, 'parameter')
  if (typeof parameter !== 'object' || parameter === null) throw new UnreadableQuoteError('A step has no parameters')
  const fields = new Map<string, unknown>(Object.entries(parameter))
  findings.same(`type of the step ${id}`, textOf(valueAt(data, 'type')), 'TriggerSmartContract')
  findings.same(`owner_address of the step ${id}`, textOf(fields.get('owner_address')), hexOf(sender))
  findings.same(`chainId of the step ${id}`, textOf(valueAt(data, 'chainId')), textOf(chainId))
  return {
    to: textOf(fields.get('contract_address')),
    data: textOf(fields.get('data')).replace(/^0x/, '').toLowerCase(),
    value: textOf(fields.get('call_value') ?? 0),
  }
}

/** Allowances of exactly what is paid, for the depository; a reset to zero may come first. */
const checkApprovals = (steps: readonly TransactionStep[], pulls: boolean, facts: DepositFacts): void => {
  const { findings, currency, amount, depository } = facts
  findings.require(steps.length <= (pulls ? 2 : 0), 'There are more steps than the deposit needs')
  for (const [at, step] of steps.entries()) {
    findings.same('A step before the deposit', step.id, 'approve')
    const { to, data, value } = readCall(step, facts)
    findings.same('The contract of an approval', to, hexOf(currency))
    findings.same('The value of an approval', value, '0')
    const allowed = steps.length === 2 && at === 0 ? 0n : amount
    const expected = TRC20.approve + addressWord(depository) + wordOf(allowed)
    findings.require(data === expected, 'An approval is not exactly of what the deposit takes')
  }
}
