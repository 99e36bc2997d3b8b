import type { LedgerBlock } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import type { Kind } from './kinds.js'
import type { Code } from './values.js'

/** An amount in tinybars, or in units of a token. */
export interface Transfer {
  readonly account: string
  readonly amount: bigint
  readonly token: string | null
  /** Made from an allowance. */
  readonly approval: boolean
}

export interface AssessedFee {
  readonly amount: bigint
  readonly token: string | null
  readonly collector: string
  readonly payers: readonly string[]
}

/** Entities that a transaction created, for its receipt. */
export interface Made {
  account?: string
  token?: string
  schedule?: string
  supply?: bigint
  /** The transaction of the schedule. */
  scheduled?: proto.ITransactionID
}

export interface LedgerTx {
  readonly consensus: bigint
  /** `payer@seconds.nanos`; children and scheduled transactions share it. */
  readonly id: string
  readonly transactionId: proto.ITransactionID
  readonly nonce: number
  readonly scheduled: boolean
  /** Consensus time of the transaction that has this one as a child. */
  readonly parent: bigint | null
  readonly kind: Kind
  readonly body: proto.ITransactionBody
  readonly result: Code
  readonly hash: Uint8Array
  /** Null for transactions that no node submitted. */
  readonly node: string | null
  readonly fee: bigint
  readonly transfers: readonly Transfer[]
  readonly assessed: readonly AssessedFee[]
  readonly made: Made
}

export interface RecordBlock extends LedgerBlock<LedgerTx> {
  readonly from: bigint
  readonly to: bigint
}
