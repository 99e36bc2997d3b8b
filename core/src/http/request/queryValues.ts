import type { ParsedUrlQuery } from 'node:querystring'
import type { TSchema } from '@sinclair/typebox'
import { ServiceError } from '../../errors/serviceError.js'
import { isStorableText } from './storableText.js'

type Kind = 'text' | 'number' | 'boolean' | 'list'
interface Reader {
  readonly kind: Kind
  readonly items: Kind
}
type RawValues = ParsedUrlQuery | Readonly<Record<string, string>>

// Decimal text only: no exponent, hex, plus sign, leading zero or blank (wire.md H.6).
const decimalPattern = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/

const subschemas = (schema: TSchema, key: 'anyOf' | 'allOf'): readonly TSchema[] => {
  const variants: unknown = schema[key]
  return Array.isArray(variants) ? variants : []
}

const kindOf = (schema: TSchema): Kind => {
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'array') return 'list'
  const kinds = new Set(subschemas(schema, 'anyOf').map(kindOf))
  const [only = 'text', ...others] = kinds
  return others.length === 0 ? only : 'text'
}

const readerOf = (schema: TSchema): Reader => ({
  kind: kindOf(schema),
  items: schema.type === 'array' ? kindOf(schema.items as TSchema) : 'text',
})

const propertiesOf = (schema: TSchema): readonly (readonly [string, TSchema])[] => [
  ...Object.entries((schema.properties ?? {}) as Record<string, TSchema>),
  ...subschemas(schema, 'allOf').flatMap(propertiesOf),
]

/** The value meant by a text, or the text itself for the schema to refuse. */
const readText = (text: string, kind: Kind): unknown => {
  if (kind === 'number') return decimalPattern.test(text) ? Number(text) : text
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const readValue = (name: string, raw: string | string[], reader: Reader): unknown => {
  if (![raw].flat().every(isStorableText)) throw new ServiceError('INVALID_REQUEST', `query.${name} has U+0000 in it`)
  if (reader.kind === 'list') return (Array.isArray(raw) ? raw : [raw]).map((text) => readText(text, reader.items))
  if (Array.isArray(raw)) throw new ServiceError('INVALID_REQUEST', `query.${name} is given more than once`)
  return readText(raw, reader.kind)
}

/**
 * Makes the function that turns the texts of a query string or path into the types their schema declares, before
 * validation. Takes declared parameters only; others are ignored (wire.md 0.1). Throws `INVALID_REQUEST` for one
 * parameter given twice, unless it is a list.
 */
export const valueReader = (schema: TSchema): ((raw: RawValues) => Record<string, unknown>) => {
  const readers = propertiesOf(schema).map(([name, property]) => [name, readerOf(property)] as const)
  return (raw) => {
    const values: Record<string, unknown> = {}
    for (const [name, reader] of readers) {
      const text = Object.hasOwn(raw, name) ? raw[name] : undefined
      if (text !== undefined) values[name] = readValue(name, text, reader)
    }
    return values
  }
}
