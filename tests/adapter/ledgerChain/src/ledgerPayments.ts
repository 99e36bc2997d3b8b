import { destinationText, type Json } from '@causeway/core'
import {
  type BroadcastResult,
  type Destination,
  type Payout,
  type SignedAttempt,
  type Signer,
  signChecked,
} from '@causeway/core/chain'
import {
  broadcastBatch,
  type DraftedPayment,
  type JsonRpcEndpoint,
  type JsonRpcError,
  type LaneMoment,
  type LaneQuestion,
  type LaneSince,
  paymentMemo,
  type SentTransaction,
  type SequenceChain,
  type SequenceSlot,
} from '@causeway/core/chain-kit'
import { addressOfKey } from './address.js'
import type { LedgerNode } from './ledgerNode.js'
import { blockRef, txDataOf } from './ledgerSource.js'
import { bytesOf, FEE, idOf, type LedgerBlock, type LedgerRecord, type LedgerTransfer } from './transaction.js'

/** What the lane of core has to know of this ledger: how a payment is made, signed, sent and read back. */
export class LedgerPayments implements SequenceChain<JsonRpcEndpoint> {
  readonly #node: LedgerNode
  readonly #settle: number

  /** `settle`: blocks after which nothing leaves the ledger. */
  constructor(node: LedgerNode, settle: number) {
    this.#node = node
    this.#settle = settle
  }

  addressOf(signer: Signer): string {
    return addressOfKey(signer.publicKey)
  }

  async read(endpoint: JsonRpcEndpoint, { attempts }: LaneQuestion) {
    const { head, history, records } = await this.#node.records(
      attempts.map(({ txId }) => txId),
      endpoint,
    )
    return {
      moment: this.#momentOf(head),
      transactions: records.map((record) => record && sentOf(record)),
      history: BigInt(history),
    }
  }

  async list(endpoint: JsonRpcEndpoint, account: string, since: LaneSince | null) {
    const from = since !== null && 'height' in since ? Number(since.height) : 0
    const { height } = await this.#node.head(endpoint)
    const { records, history } = await this.#node.transfers(account, from, height, endpoint)
    const transactions = records.filter(({ transfer }) => transfer.from === account).map(sentOf)
    return history <= from ? { transactions } : { transactions, gap: `the node has no blocks below ${history}` }
  }

  async draft(payouts: readonly { readonly payout: Payout }[]) {
    return payouts.map(({ payout }) => {
      if (payout.feeLimit !== undefined && payout.feeLimit < FEE) return null
      return (slot: SequenceSlot): DraftedPayment => ({ transaction: transferOf(payout, slot), feeCap: FEE })
    })
  }

  async sign(transaction: Json, signer: Signer) {
    // CAST: only transferOf makes such transactions.
    const transfer = transaction as unknown as LedgerTransfer
    const signature = hexOf(await signChecked(signer, bytesOf(transfer)))
    const signed = JSON.stringify({ transfer, publicKey: hexOf(signer.publicKey), signature })
    return { txId: idOf(transfer), raw: `0x${hexOf(Buffer.from(signed))}` as const }
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const calls = attempts.map(({ raw }) => ({ method: 'ledger_submit', params: [raw] }))
    return broadcastBatch(this.#node.rpc, calls, refusalOf)
  }

  #momentOf({ height }: LedgerBlock): LaneMoment {
    return { height: BigInt(height), final: BigInt(height - this.#settle) }
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const transferOf = (payout: Payout, { sequence, until }: SequenceSlot) => {
  const { from, to, money } = payout
  const { currency, amount } = money
  return {
    from,
    to: to.address,
    ...(to.tag === undefined ? {} : { tag: to.tag }),
    currency,
    amount: amount.toString(),
    memo: paymentMemo(payout),
    sequence: Number(sequence),
    validUntil: Number(until),
  }
}

const paidBy = ({ to, tag }: LedgerTransfer): Destination => ({ address: to, ...(tag === undefined ? {} : { tag }) })

/** A record as the lane knows transactions. */
export const sentOf = (record: LedgerRecord): SentTransaction => {
  const { id, transfer, status, block, reason, fee } = record
  const money = { currency: transfer.currency, amount: BigInt(transfer.amount) }
  return {
    tx: { id },
    sequence: BigInt(transfer.sequence),
    until: BigInt(transfer.validUntil),
    memo: transfer.memo,
    to: destinationText(paidBy(transfer)),
    money,
    block: block === null ? null : blockRef(block),
    fee: BigInt(fee),
    arrived: money,
    revert: status === 'failed' ? reason : null,
    txData: txDataOf(record),
  }
}

/** What the ledger's error means for bytes that were sent. */
export const refusalOf = ({ message }: JsonRpcError): BroadcastResult => {
  if (message === 'NO_FEE') {
    return { outcome: 'rejected', reason: 'insufficient-funds', message: 'The solver cannot pay the fee.' }
  }
  if (message === 'EXPIRED') return { outcome: 'expired', message: 'The ledger takes the payment no more.' }
  if (['BAD_SIGNATURE', 'MALFORMED'].includes(message)) {
    return { outcome: 'rejected', reason: 'invalid', message: `The ledger refuses the payment: ${message}.` }
  }
  return { outcome: 'unknown', message: 'The node gave an answer that says nothing about the payment.' }
}
