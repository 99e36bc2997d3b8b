import type { Hex } from '@causeway/core'
import type { BroadcastResult } from '@causeway/core/chain'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { Transaction } from 'bitcoinjs-lib'
import { equalBytes } from '../address/scriptAddress.js'
import { keyScript } from '../payout/payoutTransaction.js'
import type { ChainInput, ChainOutput } from './chainTransaction.js'
import { hexBytes } from './readAnswer.js'

const KEY_BYTES = 33

/** A transaction out of its bytes: what a node says of amounts need not be believed where the bytes are there. */
export interface RawTransaction {
  readonly id: string
  readonly inputs: readonly ChainInput[]
  readonly outputs: readonly ChainOutput[]
  /** Public keys in the witnesses of its inputs: whose P2WPKH coins it spends. */
  readonly keys: readonly Uint8Array[]
}

/** @throws ServiceError RPC_HTTP_ERROR when the bytes are none, or of another transaction than `id` */
export const readRawTransaction = (bytes: Uint8Array, id?: string): RawTransaction => {
  const transaction = parsed(() => Transaction.fromBuffer(bytes))
  if (id !== undefined && transaction.getId() !== id) throw strangeAnswer('another transaction than the one asked for')
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
  keys: transaction.ins.flatMap(({ witness }) => witness.slice(-1).filter(({ length }) => length === KEY_BYTES)),
})

/** Whether it pays the script of an address, or spends from it where that is a P2WPKH one. */
export const touches = ({ outputs, keys }: RawTransaction, script: Uint8Array): boolean =>
  outputs.some((output) => equalBytes(output.script, script)) || keys.some((key) => equalBytes(keyScript(key), script))

/** Bytes of hex, proven to be the transaction of this id. */
export const rawTransactionOf = (hex: string, id: string): Uint8Array => {
  const bytes = hexBytes(hex)
  readRawTransaction(bytes, id)
  return bytes
}

/** A node that took the bytes answers with their id; anything else proves nothing. */
export const accepted = (answer: unknown, raw: Hex): BroadcastResult =>
  answer === readRawTransaction(hexBytes(raw.slice(2))).id
    ? { outcome: 'known' }
    : { outcome: 'unknown', message: 'A node of this chain gave a strange answer.' }

/** What a parser of bytes gives, its failure told as a strange answer. */
export const parsed = <T>(parse: () => T): T => {
  try {
    return parse()
  } catch {
    throw strangeAnswer('bytes that are not what was asked for')
  }
}
