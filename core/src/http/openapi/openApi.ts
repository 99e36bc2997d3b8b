import type { Route } from '../route.js'
import { openApiOperation, openApiPath } from './openApiOperation.js'
import { type JsonObject, OpenApiSchemas } from './openApiSchemas.js'

export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  readonly description?: string
  /** Base addresses, absolute or relative to the document. */
  readonly servers: readonly string[]
  /** Groups of operations in the order they are shown; those that are not named follow. */
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
}

/** An OpenAPI 3.1 description. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: JsonObject
  readonly servers: readonly JsonObject[]
  readonly tags: readonly JsonObject[]
  /** By path, in the order of the routes, then by method in small letters. */
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: JsonObject
}

const textParameter = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const PARAMETERS = {
  RequestId: textParameter(
    'X-Request-Id',
    'Name of this call in the logs, 1 to 128 letters, digits or `._:-`; a random one when left out',
  ),
  IdempotencyKey: textParameter(
    'Idempotency-Key',
    'Does the call once, however often it is repeated within 24 hours with this key: 1 to 255 visible ASCII characters. A repeat gets the first answer, with the header `Idempotency-Replayed`',
  ),
  IfNoneMatch: textParameter('If-None-Match', 'Entity tag of the version the client has'),
}

const textHeader = (description: string): JsonObject => ({ description, schema: { type: 'string' } })

const HEADERS = {
  RequestId: textHeader('Name of this call in the logs'),
  ETag: textHeader('Names this version of the answer'),
  RetryAfter: { description: 'Seconds after which to try again', schema: { type: 'integer', minimum: 1 } },
}

const SECURITY = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Key of an integrator' },
}

const tagsOf = (routes: readonly Route[], known: NonNullable<OpenApiOptions['tags']>): readonly JsonObject[] => {
  const used = new Set(routes.flatMap(({ tags = [] }) => tags))
  const others = [...used].filter((name) => !known.some((tag) => tag.name === name)).sort()
  const shown: readonly { readonly name: string }[] = [
    ...known.filter(({ name }) => used.has(name)),
    ...others.map((name) => ({ name })),
  ]
  return shown.map((tag) => ({ ...tag, 'x-displayName': `${tag.name.slice(0, 1).toUpperCase()}${tag.name.slice(1)}` }))
}

const pathsOf = (routes: readonly Route[], schemas: OpenApiSchemas): OpenApiDocument['paths'] => {
  const paths = new Map<string, JsonObject>()
  for (const route of routes) {
    const path = openApiPath(route.path)
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: openApiOperation(schemas, route) })
  }
  return Object.fromEntries(paths)
}

/**
 * Describes routes for machines (wire.md 0.1): each with its inputs, every answer it may give
 * (`documentedAnswers`) and whether it takes a key. Titled schemas are shared components. Pure.
 */
export const openApiDocument = (routes: readonly Route[], options: OpenApiOptions): OpenApiDocument => {
  const { title, version, description, servers, tags = [] } = options
  const schemas = new OpenApiSchemas()
  const paths = pathsOf(routes, schemas)
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description === undefined ? {} : { description }) },
    servers: servers.map((url) => ({ url })),
    tags: tagsOf(routes, tags),
    paths,
    components: {
      schemas: schemas.components,
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY,
    },
  }
}
