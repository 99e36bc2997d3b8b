import type { Amount } from './amounts/amount.js'
import type { AffectedNode } from './state/metadata.js'
import type { NamedTx } from './transaction.js'

export interface Metadata {
  readonly AffectedNodes: readonly AffectedNode[]
  readonly TransactionIndex: number
  readonly TransactionResult: string
  readonly delivered_amount?: Amount
}

/** A transaction in a ledger. */
export interface LedgerTx extends NamedTx {
  readonly ledger: number
  readonly meta: Metadata
  /** Accounts whose history has it. */
  readonly accounts: readonly string[]
}

export interface ClosedLedger {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Seconds since 2000. */
  readonly closeTime: number
  readonly parentCloseTime: number
  /** Drops. */
  readonly totalCoins: bigint
  readonly transactions: readonly LedgerTx[]
}
