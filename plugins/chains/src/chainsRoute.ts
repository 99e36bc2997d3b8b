import { defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import type { ChainCatalogue } from './chainCatalogue.js'
import { ChainsAnswer, ChainsQuery } from './chainSchemas.js'

/** `GET /chains` (wire.md 4.6). */
export const chainsRoute = (catalogue: ChainCatalogue): Route =>
  defineRoute({
    method: 'GET',
    path: '/chains',
    summary: 'The chains of this deployment',
    tags: ['chains'],
    bucket: 'other',
    auth: 'optional',
    query: ChainsQuery,
    responses: { 200: ChainsAnswer, 400: MessageSchema },
    cache: 'public, max-age=60, stale-while-revalidate=300',
    etag: true,
    handler: ({ query }) => catalogue.body(query.includeChains),
  })
