import { type Static, Type } from '@sinclair/typebox'
import { ServiceError } from '../errors/serviceError.js'
import { Hash32 } from '../http/openapi/amountSchema.js'
import { MessageSchema } from '../http/openapi/sharedSchemas.js'
import { defineRoute, type Route } from '../http/route.js'
import type { Hex } from '../money/hex.js'
import type { PermitAnswer, PermitCall, PermitHandler } from './permitHandler.js'

const Query = Type.Object({
  signature: Type.String({
    minLength: 1,
    maxLength: 20_000,
    description: 'By the wallet, over what the step says in `sign`: hex',
  }),
})

const Body = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 64, description: 'As in the `post` of the step' }),
  requestId: Hash32({ description: 'As in the `post` of the step' }),
  api: Type.Optional(Type.Union([Type.Literal('bridge'), Type.Literal('swap'), Type.Literal('user-swap')])),
  terms: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'As in the `post` of the step, where it has them (claims)' }),
  ),
})

const Answer = Type.Object(
  {
    message: Type.String(),
    steps: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        minItems: 1,
        description: 'What is to be done besides; absent where nothing is',
      }),
    ),
  },
  { title: 'PermitAnswer' },
)

/** @throws Error for a kind that two plugins take */
const byKind = (handlers: readonly PermitHandler[]): ReadonlyMap<string, PermitHandler> => {
  const found = new Map<string, PermitHandler>()
  for (const handler of handlers) {
    for (const kind of handler.kinds) {
      if (found.has(kind)) throw new Error(`Two plugins take signatures of the kind ${kind}. Take one out.`)
      found.set(kind, handler)
    }
  }
  return found
}

/**
 * `POST /execute/permits` and its alias (wire.md 2.7, A.4), by the handlers of all plugins; none where no plugin takes signatures.
 * @throws Error for a kind that two plugins take
 */
export const permitRoutes = (handlers: readonly PermitHandler[]): readonly Route[] => {
  const known = byKind(handlers)
  if (known.size === 0) return []
  const kinds = [...known.keys()].join(', ')
  const execute = async (kind: string, call: Omit<PermitCall, 'kind'>): Promise<PermitAnswer> => {
    const handler = known.get(kind)
    if (handler === undefined) throw new ServiceError('INVALID_REQUEST', `body.kind must be one of: ${kinds}`)
    return handler.execute({ kind, ...call })
  }
  const route = (path: string, deprecated: boolean): Route =>
    defineRoute({
      method: 'POST',
      path,
      summary: 'Hand in the signature of a step',
      description: `Takes what the \`post\` of a step of kind \`signature\` says, and the signature in the query. Kinds: ${kinds}.`,
      tags: ['transactions'],
      deprecated,
      bucket: 'other',
      auth: 'optional',
      changes: true,
      query: Query,
      body: Body,
      responses: { 200: Answer, 400: MessageSchema },
      handler: ({ query, body, caller, ctx }) =>
        execute(body.kind, { ...readBody(body), signature: query.signature, caller, ctx }),
    })
  return [route('/execute/permits', false), route('/execute/permit', true)]
}

const readBody = ({ requestId, api, terms }: Static<typeof Body>) => ({
  // CAST: the pattern of the schema.
  requestId: requestId.toLowerCase() as Hex,
  ...(api === undefined ? {} : { api }),
  ...(terms === undefined ? {} : { terms }),
})
