import { ServiceError } from '../errors/serviceError.js'

/** Random numbers and values of a mutation, so that a test runner can repeat it by its seed. */
export interface Chance {
  /** A whole number from 0 to below `count`. */
  below(count: number): number
  /** Any value of JSON. */
  anything(): unknown
}

const HUGE: readonly unknown[] = [
  Number.MAX_VALUE,
  -1,
  1e21,
  0.5,
  '0x'.padEnd(5000, 'f'),
  `0x${'f'.repeat(64)}`,
  '-1',
  '9'.repeat(400),
  'z'.repeat(44),
  [],
  {},
  true,
]

/**
 * An answer of a node with something wrong in it: null, missing, of another type, huge, doubled, cut short, or with members that are
 * not read. The value it is made of stays as it is.
 */
export const mutatedJson = (value: unknown, chance: Chance): unknown => {
  const times = 1 + chance.below(3)
  let mutated = value
  for (let time = 0; time < times; time += 1) mutated = mutatedOnce(mutated, chance)
  return mutated
}

/** Has a reader read a mutated answer. Throws each error but that of a node whose answer does not fit (RPC_HTTP_ERROR). */
export const readMutated = (
  { answer, read }: { readonly answer: unknown; read(answer: unknown): unknown },
  chance: Chance,
): void => {
  try {
    read(mutatedJson(answer, chance))
  } catch (error) {
    if (!ServiceError.is(error) || error.code !== 'RPC_HTTP_ERROR') throw error
  }
}

/** Goes down by chance, and replaces what it comes to. */
const mutatedOnce = (value: unknown, chance: Chance): unknown => {
  const isEnd = typeof value !== 'object' || value === null || chance.below(8) === 0
  if (isEnd) return replacement(value, chance)
  if (Array.isArray(value)) return mutatedList(value, chance)
  return mutatedObject({ ...value }, chance)
}

const mutatedList = (list: readonly unknown[], chance: Chance): unknown => {
  if (list.length === 0 || chance.below(6) === 0) return [...list, chance.anything()]
  if (chance.below(6) === 0) return list.slice(0, chance.below(list.length))
  const at = chance.below(list.length)
  return list.map((item, place) => (place === at ? mutatedOnce(item, chance) : item))
}

const mutatedObject = (object: Record<string, unknown>, chance: Chance): unknown => {
  const names = Object.keys(object)
  if (names.length === 0 || chance.below(8) === 0) return { ...object, more: chance.anything(), toString: null }
  const name = names[chance.below(names.length)] ?? ''
  if (chance.below(4) === 0) delete object[name]
  else object[name] = mutatedOnce(object[name], chance)
  return object
}

const replacement = (value: unknown, chance: Chance): unknown => {
  switch (chance.below(5)) {
    case 0:
      return null
    case 1:
      return HUGE[chance.below(HUGE.length)]
    case 2:
      return typeof value === 'string' ? value.slice(0, chance.below(value.length + 1)) : String(typeof value)
    case 3:
      return typeof value === 'number' ? String(value) : 7
    default:
      return chance.anything()
  }
}
