import type { Json } from '@causeway/core'
import { cursorForm, storedNumber } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'

export interface Mark {
  readonly number: bigint
  readonly hash: string
}

/** How far a watcher has read, with blocks seen on the way, newest last, to find where a reorg began. */
export interface Cursor extends Mark {
  readonly ring: readonly Mark[]
  /** Last block that was read a second time. */
  readonly checked: bigint
}

/** Marks kept in a cursor. */
const RING_SIZE = 64

const mark = Type.Transform(Type.Tuple([storedNumber, Type.String()]))
  .Decode(([number, hash]): Mark => ({ number, hash }))
  .Encode(({ number, hash }) => [number, hash])

const FORM = cursorForm<Omit<Cursor, 'checked'> & Partial<Pick<Cursor, 'checked'>>>(
  Type.Object({
    number: storedNumber,
    hash: Type.String(),
    checked: Type.Optional(storedNumber),
    ring: Type.Array(mark),
  }),
)

/** Cursor as the host stores it. */
export const encodeCursor = (cursor: Cursor): Json => FORM.encode(cursor)

/** Throws when the stored text was not written by `encodeCursor`. */
export const decodeCursor = (stored: Json): Cursor => {
  const { checked, ...cursor } = FORM.decode(stored)
  return { ...cursor, checked: checked ?? cursor.number }
}

/** The cursor moved to `to`, remembering it and the other blocks seen. */
export const advance = (cursor: Cursor, to: Mark, seen: readonly Mark[]): Cursor => {
  const byNumber = new Map<bigint, Mark>()
  for (const mark of [...cursor.ring, ...seen, to]) {
    if (mark.number <= to.number) byNumber.set(mark.number, mark)
  }
  const ring = [...byNumber.values()].sort((left, right) => (left.number < right.number ? -1 : 1))
  return { ...to, ring: ring.slice(-RING_SIZE), checked: cursor.checked }
}
