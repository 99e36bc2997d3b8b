import type { Json } from '@causeway/core'
import { cursorForm, storedNumber } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
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

const floor = Type.Transform(Type.Tuple([Type.String(), Type.Union([Type.String(), Type.Null()]), storedNumber]))
  .Decode(([address, signature, slot]): [string, Floor] => [address, { signature, slot }])
  .Encode(([address, { signature, slot }]) => [address, signature, slot])
const block = Type.Transform(Type.Tuple([storedNumber, Type.String()]))
  .Decode(([slot, hash]): ReadBlock => ({ slot, hash }))
  .Encode(({ slot, hash }) => [slot, hash])

interface Stored extends Partial<Pick<Cursor, 'checked' | 'blocks'>> {
  readonly slot: bigint
  readonly floors: readonly (readonly [string, Floor])[]
  readonly open: readonly (readonly [string, bigint])[]
}

const FORM = cursorForm<Stored>(
  Type.Object({
    slot: storedNumber,
    checked: Type.Optional(storedNumber),
    floors: Type.Array(floor),
    open: Type.Array(Type.Tuple([Type.String(), storedNumber])),
    blocks: Type.Optional(Type.Array(block)),
  }),
)

/** Cursor as the host stores it. */
export const encodeCursor = ({ floors, open, ...rest }: Cursor): Json =>
  FORM.encode({ ...rest, floors: [...floors], open: [...open] })

/** Throws when the stored text was not written by `encodeCursor`. */
export const decodeCursor = (stored: Json): Cursor => {
  const { slot, checked = slot, floors, open, blocks = [] } = FORM.decode(stored)
  return { slot, checked, floors: new Map(floors), open: new Map(open), blocks }
}

/** A cursor that begins at a slot, itself included, for every address. */
export const cursorAt = (slot: bigint): Cursor => ({
  slot,
  floors: new Map(),
  open: new Map(),
  checked: slot,
  blocks: [],
})
