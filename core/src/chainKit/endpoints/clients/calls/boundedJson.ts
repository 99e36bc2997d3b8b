/** Deeper members, more of them and longer texts are left out. */
const MOST = { depth: 6, members: 100, text: 200_000 } as const

/**
 * A value of JSON that can be written, searched and logged: what a node says beside its answers may be nested a million times, which
 * no writer of JSON survives, or be as long as an answer may be.
 */
export const boundedJson = (value: unknown, depth: number = MOST.depth): unknown => {
  if (typeof value === 'string') return value.slice(0, MOST.text)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.slice(0, MOST.members).map((item) => boundedJson(item, depth - 1))
  const members = Object.entries(value).slice(0, MOST.members)
  return Object.fromEntries(members.map(([name, member]) => [name, boundedJson(member, depth - 1)]))
}
