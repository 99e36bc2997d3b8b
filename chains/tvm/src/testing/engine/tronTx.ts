import type { LedgerBlock } from '@causeway/core/testing'
import type { SignedTransaction } from '../wire/transactions.js'
import type { EnergyPaid } from './resources.js'
import type { VmOutcome } from './vm/tronVm.js'

/** What became of a call of a contract. */
export interface VmReceipt extends EnergyPaid {
  readonly outcome: VmOutcome
  /** Energy with the penalty of a busy contract. */
  readonly total: number
  readonly penalty: number
  readonly contract: string
}

/** A transaction in a block. */
export interface TronTx extends SignedTransaction {
  /** All fees, in sun. */
  readonly fee: bigint
  readonly netUsage: number
  readonly netFee: bigint
  /** Null: the transaction calls no contract. */
  readonly vm: VmReceipt | null
  /** Addresses that the transaction names. */
  readonly accounts: readonly string[]
}

export type TronBlock = LedgerBlock<TronTx>

/** `contractRet` of a transaction. */
export const retOf = ({ vm }: TronTx): string => vm?.outcome.result ?? 'SUCCESS'
