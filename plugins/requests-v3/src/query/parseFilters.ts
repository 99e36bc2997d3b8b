import { badQuery, RECORD_FIELDS, type RecordCondition, type RecordField } from '@causeway/core/plugin'
import { checkedValue } from './conditionValues.js'
import { MAX_FILTERS } from './requestsQuery.js'

const MAX_GROUPS = 20
const MAX_KEYS = 20
const MAX_VALUES = 50

/** Names that only other versions have. */
const OTHER_VERSIONS: readonly RecordField[] = ['hash', 'wallet']

/** Every parameter of this version that compares by equality (wire.md 3.1 2). */
const FILTER_FIELDS: ReadonlySet<string> = new Set(RECORD_FIELDS.filter((field) => !OTHER_VERSIONS.includes(field)))

const NOT = 'not:'
const isField = (name: string): name is RecordField => FILTER_FIELDS.has(name)

const groupsOf = (text: string): readonly unknown[] => {
  let json: unknown
  try {
    json = text.length > MAX_FILTERS ? undefined : JSON.parse(text)
  } catch {
    // Not JSON at all.
  }
  if (!Array.isArray(json) || json.length > MAX_GROUPS) {
    throw badQuery('filters', `must be a JSON list of at most ${MAX_GROUPS} groups in ${MAX_FILTERS} characters`)
  }
  return json
}

const oneValue = (field: RecordField, value: unknown, where: string): string => {
  if (typeof value === 'string') return checkedValue(field, value, where)
  if (Number.isSafeInteger(value) && /chainId$/i.test(field)) return checkedValue(field, String(value), where)
  throw badQuery(where, 'must be a text, a list of texts, or null')
}

/** Null asks for emptiness; a list that has it among real values asks for nothing one could answer (wire.md 3.1 2). */
const valuesOf = (field: RecordField, value: unknown, where: string): readonly string[] | null => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0 || list.length > MAX_VALUES) throw badQuery(where, `must have 1 to ${MAX_VALUES} values`)
  if (list.every((item) => item === null)) return null
  if (list.includes(null)) throw badQuery(where, 'must not mix null with values')
  return list.map((item) => oneValue(field, item, where))
}

const conditionOf = (key: string, value: unknown, group: number): RecordCondition => {
  const not = key.startsWith(NOT)
  const field = not ? key.slice(NOT.length) : key
  if (!isField(field)) throw badQuery(`filters[${group}]`, `may only have the keys ${[...FILTER_FIELDS].join(', ')}`)
  return { field, not, values: valuesOf(field, value, `filters[${group}].${field}`) }
}

const groupOf = (group: unknown, at: number): readonly RecordCondition[] => {
  if (typeof group !== 'object' || group === null || Array.isArray(group)) {
    throw badQuery(`filters[${at}]`, 'must be an object')
  }
  const entries = Object.entries(group)
  if (entries.length > MAX_KEYS) throw badQuery(`filters[${at}]`, `must have at most ${MAX_KEYS} keys`)
  return entries.map(([key, value]) => conditionOf(key, value, at))
}

/**
 * Reads `filters` (wire.md 3.1 2): groups of conditions, AND within one and OR between them. Its
 * size is bounded: 16,384 characters, 20 groups, 20 keys in each, 50 values of a key. Throws `INVALID_REQUEST` for anything
 * else: other keys, nesting, null among values.
 */
export const parseFilters = (text: string): readonly (readonly RecordCondition[])[] => groupsOf(text).map(groupOf)
