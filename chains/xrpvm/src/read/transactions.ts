import { destinationText } from '@causeway/core'
import type { BlockRef, Destination } from '@causeway/core/chain'
import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { readAmount } from '../address/amounts.js'
import { readMemos } from '../deposit/memos.js'
import { ACCOUNT, DROPS, HASH, memberOf, UINT32 } from '../rpc/fields.js'

/** Set in the flags of a payment whose `Amount` says only what it brings at most. */
export const PARTIAL_PAYMENT = 0x0002_0000

const number = Type.Optional(UINT32)
const anything = Type.Optional(Type.Unknown())

/** Fields of a signed transaction; amounts and memos are read where their form is known. */
const signedSchema = Type.Object({
  ...{ TransactionType: Type.String(), Account: ACCOUNT, Fee: DROPS, Sequence: UINT32, TicketSequence: number },
  ...{ LastLedgerSequence: number, Flags: number, SourceTag: number, DestinationTag: number },
  ...{
    Destination: Type.Optional(ACCOUNT),
    DeliverMax: anything,
    Amount: anything,
    SendMax: anything,
    Memos: anything,
  },
})

const metaSchema = Type.Object({
  ...{ TransactionResult: Type.String(), TransactionIndex: number, delivered_amount: anything },
  AffectedNodes: Type.Array(Type.Unknown()),
})

/** A transaction of a validated ledger, as `tx`, `account_tx` and the stream show it. */
const readValidated = answerOf(
  Type.Object({
    ...{ validated: Type.Literal(true), hash: HASH, ledger_index: UINT32, ledger_hash: HASH },
    close_time_iso: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
    ...{ tx_json: signedSchema, meta: metaSchema },
  }),
)

/** Of no validated ledger: the node holds it, or has it in one that may be another in the end. */
const readPending = answerOf(Type.Object({ hash: HASH, tx_json: signedSchema }))

export type TransactionMeta = Static<typeof metaSchema>

/** A transaction as a node shows it (API version 2). Only a validated ledger counts (chains.md xrpvm 4). */
export interface LedgerTransaction {
  /** 64 capital hex digits. */
  readonly hash: string
  readonly signed: Static<typeof signedSchema>
  /** The validated ledger it is in and what it did there; null where it is in none. */
  readonly validated: { readonly block: BlockRef; readonly meta: TransactionMeta } | null
}

/**
 * Reads an entry of `account_tx`, the answer of `tx`, or a message of the stream of transactions.
 * @throws ServiceError RPC_HTTP_ERROR for what is none: another node is asked
 */
export const readTransaction = (json: unknown): LedgerTransaction => {
  if (memberOf(json, 'validated') !== true) {
    const { hash, tx_json: signed } = readPending(json)
    return { hash, signed, validated: null }
  }
  const { hash, tx_json: signed, meta, ...ledger } = readValidated(json)
  const paid = signed.TransactionType === 'Payment' && meta.TransactionResult === 'tesSUCCESS'
  if (paid && meta.delivered_amount === undefined) throw strangeAnswer('a payment without what it delivered')
  const time = Date.parse(ledger.close_time_iso) / 1000
  if (Number.isNaN(time)) throw strangeAnswer('a time of a ledger')
  const block = { height: BigInt(ledger.ledger_index), hash: ledger.ledger_hash, time }
  return { hash, signed, validated: { block, meta } }
}

/** Whether it succeeded in a validated ledger; a `tec...` result took the fee alone (chains.md xrpvm 4). */
export const isSuccess = ({ validated }: LedgerTransaction): boolean =>
  validated?.meta.TransactionResult === 'tesSUCCESS'

type Amount = ReturnType<typeof readAmount>

/**
 * The amount that a payment brought its destination, never the one that it names: null where it did not succeed, or the node does not say
 * (chains.md xrpvm 3).
 */
export const deliveredOf = (transaction: LedgerTransaction): Amount =>
  isSuccess(transaction) && transaction.signed.TransactionType === 'Payment'
    ? readAmount(transaction.validated?.meta.delivered_amount)
    : null

/** The most that a payment brings: `DeliverMax`, which other API versions call `Amount`. */
export const statedOf = ({ signed }: LedgerTransaction): Amount => readAmount(signed.DeliverMax ?? signed.Amount)

/** The most that a payment takes of its account. */
export const takenAtMost = (transaction: LedgerTransaction): Amount =>
  transaction.signed.SendMax === undefined ? statedOf(transaction) : readAmount(transaction.signed.SendMax)

/** Sender: the account, with the tag of the owner within it where it names one (faults.md F24). */
export const senderOf = ({ signed: { Account, SourceTag } }: LedgerTransaction): string =>
  destinationText({ address: Account, ...(SourceTag === undefined ? {} : { tag: SourceTag }) })

/** Recipient; null for a transaction that pays no account. */
export const recipientOf = ({ signed: { Destination, DestinationTag } }: LedgerTransaction): Destination | null =>
  Destination === undefined
    ? null
    : { address: Destination, ...(DestinationTag === undefined ? {} : { tag: DestinationTag }) }

/** The number of its account that it uses up: a ticket's where it has one. */
export const numberOf = ({ signed: { Sequence, TicketSequence } }: Pick<LedgerTransaction, 'signed'>): bigint =>
  BigInt(TicketSequence ?? Sequence)

/** For the record: who, whom, what the memos say, how much (wire.md 3.1 TX `data`). */
export const txDataOf = (transaction: LedgerTransaction) => {
  const { Account, Memos } = transaction.signed
  const recipient = recipientOf(transaction)
  const amount = deliveredOf(transaction) ?? statedOf(transaction)
  return {
    from: Account,
    to: recipient === null ? '' : destinationText(recipient),
    data: readMemos(Memos).find((text) => text !== null) ?? '',
    value: (amount?.amount ?? 0n).toString(),
  }
}
