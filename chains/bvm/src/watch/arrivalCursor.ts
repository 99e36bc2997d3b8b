import type { Json } from '@causeway/core'
import { type Outpoint, outpointText } from '../coins/coin.js'
import { type ReadBlock, readOutpoint } from './cursor.js'

/** What a transaction paid to one address: `position` counts its outputs to it from 0. */
export interface Received {
  readonly to: string
  readonly position: number
  /** Satoshis. */
  readonly amount: bigint
}

/** A transaction that was told and waits in the mempool, or whose outputs cannot be spent yet. */
export interface WaitingArrival {
  readonly txId: string
  readonly received: readonly Received[]
  readonly sender: string | null
  readonly spent: readonly Outpoint[]
  /** Tip when it was seen, or the height of its block. */
  readonly since: bigint
  /** Height from which on it counts; null for one that waits in the mempool. */
  readonly spendableAt: bigint | null
}

/** How far a watcher of addresses has read. */
export interface ArrivalCursor {
  /** As `Cursor.blocks`. */
  readonly blocks: readonly ReadBlock[]
  readonly waiting: ReadonlyMap<string, WaitingArrival>
}

/** Cursor as the host stores it; numbers are decimal text. */
export const encodeArrivals = ({ blocks, waiting }: ArrivalCursor): Json => ({
  blocks: blocks.map(({ height, hash }) => [`${height}`, hash]),
  waiting: [...waiting.values()].map(({ txId, received, sender, spent, since, spendableAt }) => ({
    txId,
    received: received.map(({ to, position, amount }) => ({ to, position, amount: `${amount}` })),
    sender,
    spent: spent.map(outpointText),
    since: `${since}`,
    spendableAt: spendableAt === null ? null : `${spendableAt}`,
  })),
})

interface StoredCursor {
  readonly blocks: readonly (readonly [string, string])[]
  readonly waiting: readonly {
    readonly txId: string
    readonly received: readonly (Omit<Received, 'amount'> & { readonly amount: string })[]
    readonly sender: string | null
    readonly spent: readonly string[]
    readonly since: string
    readonly spendableAt: string | null
  }[]
}

/** Throws when the stored value was not written by `encodeArrivals`. */
export const decodeArrivals = (stored: Json): ArrivalCursor => {
  try {
    // CAST: written by encodeArrivals; anything else fails below.
    const { blocks, waiting } = stored as unknown as StoredCursor
    return {
      blocks: blocks.map(([height, hash]) => ({ height: BigInt(height), hash })),
      waiting: new Map(
        waiting.map(({ received, spent, since, spendableAt, ...rest }) => [
          rest.txId,
          {
            ...rest,
            received: received.map(({ amount, ...item }) => ({ ...item, amount: BigInt(amount) })),
            spent: spent.map(readOutpoint),
            since: BigInt(since),
            spendableAt: spendableAt === null ? null : BigInt(spendableAt),
          },
        ]),
      ),
    }
  } catch (cause) {
    throw new Error('The stored cursor of the deposit addresses of this chain cannot be read.', { cause })
  }
}
