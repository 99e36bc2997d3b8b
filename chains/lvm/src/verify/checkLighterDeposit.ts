import { type DepositFacts, isFields, type TransactionStep, UnreadableQuoteError, valueAt } from '@causeway/core/verify'

/** Stands for perps USDC in orders. */
const NATIVE = '0'
/** Perps USDC as transfers name it, and the routes. */
const USDC = '3'
const PERPS = '0'
const SPOT = '1'
const FIELDS = ['toAccountIndex', 'assetIndex', 'fromRouteType', 'toRouteType', 'amount', 'usdcFee', 'memo']

/** A member of the transfer as text; numbers above 2^53 are not exact, so they count as unreadable. */
const textOf = (value: unknown): string => {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'no whole number below 2^53'
  return String(value).slice(0, 200)
}

/**
 * The form of a deposit on Lighter: one transfer of just the amount to the depository, with the order id as its memo (chains.md lvm 3).
 * The sender is the account of the wallet that signs.
 */
export const checkLighterDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, orderId, isSwapped, depository, currency, amount } = facts
  findings.notCovered.push('the paying account, nonce and API key of the transfer: the wallet sets them')
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit') throw new UnreadableQuoteError('A deposit on Lighter is one step')
  findings.require(!isSwapped, 'There is no swap before a deposit on Lighter')
  const action = valueAt(step.data, 'action')
  const transfer = valueAt(action, 'parameters')
  if (!isFields(transfer)) throw new UnreadableQuoteError('There is no transfer')
  findings.same('The type of the action', textOf(valueAt(action, 'type')), 'transfer')
  const route = currency === NATIVE ? PERPS : SPOT
  findings.same('The account that is paid', textOf(transfer.toAccountIndex), depository)
  findings.same('The asset that is paid', textOf(transfer.assetIndex), currency === NATIVE ? USDC : currency)
  findings.same('The route that pays', textOf(transfer.fromRouteType), route)
  findings.same('The route that is paid', textOf(transfer.toRouteType), route)
  findings.same('What the depository gets', textOf(transfer.amount), amount.toString())
  findings.same('The memo of the transfer', textOf(transfer.memo), orderId.toLowerCase())
  findings.notCovered.push(`the fee of the exchange: ${textOf(transfer.usdcFee).slice(0, 40)} millionths of a USDC`)
  for (const field of Object.keys(transfer))
    findings.require(FIELDS.includes(field), `The transfer has a field that no deposit has (${field.slice(0, 40)})`)
}
