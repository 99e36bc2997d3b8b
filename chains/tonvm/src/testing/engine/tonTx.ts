import type { LedgerBlock } from '@causeway/core/testing'
import { Cell, loadTransaction, type Transaction } from '@ton/core'
import { hashesOf, rawInMessage } from './messageHashes.js'

/** A transaction of one account. */
export interface TonTx {
  /** 64 hex digits. */
  readonly hash: string
  /** Raw address. */
  readonly account: string
  readonly workchain: number
  readonly lt: bigint
  readonly prevLt: bigint
  /** Hashes by which its incoming message is known. */
  readonly messageHashes: readonly string[]
  readonly cell: Cell
  readonly parsed: Transaction
}

/** A masterchain block with the one block of each workchain that it commits. */
export interface TonBlock extends LedgerBlock<TonTx> {
  readonly startLt: bigint
  readonly endLt: bigint
}

/** Reads what the executor returned for an account. */
export const readTransaction = (base64: string, account: string): TonTx => {
  const cell = Cell.fromBase64(base64)
  const parsed = loadTransaction(cell.beginParse())
  return {
    ...{ cell, parsed, account, lt: parsed.lt, prevLt: parsed.prevTransactionLt },
    hash: cell.hash().toString('hex'),
    workchain: Number(account.split(':')[0]),
    messageHashes: parsed.inMessage ? hashesOf(parsed.inMessage, rawInMessage(cell)) : [],
  }
}
