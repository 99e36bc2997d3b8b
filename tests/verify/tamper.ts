import fc from 'fast-check'

export type Path = readonly (string | number)[]

/** Places of all texts, numbers, flags and nulls of a JSON value. */
export const leavesOf = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

export const pathText = (path: Path): string => path.join('.')

export const leafAt = (value: unknown, path: Path): unknown =>
  // CAST: the path was read off the value.
  path.reduce<unknown>((at, name) => (at as Readonly<Record<string | number, unknown>>)[name], value)

/** A copy with another leaf; undefined takes it away. */
export const withLeaf = <T>(value: T, path: Path, leaf: unknown): T => {
  const copy = structuredClone(value)
  // CAST: as above.
  const parent = leafAt(copy, path.slice(0, -1)) as Record<string | number, unknown>
  const name = path.at(-1) ?? ''
  if (leaf === undefined) delete parent[name]
  else parent[name] = leaf
  return copy
}

/** Other values in the place of a leaf, none of which means the same: letter case of hex and leading zeros mean nothing. */
export const tampered = (leaf: unknown): fc.Arbitrary<unknown> => {
  if (typeof leaf === 'boolean') return fc.constantFrom(!leaf, undefined, 'true')
  if (typeof leaf === 'number')
    return fc.oneof(
      fc.integer().filter((other) => other !== leaf),
      fc.constantFrom(undefined, String(leaf)),
    )
  const text = String(leaf)
  const changed = fc
    .tuple(fc.nat({ max: Math.max(text.length - 1, 0) }), fc.constantFrom(...'0123456789abcdefxZ'))
    .map(([at, character]) => text.slice(0, at) + character + text.slice(at + 1))
  const others = fc.oneof(
    changed,
    changed,
    changed,
    fc.constantFrom(undefined, null, 7, '', `${text}0`, `${text}00`, text.slice(0, -1), {}, []),
  )
  return others.filter((other) => typeof other !== 'string' || meaningOf(other) !== meaningOf(text))
}

const meaningOf = (text: string): string => {
  if (/^[0-9]+$/.test(text)) return BigInt(text).toString()
  return /^(0x)?[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text
}
