import type { Hex } from '@causeway/core'
import type { BlockRef, BroadcastResult } from '@causeway/core/chain'
import type { NodeRestriction } from '@causeway/core/chain-kit'
import type { Coin, Outpoint } from '../payout/coins/coin.js'
import type { FeeRate } from '../payout/coins/feeRate.js'
import type { Spend } from '../payout/generationState.js'
import type { ChainTransaction } from './chainTransaction.js'
import type { RawTransaction } from './rawTransaction.js'

/** A block of the best chain, as a node sees it. */
export interface BlockHeader extends BlockRef {
  /** Null in block 0. */
  readonly previousHash: string | null
}

export interface WatchedScript {
  readonly address: string
  readonly script: Uint8Array
}

/** A block with all that it holds, as its bytes show it. */
export interface WholeBlock {
  readonly block: BlockHeader
  readonly transactions: readonly RawTransaction[]
}

/** Ids of what waits, and what some of it pays. */
export interface MempoolReading {
  readonly ids: readonly string[]
  /** Of those that were not known: all, or as many as the node is asked for at once, the latest first. */
  readonly read: readonly RawTransaction[]
}

/** Heights of the best chain, both included. */
export interface HeightRange {
  readonly from: bigint
  readonly to: bigint
}

/**
 * What this package asks of a node, whichever API it speaks: Esplora's REST or Bitcoin Core's JSON-RPC. All amounts are
 * satoshis. Every read throws ServiceError when the node does not answer, or answers nonsense.
 */
export interface BitcoinSource {
  /** How many blocks one reading of a history had best cover: few where each is read whole, many where there is an index. */
  readonly pageBlocks: bigint
  /** As many waiting transactions of one script as the node tells of at most; null where it tells of all. */
  readonly waitingLimit: number | null
  /** Hash of block 0, by which the network is known. */
  genesisHash(): Promise<string>
  tip(): Promise<BlockHeader>
  /** Block at a height of the best chain; null above the tip. */
  blockAt(height: bigint): Promise<BlockHeader | null>
  /** Whether the node still has what a block of the best chain held: false where it prunes and dropped the block. */
  hasBlock(height: bigint): Promise<boolean>
  /** Null while the node knows of none, neither in a block nor in its mempool. */
  transaction(txId: string): Promise<ChainTransaction | null>
  /** Bytes of a transaction, proven by its id. */
  rawTransaction(txId: string): Promise<Uint8Array | null>
  /**
   * Transactions in blocks that pay a script or spend what it held, oldest first. Callers compare their block hashes: the chain
   * may change in between.
   */
  history(watched: WatchedScript, range: HeightRange): Promise<readonly ChainTransaction[]>
  /** Blocks, oldest first, each proven by its hash; those above the node's tip are missing. */
  wholeBlocks(range: HeightRange): AsyncIterable<WholeBlock>
  /** What waits, whomever it pays. `known`: ids of which the transaction need not be read. */
  mempool(known: ReadonlySet<string>): Promise<MempoolReading>
  /** Transactions that wait in the mempool and pay a script or spend what it held. */
  waiting(watched: WatchedScript): Promise<readonly ChainTransaction[]>
  /** How many coins of a script waiting transactions spend, whether or not `waiting` shows them; null where that shows all. */
  waitingSpends(watched: WatchedScript): Promise<number | null>
  /** Coins of a script, without those that a waiting transaction spends. */
  coins(watched: WatchedScript): Promise<readonly Coin[]>
  /** The same of several, in the order given: one question where the node can, else few at a time. */
  coinsOf(watched: readonly WatchedScript[]): Promise<readonly (readonly Coin[])[]>
  /** Satoshis that a script holds in blocks, whatever waits. */
  balance(watched: WatchedScript): Promise<bigint>
  /** The same of several, as `coinsOf`. */
  balances(watched: readonly WatchedScript[]): Promise<readonly bigint[]>
  /**
   * Who spends an outpoint, null while nobody does that the node knows of: one without an index of that looks through some
   * blocks each time it is asked, and tells later. `since`: the height from which on it can have been spent.
   */
  spend(outpoint: Outpoint, since: bigint): Promise<Spend | null>
  /** True for an output in a block that nothing spends, not even in the mempool; quick. */
  holds(outpoint: Outpoint): Promise<boolean>
  /**
   * Satoshis that waiting transactions pay which spend what a waiting one makes, and what those make: they leave the mempool with it. Of
   * one that does not wait: 0.
   */
  descendantFees(txId: string): Promise<bigint>
  /** Rate to be in one of the next `target` blocks, or of an hour; null while the node cannot tell. */
  feeRate(target: number): Promise<FeeRate | null>
  /** Repeatable with the same bytes; what is not certain is `unknown`. Throws ServiceError when the node does not answer. */
  broadcast(raw: Hex): Promise<BroadcastResult>
  /** What the node lacks of what this package needs, as the end of a sentence about it; null where it lacks nothing. */
  lack(): Promise<string | null>
  /** Questions of this package that the node does not answer, with their cost. */
  limits(): Promise<readonly NodeRestriction[]>
  close(): void
}
