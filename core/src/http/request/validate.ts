import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { ServiceError } from '../../errors/serviceError.js'
import { RULE_KEYWORD, VM_KEYWORD } from '../openapi/amountSchema.js'

const MAX_NAME = 100
const MAX_MESSAGE = 400

const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  useDefaults: true,
  verbose: true,
  addUsedSchema: false,
  // Twice as long to compile, for code that is no faster.
  code: { optimize: false },
})
ajv.addVocabulary([RULE_KEYWORD, VM_KEYWORD, 'example'])

const compiled = new WeakMap<TSchema, ValidateFunction>()
/** By digest of the schema's text: routes declare equal schemas, and a process may start several hosts. */
const compiledByText = new Map<string, ValidateFunction>()
/** Schemas that no request has needed yet. */
const pending = new Set<TSchema>()

const compile = (schema: TSchema): ValidateFunction => {
  const known = compiled.get(schema)
  if (known) return known
  const text = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
  const made = compiledByText.get(text) ?? ajv.compile(schema)
  compiledByText.set(text, made)
  compiled.set(schema, made)
  pending.delete(schema)
  return made
}

/**
 * Compiles one of the schemas that no request has needed yet; false when there is none left. A process that has just started
 * has something better to do, and one that serves should not keep a request waiting for it. Throws for a bad schema.
 */
export const compileNext = (): boolean => {
  const [schema] = pending
  if (schema === undefined) return false
  pending.delete(schema)
  compile(schema)
  return true
}

const nameOf = (where: string, error: ErrorObject): string => {
  const segments = error.instancePath.split('/').slice(1)
  const inner = segments
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
  return `${where}${inner.join('').slice(0, MAX_NAME)}`
}

/** The values a field may have where the schema lists them. */
const choicesOf = (schema: unknown): readonly unknown[] | undefined => {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { enum: listed, anyOf, const: only } = schema as { enum?: unknown[]; anyOf?: unknown[]; const?: unknown }
  if (listed !== undefined) return listed
  if (only !== undefined) return [only]
  const variants = anyOf?.map(choicesOf)
  return variants?.every((variant) => variant !== undefined) ? variants.flat() : undefined
}

const ruleOf = (error: ErrorObject): string => {
  const schema: unknown = error.parentSchema
  const rule: unknown = error.parentSchema?.[RULE_KEYWORD]
  if (typeof rule === 'string') return rule
  const choices = choicesOf(schema)
  if (choices) return `must be one of ${choices.map(String).join(', ')}`
  return error.message ?? 'is not valid'
}

const explain = (where: string, errors: readonly ErrorObject[]): string => {
  // A union reports each branch and then itself; its own list of values says more than the first branch.
  const last = errors[errors.length - 1]
  const union = last?.keyword === 'anyOf' && (choicesOf(last.parentSchema) || last.parentSchema?.[RULE_KEYWORD])
  const error = union ? last : errors[0]
  if (!error) return `${where} is not valid`
  const missing: unknown = error.keyword === 'required' ? error.params.missingProperty : undefined
  if (typeof missing === 'string') return `${nameOf(where, error)}.${missing} is required`
  return `${nameOf(where, error)} ${ruleOf(error)}`.slice(0, MAX_MESSAGE)
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

const takesNull = (schema: Node): boolean =>
  schema.type === 'null' || schema.const === null || nodesOf(schema.anyOf).some(takesNull)

/** Takes fields out of a body that are null and optional, unless their schema has a null of its own (wire.md 0.1). */
const dropNulls = (schema: unknown, value: unknown): void => {
  if (!isNode(schema) || !isNode(value)) return
  for (const part of nodesOf(schema.allOf)) dropNulls(part, value)
  if (Array.isArray(value)) {
    for (const entry of value) dropNulls(schema.items, entry)
    return
  }
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  for (const [name, field] of Object.entries(isNode(schema.properties) ? schema.properties : {})) {
    const isAbsent = value[name] === null && !required.includes(name) && isNode(field) && !takesNull(field)
    if (isAbsent) Reflect.deleteProperty(value, name)
    else if (Object.hasOwn(value, name)) dropNulls(field, value[name])
  }
}

/**
 * Makes the check of one part of a request against its schema. It fills defaults in place, lets unknown fields stand,
 * reads null in an optional field of a body as absent, and throws `ServiceError` `INVALID_REQUEST` that names the field and its rule, never the value (wire.md K.1 4).
 * `where` is the word the message begins with: `body`, `query` or `path`. A schema compiles once per process, when it
 * is first needed or by `compileNext`.
 */
export const validator = (schema: TSchema, where: string): ((value: unknown) => void) => {
  if (!compiled.has(schema)) pending.add(schema)
  return (value) => {
    const validate = compile(schema)
    if (where === 'body') dropNulls(schema, value)
    if (!validate(value)) throw new ServiceError('INVALID_REQUEST', explain(where, validate.errors ?? []))
  }
}
