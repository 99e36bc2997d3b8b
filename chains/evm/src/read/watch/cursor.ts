import type { Json } from '@causeway/core'

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

/** Cursor as the host stores it; block numbers are decimal text. */
export const encodeCursor = ({ number, hash, ring, checked }: Cursor): Json => ({
  number: number.toString(),
  hash,
  checked: checked.toString(),
  ring: ring.map((mark) => [mark.number.toString(), mark.hash]),
})

/** Throws when the stored text was not written by `encodeCursor`. */
export const decodeCursor = (stored: Json): Cursor => {
  const bad = new Error('The stored cursor of this chain cannot be read.')
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) throw bad
  const fields = stored as { readonly [key: string]: Json }
  const { number, hash, ring, checked = number } = fields
  if (typeof number !== 'string' || typeof hash !== 'string' || typeof checked !== 'string') throw bad
  if (!Array.isArray(ring)) throw bad
  const marks = ring.map((entry: Json): Mark => {
    const [at, markHash] = Array.isArray(entry) ? entry : []
    if (typeof at !== 'string' || typeof markHash !== 'string') throw bad
    return { number: BigInt(at), hash: markHash }
  })
  return { number: BigInt(number), hash, ring: marks, checked: BigInt(checked) }
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
