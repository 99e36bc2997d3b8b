import type { BlockRef, TxRef } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'
import type { TransactionReading } from '../deposit/chainReading.js'

/** A part of an account's transactions, in the ledger's own order. */
export interface PageRequest {
  readonly account: string
  /** Everything up to this height was read. */
  readonly after: bigint
  /** The last height asked for; the node had come so far when it was asked for its head. */
  readonly upTo: bigint
  /** Of the page before, when that one was not the whole of this range; null at first. */
  readonly mark: Json
}

export interface LedgerPage<Transaction> {
  /** Oldest first. A node that lists the newest first is read back to `after`. */
  readonly transactions: readonly Transaction[]
  /**
   * Where the next page goes on when this one ends before `upTo`, perhaps in the midst of a height: a marker of the node's, or what the
   * chain orders by. Null: the range is whole.
   */
  readonly more: Json
  /**
   * Oldest height from which on the node lists everything without a gap, as its answer or its status tells; absent: it forgets nothing.
   * Where that is above the range another node is asked: a gap is never taken for no deposits.
   */
  readonly since?: bigint
}

/**
 * What `IndexedLedger` has to know of a chain whose nodes list an account's transactions. A height is whatever the chain orders by and
 * its blocks are called by: a ledger index, a consensus time. Every question throws ServiceError when the node does not answer, or
 * answers what is none.
 */
export interface LedgerSource<Node, Transaction> {
  /** Newest height up to which this node lists everything: an index that follows the ledger gives its own. */
  head(node: Node): Promise<BlockRef>
  /** Transactions that moved something to or from an account. As many as the node likes to give at once. */
  page(node: Node, request: PageRequest): Promise<LedgerPage<Transaction>>
  /**
   * In the order asked, found by id or locator. Null: no block of this node's ledger holds it. `forgotten`: it may be in one that the
   * node does not have any more, as `searched_all` of an XRP Ledger node tells.
   */
  transactions(node: Node, txs: readonly TxRef[]): Promise<readonly (Transaction | null | 'forgotten')[]>
  /** What a transaction is and puts into the depository: what arrived, not what was said. */
  readingOf(transaction: Transaction): TransactionReading
  /**
   * A block of this node's ledger, null where it has none so high. Absent where a block stays for ever once it is shown: the watcher
   * never goes back then.
   */
  block?(node: Node, height: bigint): Promise<BlockRef | null>
}
