/** A place in the outbox: events are read in the order of (xid, seq). */
export interface OutboxCursor {
  readonly xid: bigint
  readonly seq: bigint
}

/** Before every event. */
export const OUTBOX_START: OutboxCursor = { xid: 0n, seq: 0n }

/** Negative, zero or positive, as `a` is before, at or after `b`. */
export const compareCursors = (a: OutboxCursor, b: OutboxCursor): number => {
  if (a.xid !== b.xid) return a.xid < b.xid ? -1 : 1
  return a.seq === b.seq ? 0 : a.seq < b.seq ? -1 : 1
}

const MAX = 2n ** 63n - 1n
const TEXT = /^[A-Za-z0-9_-]{22}$/

/** A cursor as an opaque word of 22 characters of base64url. */
export const encodeCursor = ({ xid, seq }: OutboxCursor): string => {
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64BE(xid, 0)
  bytes.writeBigUInt64BE(seq, 8)
  return bytes.toString('base64url')
}

/** The cursor of a word that `encodeCursor` made; null for anything else. */
export const decodeCursor = (text: string): OutboxCursor | null => {
  if (!TEXT.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  const cursor = { xid: bytes.readBigUInt64BE(0), seq: bytes.readBigUInt64BE(8) }
  return cursor.xid > MAX || cursor.seq > MAX || encodeCursor(cursor) !== text ? null : cursor
}
