import { type Hex, ServiceError } from '@causeway/core'
import {
  defineRoute,
  Hash32,
  HttpError,
  MessageSchema,
  ownsAs,
  type QuoteStore,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { QuoteDataSchema } from './quoteDataSchema.js'

type Quoted = Pick<Static<typeof QuoteDataSchema>, 'feeSponsorship' | 'fees' | 'details'>

/**
 * `GET /integrators/quote-data`: a quote as it was asked for and given, for the integrator who asked (wire.md 1.10, H.3). A
 * quote of somebody else, or of nobody, is 403; so is any for a proxied caller.
 */
export const quoteDataRoute = ({ store }: { readonly store: Pick<QuoteStore, 'findQuote'> }): Route =>
  defineRoute({
    method: 'GET',
    path: '/integrators/quote-data',
    summary: 'A quote of your own, as it was asked for and given',
    tags: ['quotes'],
    bucket: 'other',
    auth: 'required',
    query: Type.Object({ requestId: Hash32({ description: 'Id of the quote' }) }),
    responses: { 200: QuoteDataSchema, 403: MessageSchema, 404: MessageSchema },
    handler: async ({ query, caller }) => {
      // CAST: the schema.
      const found = await store.findQuote(query.requestId.toLowerCase() as Hex)
      if (found === null) throw new HttpError(404, 'No quote has this id')
      if (!ownsAs(caller, found.integratorId)) {
        throw new ServiceError('FORBIDDEN', 'The quote was not made with a key of yours')
      }
      // CAST: written by `QuoteService` in this shape.
      const { feeSponsorship, fees, details } = JSON.parse(found.quoted) as Quoted
      const request: unknown = JSON.parse(found.body)
      const { requestId, createdAt } = found
      return { requestId, createdAt: createdAt.toISOString(), request, feeSponsorship, fees, details }
    },
  })
