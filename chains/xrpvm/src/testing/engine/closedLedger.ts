import type { LedgerBlock } from '@causeway/core/testing'
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
  readonly meta: Metadata
  /** Accounts whose history lists it. */
  readonly accounts: readonly string[]
}

export interface ClosedLedger extends LedgerBlock<LedgerTx> {
  /** Drops. */
  readonly totalCoins: bigint
}

/** 2000-01-01 in unix seconds: the beginning of the ledger's time. */
const EPOCH = 946_684_800

/** Seconds since 2000. */
export const closeTimeOf = ({ time }: Pick<ClosedLedger, 'time'>): number => time - EPOCH
