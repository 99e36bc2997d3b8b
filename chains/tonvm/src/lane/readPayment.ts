import type { Hex } from '@causeway/core'
import { paymentMemo } from '@causeway/core/chain-kit'
import type { Message, MessageRelaxed } from '@ton/core'
import { readBody } from '../deposit/comments.js'
import { internalTransferAmount, readTransfer } from '../deposit/jettonBodies.js'

/** Whether a message is the one that a payment needs at a step of its way. */
export type Hop = (message: Message) => boolean

/** A payment as the request of a wallet asks for it. */
export interface ReadPayment {
  /** Raw address of the recipient. */
  readonly to: string
  readonly amount: bigint
  readonly memo: string | null
  /** Messages by which the payment travels, in order; the last one brings the money. */
  readonly hops: readonly Hop[]
  /** Jetton wallet of the payer, and its owner; null for a payment of TON. */
  readonly jettons: { readonly wallet: string; readonly owner: string } | null
  /** Nanotons that go with the payment beyond its amount, of which the rest comes back. */
  readonly attached: bigint
}

/** Reads a message that a wallet was asked to send; null for one that pays no account. @param payer raw address of the wallet */
export const readPayment = (message: MessageRelaxed, payer: string): ReadPayment | null => {
  const { info, body } = message
  if (info.type !== 'internal') return null
  const [to, amount] = [info.dest.toRawString(), info.value.coins]
  const [bodyHash, first] = [body.hash(), info.dest]
  const hop: Hop = (sent) =>
    sent.info.type === 'internal' && sent.info.dest.equals(first) && sent.body.hash().equals(bodyHash)
  const transfer = readTransfer(body)
  if (transfer !== null) {
    return {
      ...{ to: transfer.recipient.toRawString(), amount: transfer.amount, memo: textOf(transfer.payload) },
      hops: [hop, (sent) => internalTransferAmount(sent.body) !== null],
      ...{ jettons: { wallet: to, owner: payer }, attached: amount },
    }
  }
  const text = readBody(body.beginParse())
  const memo = text.kind === 'text' ? text.text : null
  return { to, amount, memo, hops: [hop], jettons: null, attached: 0n }
}

const textOf = (payload: Parameters<typeof readBody>[0]): string | null => {
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

/** The wallet of deposit addresses sends only sweeps, which name their comment too; any other payment says its purpose itself. */
export const memoOf = ({ memo }: ReadPayment, isDepositAccount: boolean): string | null => {
  const sweep = isDepositAccount ? readSweepMemo(memo ?? '') : null
  return sweep === null ? memo : paymentMemo({ orderId: sweep.orderId, purpose: 'sweep' })
}
