import { Transaction } from 'bitcoinjs-lib'
import type { ChainInput, ChainOutput } from '../transaction/chainTransaction.js'
import { hexBytes, strange } from './readAnswer.js'

/** A transaction out of its bytes: what a node says of amounts need not be believed where the bytes are there. */
export interface RawTransaction {
  readonly id: string
  readonly inputs: readonly ChainInput[]
  readonly outputs: readonly ChainOutput[]
}

/** @throws ServiceError RPC_HTTP_ERROR when the bytes are none, or of another transaction than `id` */
export const readRawTransaction = (bytes: Uint8Array, id?: string): RawTransaction => {
  const transaction = parsed(() => Transaction.fromBuffer(bytes))
  if (id !== undefined && transaction.getId() !== id) throw strange('another transaction than the one asked for')
  return viewOf(transaction)
}

export const viewOf = (transaction: Transaction): RawTransaction => ({
  id: transaction.getId(),
  inputs: transaction.ins.map(({ hash, index, sequence }) => ({
    outpoint: hash.every((byte) => byte === 0) ? null : { txId: Buffer.from(hash).reverse().toString('hex'), index },
    previous: null,
    sequence,
  })),
  outputs: transaction.outs.map(({ script, value }) => ({ script, value })),
})

/** Bytes of hex, proven to be the transaction of this id. */
export const rawTransactionOf = (hex: string, id: string): Uint8Array => {
  const bytes = hexBytes(hex)
  readRawTransaction(bytes, id)
  return bytes
}

/** What a parser of bytes gives, its failure told as a strange answer. */
export const parsed = <T>(parse: () => T): T => {
  try {
    return parse()
  } catch {
    throw strange('bytes that are not what was asked for')
  }
}
