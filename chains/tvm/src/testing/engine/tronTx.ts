import type { LedgerBlock } from '@causeway/core/testing'
import {
  type ContractCall,
  type RawTransaction,
  type SignedTransaction,
  unsignedTransaction,
} from '../wire/transactions.js'
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
}

export type TronBlock = LedgerBlock<TronTx>

const EXPIRES_MS = 60_000

/** A transaction of a call that refers to a block, and is made at its time. */
export const transactionAfter = (
  { height, hash, time }: TronBlock,
  call: ContractCall,
  terms: Partial<RawTransaction> = {},
): SignedTransaction =>
  unsignedTransaction({
    ...{ refBlockBytes: height.toString(16).slice(-4).padStart(4, '0'), refBlockHash: hash.slice(16, 32) },
    ...{ expiration: time * 1000 + EXPIRES_MS, timestamp: time * 1000, feeLimit: 0, data: '', call, ...terms },
  })

/** `contractRet` of a transaction. */
export const retOf = ({ vm }: TronTx): string => vm?.outcome.result ?? 'SUCCESS'
