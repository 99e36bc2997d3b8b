import type { Json } from '@causeway/core'
import type { ReadBlock } from '../../depositAddress/arrivals/readBlocks.js'

/** Where the reading of one address goes on: after `signature`, which is final; without one, at `slot`. */
export interface Floor {
  readonly signature: string | null
  readonly slot: bigint
}

/** How far a watcher has read. */
export interface Cursor {
  /** Slot up to which every address has been read. */
  readonly slot: bigint
  readonly floors: ReadonlyMap<string, Floor>
  /** Deposits delivered from blocks that were not final then, by signature: whether they still stand must be seen. */
  readonly open: ReadonlyMap<string, bigint>
  /** Slot up to which signatures were read a second time. */
  readonly checked: bigint
  /** The last blocks that were read whole (`advanced`); empty while no address is live. */
  readonly blocks: readonly ReadBlock[]
}

/** Cursor as the host stores it; slots are decimal text. */
export const encodeCursor = ({ slot, floors, open, checked, blocks }: Cursor): Json => ({
  slot: slot.toString(),
  checked: checked.toString(),
  floors: [...floors].map(([address, floor]) => [address, floor.signature, floor.slot.toString()]),
  open: [...open].map(([signature, at]) => [signature, at.toString()]),
  ...(blocks.length === 0 ? {} : { blocks: blocks.map(({ slot: at, hash }) => [at.toString(), hash]) }),
})

/** Throws when the stored text was not written by `encodeCursor`. */
export const decodeCursor = (stored: Json): Cursor => {
  const bad = new Error('The stored cursor of this chain cannot be read.')
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) throw bad
  const fields = stored as { readonly [key: string]: Json }
  const { slot, checked = slot, floors, open, blocks = [] } = fields
  if (typeof slot !== 'string' || typeof checked !== 'string') throw bad
  if (!Array.isArray(floors) || !Array.isArray(open) || !Array.isArray(blocks)) throw bad
  const readFloor = (entry: Json): [string, Floor] => {
    const [address, signature, at] = Array.isArray(entry) ? entry : []
    if (typeof address !== 'string' || typeof at !== 'string') throw bad
    if (signature !== null && typeof signature !== 'string') throw bad
    return [address, { signature, slot: BigInt(at) }]
  }
  const readOpen = (entry: Json): [string, bigint] => {
    const [signature, at] = Array.isArray(entry) ? entry : []
    if (typeof signature !== 'string' || typeof at !== 'string') throw bad
    return [signature, BigInt(at)]
  }
  const readBlock = (entry: Json): ReadBlock => {
    const [at, hash] = Array.isArray(entry) ? entry : []
    if (typeof at !== 'string' || typeof hash !== 'string') throw bad
    return { slot: BigInt(at), hash }
  }
  return {
    slot: BigInt(slot),
    checked: BigInt(checked),
    floors: new Map(floors.map(readFloor)),
    open: new Map(open.map(readOpen)),
    blocks: blocks.map(readBlock),
  }
}

/** A cursor that begins at a slot, itself included, for every address. */
export const cursorAt = (slot: bigint): Cursor => ({
  slot,
  floors: new Map(),
  open: new Map(),
  checked: slot,
  blocks: [],
})
