import { destinationText } from '@causeway/core'
import type { BlockRef, DepositEvent } from '@causeway/core/chain'
import type { Address, Cell, CommonMessageInfoInternal, Transaction } from '@ton/core'
import { NATIVE, validateAddress } from '../address/addresses.js'
import { readSweepMemo } from '../lane/readPayment.js'
import type { Included } from '../read/arrival.js'
import { depositorsIn, orderIdIn, readBody } from './comments.js'
import { readNotification } from './jettonBodies.js'

export interface DepositRules {
  /** Raw address. */
  readonly depository: string
  readonly isTestnet: boolean
  /** The wallet whose comments are deposit addresses, raw; absent: there is none. */
  readonly depositAccount?: string | null
  /**
   * Masters of the depository's jetton wallets by the raw addresses of these, as each configured master names them. A notification of any
   * other account is no deposit.
   */
  readonly jettons: ReadonlyMap<string, string>
  /** Whether a payment counts that would have bounced; absent: none does (chains.md tonvm 3). */
  readonly mayBounce?: boolean
}

/** Money that a message brought. */
export interface Credit {
  readonly currency: string
  readonly amount: bigint
  readonly source: Address
  readonly text: string | null
}

/** Where a transaction is, so that a node can be asked for it: lookups need account and logical time (chains.md tonvm 1). */
export const locatorOf = (account: string, lt: bigint, block: BlockRef) => ({
  ...{ account, lt: lt.toString(), block: block.height.toString() },
})

/**
 * The deposit of a transaction: a plain payment, credited with the message's value, or a notification of one of the depository's jetton
 * wallets, credited with its amount (chains.md tonvm 3).
 */
export const readDeposits = ({ transaction, block }: Included, rules: DepositRules): readonly DepositEvent[] => {
  const { depository } = rules
  const credit = creditOf(transaction, rules)
  if (credit === null || credit.amount <= 0n) return []
  const { currency, amount, source, text } = credit
  const sender = source.toRawString()
  if (source.workChain !== 0 || sender === depository) return []
  const orderId = orderIdIn(text)
  return [
    {
      state: 'included',
      tx: { id: transaction.hash().toString('hex'), locator: locatorOf(depository, transaction.lt, block) },
      position: 0,
      index: 0,
      orderId,
      depositor: sweptAddress(text, sender, rules) ?? namedDepositor(text, rules) ?? sender,
      senders: [sender],
      source: sender,
      depository,
      money: { currency, amount },
      block,
      txData: { from: sender, to: depository, data: orderId ?? '0x', value: `${amount}` },
      fee: transaction.totalFees.coins,
    },
  ]
}

/** Money that a transaction credited to its account; null: no payment. */
export const creditOf = (
  transaction: Transaction,
  { depository, jettons, mayBounce = false }: Pick<DepositRules, 'depository' | 'jettons' | 'mayBounce'>,
): Credit | null => {
  const { inMessage } = transaction
  const info = inMessage?.info
  if (!inMessage || info?.type !== 'internal' || info.bounced || info.dest.toRawString() !== depository) return null
  const currency = jettons.get(info.src.toRawString())
  if (currency === undefined) {
    // A message that may bounce stays only where code took it.
    const isTaken = info.bounce ? mayBounce && hasRun(transaction) : isCredited(transaction)
    return isTaken ? nativeCredit(inMessage.body, info) : null
  }
  const notification = readNotification(inMessage.body)
  if (notification?.sender == null) return null
  // The wallet holds the jettons already, whatever becomes of the notification: one of a nanoton has no gas.
  const body = readBody(notification.payload)
  const text = body.kind === 'text' ? body.text : null
  return { currency, amount: notification.amount, source: notification.sender, text }
}

/** The credit of a plain payment; null if the payment calls an operation. */
const nativeCredit = (message: Cell, { src, value }: CommonMessageInfoInternal): Credit | null => {
  const body = readBody(message.beginParse())
  if (body.kind === 'operation') return null
  return { currency: NATIVE, amount: value.coins, source: src, text: body.text }
}

/** The deposit address that a sweep took from; null for any other payment. */
const sweptAddress = (text: string | null, sender: string, { depositAccount = null }: DepositRules): string | null => {
  const label = sender === depositAccount ? readSweepMemo(text ?? '')?.label : undefined
  return label === undefined ? null : destinationText({ address: sender, memo: label })
}

/** The first depositor that a comment names by a valid address of this network. */
const namedDepositor = (text: string | null, rules: DepositRules): string | null => {
  for (const named of depositorsIn(text)) {
    const checked = validateAddress(named, rules)
    if (checked.ok) return checked.canonical
  }
  return null
}

/**
 * Whether a transaction credited its message's value for good: its code ran without an error, or the account has no code (chains.md tonvm 4).
 * The value of a message that bounced is not credited.
 */
export const isCredited = ({ description }: Transaction): boolean => {
  if (description.type !== 'generic') return false
  const { computePhase, actionPhase, aborted } = description
  if (computePhase.type === 'skipped') return computePhase.reason === 'no-state'
  const didActions = !actionPhase || (actionPhase.success && actionPhase.valid && actionPhase.resultCode === 0)
  return computePhase.success && computePhase.exitCode === 0 && !aborted && didActions
}

/** Whether the code of an account ran without an error. Jettons are credited only by code: an account without code takes none. */
export const hasRun = (transaction: Transaction): boolean =>
  transaction.description.type === 'generic' &&
  transaction.description.computePhase.type === 'vm' &&
  isCredited(transaction)
