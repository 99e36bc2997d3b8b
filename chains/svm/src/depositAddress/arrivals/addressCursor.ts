import type { Json } from '@causeway/core'

/** A block that was read. */
export interface ReadBlock {
  readonly slot: bigint
  readonly hash: string
}

/** How far a watcher of addresses has read: the newest block, and below it those that were not final, down to one that was; oldest first. */
export interface AddressCursor {
  readonly blocks: readonly ReadBlock[]
}

/** Most blocks that are remembered while the chain calls nothing final. */
const MAX_BLOCKS = 512

/** Cursor as the host stores it; slots are decimal text. */
export const encodeAddressCursor = ({ blocks }: AddressCursor): Json =>
  blocks.map(({ slot, hash }) => [`${slot}`, hash])

/** Throws when the stored text was not written by `encodeAddressCursor`. */
export const decodeAddressCursor = (stored: Json): AddressCursor => {
  const bad = new Error('The stored cursor of deposit addresses on this chain cannot be read.')
  if (!Array.isArray(stored) || stored.length === 0) throw bad
  return {
    blocks: stored.map((entry: Json) => {
      const [slot, hash] = Array.isArray(entry) ? entry : []
      if (typeof slot !== 'string' || typeof hash !== 'string') throw bad
      return { slot: BigInt(slot), hash }
    }),
  }
}

export const newestOf = ({ blocks }: AddressCursor): ReadBlock => {
  const newest = blocks.at(-1)
  if (newest === undefined) throw new Error('A cursor of deposit addresses holds at least one block.')
  return newest
}

/** With blocks read on top; what lies below the newest final one cannot leave the chain and is forgotten. */
export const advanced = ({ blocks }: AddressCursor, read: readonly ReadBlock[], finalized: bigint): AddressCursor => {
  const all = [...blocks, ...read]
  const final = all.findLastIndex(({ slot }) => slot <= finalized)
  return { blocks: all.slice(Math.max(0, final, all.length - MAX_BLOCKS)) }
}
