import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { KNOWN_VM_TYPES } from '../../chain/vmType.js'
import { ContentSchema } from '../request/content.js'
import { validator } from '../request/validate.js'
import { defineRoute, type Route } from '../route.js'
import { AmountText, VmTypeText } from './amountSchema.js'
import { openApiDocument } from './openApi.js'
import { OpenApiSchemas } from './openApiSchemas.js'
import { AmountSchema, MessageSchema } from './sharedSchemas.js'

const described = (...routes: Route[]) =>
  openApiDocument(routes, { title: 'Test', version: '1.0.0', servers: ['/'], tags: [{ name: 'b', description: 'B' }] })

const things = defineRoute({
  method: 'POST',
  path: '/things/:thingId/parts/:part',
  summary: 'Adds a part',
  description: 'At length',
  tags: ['a'],
  deprecated: true,
  changes: true,
  bucket: 'other',
  auth: 'optional',
  params: Type.Object({ thingId: Type.Integer({ description: 'Which' }) }),
  query: Type.Object({ deep: Type.Optional(Type.Boolean()), ids: Type.Array(Type.String()) }),
  body: Type.Object({ amount: AmountText() }),
  responses: { 201: Type.Object({ total: AmountSchema }), 404: MessageSchema },
  requestHeaders: { 'x-note': 'A note' },
  handler: () => ({}),
})
const page = defineRoute({
  method: 'GET',
  path: '/page',
  summary: 'A page',
  tags: ['b'],
  bucket: 'none',
  auth: 'none',
  etag: true,
  alwaysServed: true,
  responses: { 200: ContentSchema('text/html') },
  handler: () => ({}),
})
const quotes = defineRoute({
  method: 'POST',
  path: '/quotes',
  summary: 'Quotes',
  bucket: 'quote',
  auth: 'required',
  body: Type.Object({ note: Type.Optional(Type.String()) }),
  responses: { 200: AmountSchema },
  errors: 'quote',
  errorCodes: ['NO_QUOTES', 'PRICE_FETCH_FAILED', 'UNAUTHORIZED_QUOTE'],
  handler: () => ({}),
})

const { paths, tags, components, ...head } = described(things, page, quotes)

describe('the description of routes (wire.md 0.1)', () => {
  it('is titled, and names paths in braces and the groups in use', () => {
    expect(head).toEqual({ openapi: '3.1.0', info: { title: 'Test', version: '1.0.0' }, servers: [{ url: '/' }] })
    expect(Object.keys(paths)).toEqual(['/things/{thingId}/parts/{part}', '/page', '/quotes'])
    expect(tags).toEqual([
      { name: 'b', description: 'B', 'x-displayName': 'B' },
      { name: 'a', 'x-displayName': 'A' },
    ])
  })

  it('has every input: path, query, headers, body and key', () => {
    const post = paths['/things/{thingId}/parts/{part}']?.post
    expect(post).toMatchObject({
      operationId: 'postThingsByThingIdPartsByPart',
      summary: 'Adds a part',
      description: 'At length',
      tags: ['a'],
      deprecated: true,
      security: [{}, { apiKey: [] }],
      parameters: [
        { name: 'part', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'thingId', in: 'path', required: true, description: 'Which', schema: { type: 'integer' } },
        { name: 'deep', in: 'query', required: false, schema: { type: 'boolean' } },
        { name: 'ids', in: 'query', required: true, schema: { type: 'array', items: { type: 'string' } } },
        { name: 'x-note', in: 'header', required: false, description: 'A note' },
        { $ref: '#/components/parameters/IdempotencyKey' },
        { $ref: '#/components/parameters/RequestId' },
      ],
      requestBody: { required: true },
    })
    expect(paths['/quotes']?.post).toMatchObject({ security: [{ apiKey: [] }], requestBody: { required: false } })
    expect(paths['/page']?.get).toMatchObject({ security: [] })
  })

  it('has every answer, with those that follow from what a route is', () => {
    const statuses = (path: string, method: string) =>
      Object.keys(Object(Reflect.get(Object(paths[path]?.[method]), 'responses')))
    expect(statuses('/things/{thingId}/parts/{part}', 'post')).toEqual([
      ...['201', '400', '401', '404', '408', '409', '413', '415', '422', '429', '500', '503'],
    ])
    expect(statuses('/page', 'get')).toEqual(['200', '304', '500'])
    expect(statuses('/quotes', 'post')).toEqual(['200', '400', '401', '408', '413', '415', '429', '500', '503'])
    expect(paths['/page']?.get).toMatchObject({
      responses: { 200: { content: { 'text/html': { schema: { type: 'string' } } } } },
    })
  })

  it('lists the codes of each status in the family that shows codes; the rate limit has none (wire.md 0.4)', () => {
    const schemaOf = (status: number) => {
      const post = paths['/quotes']?.post as { responses: Record<number, { content: Record<string, unknown> }> }
      return post.responses[status]?.content['application/json']
    }
    const coded = (...codes: string[]) => ({
      schema: {
        type: 'object',
        allOf: [
          { $ref: '#/components/schemas/QuoteError' },
          { type: 'object', required: ['errorCode'], properties: { errorCode: { type: 'string', enum: codes } } },
        ],
      },
    })
    expect(schemaOf(400)).toEqual(coded('INVALID_REQUEST', 'NO_QUOTES'))
    expect(schemaOf(401)).toEqual(coded('UNAUTHORIZED', 'UNAUTHORIZED_QUOTE'))
    expect(schemaOf(503)).toEqual(coded('SERVICE_UNAVAILABLE', 'PRICE_FETCH_FAILED'))
    expect(schemaOf(429)).toEqual({ schema: { $ref: '#/components/schemas/Error' } })
  })

  it('has each shared schema once, and no reference to nothing', () => {
    expect(Object.keys(components.schemas as object)).toEqual(['Amount', 'Currency', 'Error', 'QuoteError'])
    const text = JSON.stringify({ paths, components })
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      expect(Object.keys(Object(components[kind]))).toContain(name)
    }
  })
})

describe('schemas of the description (JSON Schema 2020-12)', () => {
  it('lists the nine VMs, and answers may name another one of an installed package', () => {
    expect(new OpenApiSchemas().convert(VmTypeText())).toEqual({ type: 'string', enum: [...KNOWN_VM_TYPES] })
    expect(() => validator(VmTypeText(), 'response')('ledgervm')).not.toThrow()
  })

  it('writes choices, nullable values, records and rules in their usual form', () => {
    const schemas = new OpenApiSchemas()
    const choice = Type.Union([Type.Literal('a'), Type.Literal('b')])
    const titled = Type.Object({ a: Type.String() }, { title: 'Titled' })
    expect(schemas.convert(choice)).toEqual({ type: 'string', enum: ['a', 'b'] })
    expect(schemas.convert(Type.Union([choice, Type.Null()]))).toEqual({
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    })
    expect(schemas.convert(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'd' }))).toEqual({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'd',
    })
    expect(schemas.convert(Type.Union([titled, Type.Null()]))).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Titled' }, { type: 'null' }],
    })
    expect(schemas.convert(Type.Record(Type.String(), Type.Number()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'number' },
    })
    expect(schemas.convert(Type.String({ 'x-rule': 'must be so', example: 'so' }))).toEqual({
      type: 'string',
      description: 'Must be so',
      examples: ['so'],
    })
  })

  it('keeps two schemas of one title apart, and one that is only described otherwise together', () => {
    const schemas = new OpenApiSchemas()
    const of = (more: object, description: string) => Type.Object({ ...more }, { title: 'A', description })
    expect(schemas.convert(of({}, 'x'))).toEqual({ $ref: '#/components/schemas/A' })
    expect(schemas.convert(of({}, 'y'))).toEqual({ $ref: '#/components/schemas/A', description: 'y' })
    expect(schemas.convert(of({ a: Type.String() }, 'x'))).toEqual({ $ref: '#/components/schemas/A2' })
    expect(Object.keys(schemas.components)).toEqual(['A', 'A2'])
  })
})
