import type { Hex } from '@causeway/core'
import { orderIdOf, paymentMemo } from '@causeway/core/chain-kit'
import type { Message, MessageRelaxed, Slice, Transaction } from '@ton/core'
import { readBody } from '../deposit/comments.js'
import { internalTransferAmount, readTransfer } from '../deposit/jettonBodies.js'
import { type Internal, sentMessages } from '../read/arrival.js'
import { readRequest } from './walletRequest.js'

/** Whether a message is the one that a payment needs at a step of its way. */
export type Hop = (message: Message) => boolean

/** A payment as the request of a wallet asks for it. */
export interface ReadPayment {
  /** Raw address of the recipient. */
  readonly to: string
  readonly amount: bigint
  readonly memo: string | null
  /** Messages of the payment, from that of the payer's wallet to the one that brings the money. */
  readonly path: readonly [Hop, ...Hop[]]
  /** Jetton wallet that the jettons leave, and its owner; null for a payment of TON. */
  readonly jettons: { readonly wallet: string; readonly owner: string } | null
  /** Nanotons that go with the payment beyond its amount, of which the rest comes back. */
  readonly attached: bigint
  /** Whether the message only brings the wallet of a deposit address a request of its own. */
  readonly isCarried: boolean
}

/** Reads a message that a wallet was asked to send; null for one that pays no account. @param payer raw address of the wallet */
export const readPayment = (message: MessageRelaxed, payer: string): ReadPayment | null => {
  const { info, body } = message
  if (info.type !== 'internal') return null
  const [to, amount] = [info.dest.toRawString(), info.value.coins]
  const [bodyHash, first] = [body.hash(), info.dest]
  const hop: Hop = ({ info: sent, body: sentBody }) =>
    sent.type === 'internal' &&
    sent.dest.equals(first) &&
    sent.value.coins === amount &&
    sentBody.hash().equals(bodyHash)
  const carried = readRequest(body, 'internal')
  if (carried !== null) {
    const [asked] = carried.messages
    const payment = asked === undefined ? null : readPayment(asked, to)
    return payment && { ...payment, path: [hop, ...payment.path], attached: amount, isCarried: true }
  }
  const transfer = readTransfer(body)
  if (transfer !== null) {
    return {
      ...{ to: transfer.recipient.toRawString(), amount: transfer.amount, memo: textOf(transfer.payload) },
      path: [hop, (sent) => internalTransferAmount(sent.body) !== null],
      ...{ jettons: { wallet: to, owner: payer }, attached: amount, isCarried: false },
    }
  }
  return {
    ...{ to, amount, memo: textOf(body.beginParse()), path: [hop], jettons: null, attached: 0n, isCarried: false },
  }
}

/** A payment of a request. */
export interface RequestedPayment {
  readonly payment: ReadPayment
  /** Position in the request, and how many messages the request has. */
  readonly at: number
  readonly count: number
  /** The message that the wallet's transaction sent for it; null: the wallet skipped it. */
  readonly message: Internal | null
}

/**
 * The payments that a request of a wallet asked for. Each message of the transaction belongs to one payment, so that a payment which the wallet
 * skipped never takes the message of an equal one.
 */
export const paymentsIn = (
  transaction: Transaction,
  messages: readonly MessageRelaxed[],
  wallet: string,
): readonly RequestedPayment[] => {
  const unmatched = [...sentMessages(transaction)]
  return messages.flatMap((asked, at) => {
    const payment = readPayment(asked, wallet)
    if (payment === null) return []
    const found = unmatched.findIndex(payment.path[0])
    const [message = null] = found < 0 ? [] : unmatched.splice(found, 1)
    return [{ payment, at, count: messages.length, message }]
  })
}

const textOf = (payload: Slice): string | null => {
  const body = readBody(payload)
  return body.kind === 'text' ? body.text : null
}

const SWEEP_MEMO = /^(0x[0-9a-f]{64}) ([1-9]\d{0,9})$/

/** Text of a sweep that takes from a comment of an account. */
export const sweepMemo = (orderId: Hex, label: string): string => `${orderId} ${label}`

/** Order and comment that the sweep of a text names; null for any other text. */
export const readSweepMemo = (memo: string): { readonly orderId: Hex; readonly label: string } | null => {
  const [, orderId, label] = SWEEP_MEMO.exec(memo) ?? []
  // CAST: matched by the pattern.
  return orderId === undefined || label === undefined ? null : { orderId: orderId as Hex, label }
}

/** Sweeps name their order as a deposit does, or with a comment of the wallet of deposit addresses; any other payment says its purpose. */
export const memoOf = ({ memo, isCarried }: ReadPayment, isDepositAccount: boolean): string | null => {
  const label = isDepositAccount ? readSweepMemo(memo ?? '') : null
  const orderId = isCarried ? orderIdOf(memo ?? '') : (label?.orderId ?? null)
  return orderId === null ? memo : paymentMemo({ orderId, purpose: 'sweep' })
}
