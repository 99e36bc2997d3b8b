import type { TSchema } from '@sinclair/typebox'
import type { Route } from '../route.js'
import { type DocumentedAnswer, documentedAnswers } from './documentedAnswers.js'
import type { JsonObject, OpenApiSchemas } from './openApiSchemas.js'

/** The path as the description writes it: `/chains/{chainId}/health`. */
export const openApiPath = (path: string): string => path.replace(/:([A-Za-z0-9_]+)/g, '{$1}')

const capitalized = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** A name made of method and path, for generated clients: `getIntentsStatusV3`, `getAppFeesByWalletBalances`. */
export const operationIdOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => {
  const words = path.replace(/:/g, 'by-').split(/[^A-Za-z0-9]+/)
  return `${method.toLowerCase()}${words.map(capitalized).join('')}`
}

/** The named values of a query or path, those of each part of an intersection too. */
export const namedValues = (
  schema: TSchema | undefined,
): readonly { readonly name: string; readonly schema: TSchema; readonly required: boolean }[] => {
  if (schema === undefined) return []
  const required: unknown = schema.required
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  // CAST: TypeBox keeps schemas there.
  const own = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const parts: readonly TSchema[] = Array.isArray(schema.allOf) ? schema.allOf : []
  return [
    ...own.map(([name, value]) => ({ name, schema: value, required: isRequired(name) })),
    ...parts.flatMap(namedValues),
  ]
}

const valueParameters = (schemas: OpenApiSchemas, where: 'path' | 'query', schema: TSchema | undefined): JsonObject[] =>
  namedValues(schema).map(({ name, schema: value, required }) => {
    const { description, ...rest } = schemas.convert(value)
    return {
      name,
      in: where,
      ...(description === undefined ? {} : { description }),
      required: where === 'path' || required,
      schema: rest,
    }
  })

/** Parameters of the path that have no schema are texts. */
const bareParameters = ({ path, params }: Route): JsonObject[] => {
  const known = new Set(namedValues(params).map(({ name }) => name))
  const named = [...path.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name = '']) => name)
  return named
    .filter((name) => !known.has(name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

/** By the names that `openApiDocument` gives the shared ones. */
const headerParameters = (route: Route): JsonObject[] => [
  ...Object.entries(route.requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: false,
    schema: { type: 'string' },
  })),
  ...(route.changes ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(route.etag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  { $ref: '#/components/parameters/RequestId' },
]

const bodyOf = (schemas: OpenApiSchemas, schema: TSchema): JsonObject => ({
  required: namedValues(schema).some(({ required }) => required),
  content: { 'application/json': { schema: schemas.convert(schema) } },
})

const headersOf = (route: Route, status: number): JsonObject => ({
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  ...(route.etag && (status === 200 || status === 304) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
  // A route with a refusal of its own says itself what comes with it (wire.md 3.3).
  ...(status === 429 && route.responses[429] === undefined
    ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
    : {}),
})

const responseOf = (schemas: OpenApiSchemas, route: Route, status: number, answer: DocumentedAnswer): JsonObject => ({
  description: answer.description,
  headers: headersOf(route, status),
  ...(answer.schema === undefined
    ? {}
    : { content: { [answer.mediaType]: { schema: schemas.convert(answer.schema) } } }),
})

const securityOf = (auth: Route['auth']): readonly JsonObject[] => {
  if (auth === 'none') return []
  return auth === 'required' ? [{ apiKey: [] }] : [{}, { apiKey: [] }]
}

/** The description of one route. */
export const openApiOperation = (schemas: OpenApiSchemas, route: Route): JsonObject => {
  const parameters = [
    ...bareParameters(route),
    ...valueParameters(schemas, 'path', route.params),
    ...valueParameters(schemas, 'query', route.query),
    ...headerParameters(route),
  ]
  const answers = [...documentedAnswers(route)]
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: route.tags ?? [],
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route.auth),
    parameters,
    ...(route.body === undefined ? {} : { requestBody: bodyOf(schemas, route.body) }),
    responses: Object.fromEntries(
      answers.map(([status, answer]) => [String(status), responseOf(schemas, route, status, answer)]),
    ),
    'x-rate-limit-bucket': route.bucket,
  }
}
