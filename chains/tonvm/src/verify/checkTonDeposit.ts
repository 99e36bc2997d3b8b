import { type DepositFacts, type TransactionStep, UnreadableQuoteError, valueAt } from '@causeway/core/verify'
import { commentBoc, jettonTransferBoc } from './bodyBoc.js'

/** Stands for TON in orders. */
const MARKER = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'
/** Nanotons that go with a transfer of jettons. */
const JETTON_TRANSFER_VALUE = 50_000_000n
const FIELDS: readonly string[] = ['to', 'value', 'body', 'bounce', 'from']
const RAW = /^0:[0-9a-f]{64}$/

/**
 * The form of a deposit on TON: one message with just the fields of the adapter, whose body is compared byte by byte (chains.md tonvm 3). No
 * wallet shows the body, so this check is the one that ties it to the order.
 */
export const checkTonDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, isSwapped, sender, depository, amount, currency, orderId } = facts
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit') throw new UnreadableQuoteError('A deposit on TON is one step')
  if (!RAW.test(sender) || !RAW.test(depository))
    throw new UnreadableQuoteError('Sender and depository of a deposit on TON are raw addresses of workchain 0')
  findings.require(!isSwapped, 'There is no swap before a deposit on TON')
  const messages = valueAt(step.data, 'messages')
  if (!Array.isArray(messages) || messages.length !== 1)
    throw new UnreadableQuoteError('A deposit on TON is one message')
  const fieldAt = (name: string) => valueAt(step.data, `messages.0.${name}`)
  for (const field of Object.keys(Object(messages[0])))
    findings.require(FIELDS.includes(field), `The message has a field that no deposit has (${field.slice(0, 40)})`)
  for (const field of Object.keys(Object(step.data)))
    findings.require(field === 'messages', `The step has a field that no deposit has (${field.slice(0, 40)})`)
  findings.same('The account that pays', fieldAt('from'), sender)
  findings.notCovered.push('number and expiry of the request: the wallet sets them')
  const order = orderId.toLowerCase()
  if (currency === MARKER) {
    findings.same('The account that is paid', fieldAt('to'), depository)
    findings.same('The value of the message', fieldAt('value'), amount.toString())
    findings.same('The body of the message', fieldAt('body'), commentBoc(order))
    findings.same('The bounce flag', fieldAt('bounce'), false)
    return
  }
  findings.require(RAW.test(String(fieldAt('to'))), 'The message goes to no account of workchain 0')
  findings.same('The value of the message', fieldAt('value'), JETTON_TRANSFER_VALUE.toString())
  findings.same('The body of the message', fieldAt('body'), jettonTransferBoc({ amount, depository, sender, order }))
  findings.same('The bounce flag', fieldAt('bounce'), true)
  findings.notCovered.push('the jetton wallet that gets the message: "get_wallet_address" of the currency must name it')
}
