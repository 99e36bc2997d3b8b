import { type DepositFacts, type TransactionStep, UnreadableQuoteError, valueAt } from '@causeway/core/verify'
import { bodyBag, commentBag, transferBag } from './depositCells.js'

/** Stands for TON in orders. */
const MARKER = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'
const FIELDS = ['to', 'value', 'body', 'bounce', 'from']

type Fields = Readonly<Record<string, unknown>>

// CAST: an object's own properties are all that is ever read of it.
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const textOf = (value: unknown): string => String(value).slice(0, 1000)

/**
 * The form of a deposit on TON: one message of the sender's wallet, to the depository with the order id as its comment, or to the sender's
 * jetton wallet with a transfer to the depository (chains.md tonvm 3 and 5).
 */
export const checkTonDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, isSwapped, currency, sender } = facts
  findings.notCovered.push('number and expiry of the request: the wallet sets them')
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit') throw new UnreadableQuoteError('A deposit on TON is one step')
  findings.require(!isSwapped, 'There is no swap before a deposit on TON')
  const messages = valueAt(step.data, 'messages')
  const [message, ...more] = Array.isArray(messages) ? messages : []
  if (!isFields(message) || more.length > 0) throw new UnreadableQuoteError('A deposit on TON is one message')
  findings.same('The account that pays', textOf(message.from), sender)
  for (const field of Object.keys(message))
    findings.require(FIELDS.includes(field), `The message has a field that no deposit has (${field.slice(0, 40)})`)
  if (currency === MARKER) checkNative(message, facts)
  else checkJettons(message, facts)
}

const checkNative = (message: Fields, { findings, depository, amount, orderId }: DepositFacts): void => {
  findings.same('The account that is paid', textOf(message.to), depository)
  findings.same('The nanotons that are paid', textOf(message.value), amount.toString())
  findings.same('Whether the message bounces', textOf(message.bounce), 'false')
  findings.same('The comment of the message', bodyBag(textOf(message.body)), commentBag(orderId.toLowerCase()))
}

const checkJettons = (message: Fields, { findings, sender, depository, amount, orderId }: DepositFacts): void => {
  const wanted = transferBag({ orderId: orderId.toLowerCase(), sender, depository, amount })
  findings.same('The transfer that the message asks for', bodyBag(textOf(message.body)), wanted)
  findings.same('Whether the message bounces', textOf(message.bounce), 'true')
  findings.notCovered.push(
    `that ${textOf(message.to).slice(0, 80)} is the sender's wallet of the jetton: only the jetton's master knows it`,
    `the ${textOf(message.value).slice(0, 40)} nanotons that go with the transfer, of which the rest returns`,
  )
}
