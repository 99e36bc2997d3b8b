import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { KNOWN_VM_TYPES } from '../../chain/vmType.js'
import { RULE_KEYWORD, VM_KEYWORD } from './amountSchema.js'

/** A part of the document: plain JSON. */
export type JsonObject = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords that hold schemas: in a list, by name, or one. */
const LISTS = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties', '$defs'])
const SINGLES = new Set(['items', 'additionalProperties', 'propertyNames', 'not', 'contains', 'unevaluatedProperties'])
/** What TypeBox writes for a record of any text. */
const ANY_NAME = '^(.*)$'

/**
 * Turns schemas of routes into those of a document (JSON Schema 2020-12). A schema with a title becomes a component, once
 * however often it is used; a second one of that title that says something else gets a number behind its name.
 */
export class OpenApiSchemas {
  readonly #components = new Map<string, JsonObject>()

  /** Sorted by name. */
  get components(): Readonly<Record<string, JsonObject>> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  convert(schema: TSchema | JsonObject): JsonObject {
    const { title } = schema
    const plain = this.#plain(schema)
    return typeof title === 'string' ? this.#reference(title, plain) : plain
  }

  #reference(title: string, schema: JsonObject): JsonObject {
    const name = title.replace(/[^A-Za-z0-9._-]/g, '')
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? name : `${name}${number}`
      const known = this.#components.get(numbered)
      if (known === undefined) this.#components.set(numbered, schema)
      else if (!isDeepStrictEqual({ ...known, description: '' }, { ...schema, description: '' })) continue
      const own = known !== undefined && schema.description !== undefined && schema.description !== known.description
      return { $ref: `#/components/schemas/${numbered}`, ...(own ? { description: schema.description } : {}) }
    }
  }

  #plain(schema: TSchema | JsonObject): JsonObject {
    const { [RULE_KEYWORD]: rule, [VM_KEYWORD]: isVm, example, ...rest } = schema
    const converted = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, this.#keyword(name, value)]),
    )
    return nullableForm(
      enumForm(
        recordForm({
          ...converted,
          ...(isVm === true ? { enum: KNOWN_VM_TYPES } : {}),
          ...(typeof rule === 'string' && rest.description === undefined ? { description: asSentence(rule) } : {}),
          ...(example === undefined ? {} : { examples: [example] }),
        }),
      ),
    )
  }

  #keyword(name: string, value: unknown): unknown {
    if (LISTS.has(name) && Array.isArray(value)) return value.map((item) => this.convert(item))
    if (SINGLES.has(name) && isObject(value)) return this.convert(value)
    if (MAPS.has(name) && isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, isObject(item) ? this.convert(item) : item]),
      )
    }
    return value
  }
}

const asSentence = (rule: string): string => `${rule.slice(0, 1).toUpperCase()}${rule.slice(1)}`

const recordForm = (schema: JsonObject): JsonObject => {
  const { patternProperties, ...rest } = schema
  if (!isObject(patternProperties)) return schema
  const names = Object.keys(patternProperties)
  const any = names.length === 1 ? patternProperties[ANY_NAME] : undefined
  return any === undefined ? schema : { ...rest, additionalProperties: any }
}

/** A choice among constants of one type is a list of values. */
const enumForm = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length === 0) return schema
  const [first]: unknown[] = anyOf
  const type = isObject(first) ? first.type : undefined
  const constants = anyOf.every((item) => isObject(item) && 'const' in item && item.type === type)
  return constants ? { ...rest, type, enum: anyOf.map((item: JsonObject) => item.const) } : schema
}

/** A value of one simple type, or null. */
const nullableForm = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const value: unknown = anyOf.find((item) => isObject(item) && item.type !== 'null')
  const hasNull = anyOf.some((item) => isObject(item) && item.type === 'null')
  if (!hasNull || !isObject(value) || typeof value.type !== 'string' || 'const' in value) return schema
  const choices = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {}
  return { ...value, ...rest, type: [value.type, 'null'], ...choices }
}
