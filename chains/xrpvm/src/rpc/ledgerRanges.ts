/** Ledgers that a server has whole, from the oldest on: ranges of which both ends are in. */
export type LedgerRanges = readonly { readonly first: bigint; readonly last: bigint }[]

/** The first ledger of the main network that any server has: those before it are lost. */
export const OLDEST_LEDGER = 32_570n

const RANGE = /^(\d{1,10})(?:-(\d{1,10}))?$/

/** Reads `complete_ledgers` of `server_info`: `32570-40000,40005`, or `empty`; null for what is neither. */
export const parseRanges = (text: string): LedgerRanges | null => {
  if (text === 'empty' || text === '') return []
  const ranges = text.split(',').map((part) => {
    const [, first, last = first] = RANGE.exec(part.trim()) ?? []
    return first === undefined || last === undefined || BigInt(first) > BigInt(last)
      ? null
      : { first: BigInt(first), last: BigInt(last) }
  })
  return ranges.every((range) => range !== null) ? ranges : null
}

/** From which ledger on the server has all up to and with this one; null where it has not even that. */
export const wholeSince = (ranges: LedgerRanges, height: bigint): bigint | null =>
  ranges.find(({ first, last }) => first <= height && height <= last)?.first ?? null

/** Whether the server has every ledger from one to another. */
export const coversAll = (ranges: LedgerRanges, from: bigint, to: bigint): boolean => {
  const since = wholeSince(ranges, to)
  return since !== null && since <= from
}
