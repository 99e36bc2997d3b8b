import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import type { ConfigProblem } from '../configProblem.js'
import { nearestName } from '../nearestName.js'

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  useDefaults: true,
  verbose: true,
  addUsedSchema: false,
  // Used once: compiling it is what costs.
  code: { optimize: false },
})

/** `/chains/0/rpc` -> `chains[0].rpc`. */
const readablePath = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
    .replace(/^\./, '')

export const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

const namesOf = (schema: unknown): readonly string[] => {
  const properties: unknown = Reflect.get(Object(schema), 'properties')
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const unknownKey = (path: string, error: ErrorObject): ConfigProblem => {
  const key = String(error.params.additionalProperty)
  const known = namesOf(error.parentSchema)
  const near = nearestName(key, known)
  return {
    path: joinPath(path, key),
    message: 'is not a known setting.',
    remedy: near === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean "${near}"?`,
  }
}

const unitRemedy = (error: ErrorObject): string => {
  const unit: unknown = error.parentSchema?.unit
  const value = Number(error.data)
  if (unit === 'seconds' && value >= 1000) return ' It counts seconds; was it meant in milliseconds?'
  return typeof unit === 'string' ? ` It counts ${unit}.` : ''
}

const typeNames: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const describe = (path: string, error: ErrorObject): ConfigProblem => {
  const description: unknown = error.parentSchema?.description
  const remedy = typeof description === 'string' ? description : undefined
  const say = (message: string, advice = remedy): ConfigProblem => ({
    path,
    message,
    ...(advice === undefined ? {} : { remedy: advice }),
  })
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(path, error)
    case 'required': {
      const name = String(error.params.missingProperty)
      const properties = Object(Reflect.get(Object(error.parentSchema), 'properties'))
      const about: unknown = Reflect.get(Object(Reflect.get(properties, name)), 'description')
      return {
        path: joinPath(path, name),
        message: 'is missing.',
        ...(typeof about === 'string' ? { remedy: about } : {}),
      }
    }
    case 'enum': {
      const values: readonly unknown[] = error.params.allowedValues
      const near = typeof error.data === 'string' ? nearestName(error.data, values.map(String)) : undefined
      return say(
        `must be one of ${quoted(values)}.`,
        near === undefined ? undefined : `Did you mean ${JSON.stringify(near)}?`,
      )
    }
    case 'type':
      return say(`must be ${typeNames[String(error.params.type)] ?? String(error.params.type)}.`)
    case 'minimum':
    case 'maximum':
      return say(
        `must be ${error.keyword === 'minimum' ? 'at least' : 'at most'} ${error.params.limit}.${unitRemedy(error)}`,
      )
    case 'pattern': {
      const form: unknown = error.parentSchema?.form
      return say(typeof form === 'string' ? `must ${form}.` : `${error.message ?? 'is not valid'}.`)
    }
    default:
      return say(`${error.message ?? 'is not valid'}.`)
  }
}

/** Holds `value` against a schema, filling in defaults; every problem, none twice. Values never show: they may be secret. */
export const schemaProblems = (schema: TSchema, value: unknown, prefix = ''): readonly ConfigProblem[] => {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  const problems = (validate.errors ?? []).map((error) => {
    const inner = readablePath(error.instancePath)
    const path = prefix === '' || inner === '' ? prefix + inner : `${prefix}${inner.startsWith('[') ? '' : '.'}${inner}`
    return describe(path, error)
  })
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()]
}
