import { createHash } from 'node:crypto'
import { proto } from '@hiero-ledger/proto'
import { type Kind, kindOf } from './kinds.js'
import { need, Refusal } from './refusal.js'
import { MOST_TRANSACTION_BYTES } from './rules/precheck.js'
import { SignatureMap, type Signers } from './rules/signatures.js'
import { idText, transactionIdText } from './values.js'

/** A transaction as a node takes it. */
export interface Submitted {
  readonly id: string
  readonly transactionId: proto.ITransactionID
  readonly payer: string
  readonly kind: Kind
  readonly body: proto.ITransactionBody
  readonly hash: Uint8Array
  readonly signers: Signers
  /** Account of the node that the body names. */
  readonly node: string
  /** Applied by a test, without keys and fees. */
  readonly trusted: boolean
}

/** @throws Refusal for bytes that are no transaction */
export const readTransaction = (bytes: Uint8Array): Submitted => {
  need(bytes.length <= MOST_TRANSACTION_BYTES, 'TRANSACTION_OVERSIZE')
  try {
    const { signedTransactionBytes } = proto.Transaction.decode(bytes)
    need(signedTransactionBytes.length > 0, 'INVALID_TRANSACTION')
    const { bodyBytes, sigMap } = proto.SignedTransaction.decode(signedTransactionBytes)
    const hash = createHash('sha384').update(signedTransactionBytes).digest()
    return named(proto.TransactionBody.decode(bodyBytes), hash, new SignatureMap(sigMap, bodyBytes))
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('INVALID_TRANSACTION')
  }
}

/** A transaction that needs no signature. */
export const trustedTransaction = (body: proto.ITransactionBody): Submitted => {
  const bodyBytes = proto.TransactionBody.encode(body).finish()
  const hash = createHash('sha384').update(proto.SignedTransaction.encode({ bodyBytes }).finish()).digest()
  return { ...named(proto.TransactionBody.decode(bodyBytes), hash, new SignatureMap(null, bodyBytes)), trusted: true }
}

const named = (body: proto.ITransactionBody, hash: Uint8Array, signers: Signers): Submitted => {
  const { transactionID: transactionId } = body
  need(transactionId?.accountID !== undefined && transactionId.accountID !== null, 'INVALID_TRANSACTION_ID')
  need(transactionId.nonce === 0 && transactionId.scheduled !== true, 'INVALID_TRANSACTION_ID')
  need(body.nodeAccountID !== undefined && body.nodeAccountID !== null, 'INVALID_NODE_ACCOUNT')
  const kind = kindOf(body)
  need(kind !== undefined, 'INVALID_TRANSACTION_BODY')
  return {
    ...{ id: transactionIdText(transactionId), transactionId, body, kind, hash, signers, trusted: false },
    payer: idText(transactionId.accountID.accountNum),
    node: idText(body.nodeAccountID.accountNum),
  }
}
