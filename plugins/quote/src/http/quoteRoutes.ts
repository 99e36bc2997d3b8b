import { defineRoute, type QuoteEngine, QuoteErrorSchema, type QuotePath, type Route } from '@causeway/core'
import type { TSchema } from '@sinclair/typebox'
import { PriceResponseSchema, QuoteBodySchema, QuoteResponseSchema } from './quote.schema.js'
import { type QuoteKeyRuleDeps, requireQuoteKey } from './quoteKeyRule.js'

export interface QuoteRoutesDeps extends QuoteKeyRuleDeps {
  readonly engine: QuoteEngine
}

interface Operation {
  readonly path: QuotePath
  readonly bucket: string
  readonly summary: string
  readonly answer: TSchema
  readonly deprecated?: boolean
  readonly changes?: boolean
}

const OPERATIONS: readonly Operation[] = [
  { path: '/quote/v2', bucket: 'quote', summary: 'Quote a transfer', answer: QuoteResponseSchema, changes: true },
  {
    path: '/quote',
    bucket: 'quote',
    summary: 'Quote a transfer (use /quote/v2)',
    answer: QuoteResponseSchema,
    deprecated: true,
    changes: true,
  },
  { path: '/price', bucket: 'other', summary: 'Price a transfer without making a quote', answer: PriceResponseSchema },
]

const quoteRoute = ({ path, answer, ...rest }: Operation, deps: QuoteRoutesDeps): Route =>
  defineRoute({
    ...rest,
    method: 'POST',
    path,
    tags: ['quotes'],
    auth: 'optional',
    errors: 'quote',
    body: QuoteBodySchema,
    responses: {
      200: answer,
      400: QuoteErrorSchema,
      401: QuoteErrorSchema,
      500: QuoteErrorSchema,
      503: QuoteErrorSchema,
    },
    authorize: (body, caller) => requireQuoteKey(path, body, caller, deps),
    handler: ({ body, caller, ctx }) => {
      const { traceparent } = ctx.headers
      const call = {
        body,
        caller,
        path,
        traceparent: traceparent === undefined ? undefined : String(traceparent),
        effect: ctx.effect,
      }
      return path === '/price' ? deps.engine.price(call) : deps.engine.quote(call)
    },
  })

/** `POST /quote/v2`, `/quote` and `/price` (wire.md 1.1, 1.8). */
export const quoteRoutes = (deps: QuoteRoutesDeps): readonly Route[] =>
  OPERATIONS.map((operation) => quoteRoute(operation, deps))
