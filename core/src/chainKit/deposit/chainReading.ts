import type { ChainAdapter, DepositEvent } from '../../chain/chainAdapter.js'
import type { BlockRef } from '../../chain/chainReferences.js'

/** What one node shows of a transaction. */
export interface TransactionReading {
  readonly status: Awaited<ReturnType<ChainAdapter['findTransaction']>>['status']
  /** The block of the node's own chain that holds it, else null: also where it is in a block that left that chain. */
  readonly block: BlockRef | null
  /** What it puts into the depository, by position; empty where it failed. */
  readonly deposits: readonly DepositEvent[]
  /** Confirmations without which its deposits may still be undone, such as those of new coins; absent: none of its own. */
  readonly leastConfirmations?: bigint
}

/** What one node shows of several transactions, and how far it had come. */
export interface ChainReading {
  /** The node's newest height, no newer than what it shows of the transactions. */
  readonly tip: bigint
  /** The node's newest height that can never leave the chain; absent where the chain knows none, and depth decides. */
  readonly final?: bigint
  /** Up to this height the node has everything: what it does not show there it denies, and is not just late. */
  readonly complete: bigint
  /** By transaction id; one that is absent is unknown to the node. */
  readonly transactions: ReadonlyMap<string, TransactionReading>
}

/** A transaction that a node does not know. */
export const UNSEEN: TransactionReading = { status: 'unknown', block: null, deposits: [] }
