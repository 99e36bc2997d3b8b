/** Keys of the chosen rows of a list, and the row from which a range extends. */
export interface Chosen {
  readonly keys: ReadonlySet<string>
  readonly anchor: string | null
}

/** Maximum number of rows that one action takes. */
export const MOST_CHOSEN = 1_000
export const NONE_CHOSEN: Chosen = { keys: new Set(), anchor: null }

/** Adds or removes one row. */
export const withOne = ({ keys }: Chosen, key: string): Chosen => {
  const next = new Set(keys)
  if (!next.delete(key) && next.size < MOST_CHOSEN) next.add(key)
  return { keys: next, anchor: key }
}

/** Adds the rows from the anchor to `key`, in the order of the list; toggles `key` alone if the anchor is not in the list. */
export const withRange = (chosen: Chosen, key: string, order: readonly string[]): Chosen => {
  const [from, to] = [chosen.anchor === null ? -1 : order.indexOf(chosen.anchor), order.indexOf(key)]
  if (from < 0 || to < 0) return withOne(chosen, key)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  const keys = new Set([...chosen.keys, ...range])
  return { keys: new Set([...keys].slice(0, MOST_CHOSEN)), anchor: chosen.anchor }
}

/** All of the list, at most `MOST_CHOSEN`, the first ones first. */
export const withAll = (order: readonly string[]): Chosen => ({
  keys: new Set(order.slice(0, MOST_CHOSEN)),
  anchor: null,
})

/** How much of the list is chosen. */
export const coverageOf = ({ keys }: Chosen, order: readonly string[]): 'none' | 'some' | 'all' => {
  const count = order.filter((key) => keys.has(key)).length
  if (count === 0) return 'none'
  return count === Math.min(order.length, MOST_CHOSEN) ? 'all' : 'some'
}
