import type { Json } from '../../chain/json.js'

/** How far a ledger was read. */
export interface LedgerCursor {
  /** Everything up to it was read. */
  readonly height: bigint
  /** Everything up to it was read a second time, at another provider. */
  readonly checked: bigint
  /** Of the block there, where blocks may leave the chain; else null. */
  readonly hash: string | null
  /** A range above it that was read in part; null: none. */
  readonly part: { readonly upTo: bigint; readonly hash: string | null; readonly mark: Json } | null
}

export const cursorJson = ({ height, checked, hash, part }: LedgerCursor): Json => ({
  height: height.toString(),
  checked: checked.toString(),
  hash,
  part: part === null ? null : { ...part, upTo: part.upTo.toString() },
})

/** @throws Error for the cursor of another watcher: a programming error, not one of the chain */
export const readCursor = (cursor: Json): LedgerCursor => {
  try {
    // CAST: whatever is missing makes one of the conversions below fail.
    const { height, checked, hash, part } = cursor as unknown as LedgerCursor
    const open = part === null || part === undefined ? null : { ...part, upTo: BigInt(part.upTo) }
    const read = BigInt(height)
    return { height: read, checked: BigInt(checked ?? read), hash: hash ?? null, part: open }
  } catch (cause) {
    throw new Error('The stored cursor is not one of this ledger.', { cause })
  }
}
