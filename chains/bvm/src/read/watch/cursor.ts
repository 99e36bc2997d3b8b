import type { Hex, Json } from '@causeway/core'
import {
  decodeWaiting,
  encodeWaiting,
  type StoredArrival,
  type WaitingArrival,
} from '../../depositAddress/waitingArrivals.js'
import { type Outpoint, outpointText, readOutpoint } from '../../payout/coins/coin.js'

/** A block of the best chain that was read. */
export interface ReadBlock {
  readonly height: bigint
  readonly hash: string
}

/** A deposit that was told and is not in a block yet, or one that cannot be spent yet. */
export interface Candidate {
  readonly txId: string
  /** Of `ReadDeposit`. */
  readonly position: number
  readonly orderId: Hex | null
  readonly amount: bigint
  readonly depositor: string | null
  readonly index: number
  readonly spent: readonly Outpoint[]
  /** Tip when it was first seen. */
  readonly since: bigint
  /** Height from which on it counts; null for one that waits in the mempool. */
  readonly spendableAt: bigint | null
}

/** How far a watcher has read. */
export interface Cursor {
  /** Blocks that were read, the newest last: as many as a reorganization may take, for finding where it began. */
  readonly blocks: readonly ReadBlock[]
  /** By `candidateKey`. */
  readonly candidates: ReadonlyMap<string, Candidate>
  /** What comes to addresses and is not in a block yet, or cannot be spent yet, by transaction. */
  readonly waiting: ReadonlyMap<string, WaitingArrival>
}

/** The first deposit of a transaction has the transaction's id. */
export const candidateKey = ({ txId, position }: Pick<Candidate, 'txId' | 'position'>): string =>
  position === 0 ? txId : `${txId} ${position}`

/** Blocks that are remembered. */
export const MAX_BLOCKS = 144

/** Cursor as the host stores it; numbers are decimal text. */
export const encodeCursor = ({ blocks, candidates, waiting }: Cursor): Json => ({
  blocks: blocks.map(({ height, hash }) => [`${height}`, hash]),
  candidates: [...candidates.values()].map(({ amount, since, spendableAt, spent, ...rest }) => ({
    ...rest,
    amount: `${amount}`,
    since: `${since}`,
    spendableAt: spendableAt === null ? null : `${spendableAt}`,
    spent: spent.map(outpointText),
  })),
  ...(waiting.size === 0 ? {} : { waiting: encodeWaiting(waiting) }),
})

interface StoredCursor {
  readonly blocks: readonly (readonly [string, string])[]
  readonly candidates: readonly {
    readonly txId: string
    /** Absent in cursors of versions that knew one deposit of a transaction. */
    readonly position?: number
    readonly orderId: Hex | null
    readonly amount: string
    readonly depositor: string | null
    readonly index: number
    readonly spent: readonly string[]
    readonly since: string
    readonly spendableAt: string | null
  }[]
  readonly waiting?: readonly StoredArrival[]
}

/** Throws when the stored value was not written by `encodeCursor`. */
export const decodeCursor = (stored: Json): Cursor => {
  try {
    // CAST: written by encodeCursor; anything else fails below.
    const { blocks, candidates, waiting = [] } = stored as unknown as StoredCursor
    return {
      blocks: blocks.map(([height, hash]) => ({ height: BigInt(height), hash })),
      candidates: new Map(
        candidates.map(({ amount, since, spendableAt, spent, position = 0, ...rest }) => [
          candidateKey({ txId: rest.txId, position }),
          {
            ...rest,
            position,
            amount: BigInt(amount),
            since: BigInt(since),
            spendableAt: spendableAt === null ? null : BigInt(spendableAt),
            spent: spent.map(readOutpoint),
          },
        ]),
      ),
      waiting: decodeWaiting(waiting),
    }
  } catch (cause) {
    throw new Error('The stored cursor of this chain cannot be read.', { cause })
  }
}
