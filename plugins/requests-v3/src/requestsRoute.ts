import { defineRoute, MessageSchema, type Route } from '@causeway/core/plugin'
import { type HistoryDeps, historyPage } from './historyPage.js'
import { keyScope } from './historyScope.js'
import { RequestsQuery } from './query/requestsQuery.js'
import { requestsPageSchema } from './recordSchema.js'

/** `GET /requests/v3`: the history of requests (wire.md 3.1, K.3). */
export const requestsRoute = (deps: HistoryDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/requests/v3',
    summary: 'History of requests',
    description: 'Finds transfers by any fact, of everyone; owner fields are told to their owner alone.',
    tags: ['requests'],
    bucket: 'requests/v3',
    auth: 'required',
    query: RequestsQuery,
    responses: {
      200: requestsPageSchema(deps.partnerKey),
      400: MessageSchema,
      401: MessageSchema,
      403: MessageSchema,
      503: MessageSchema,
    },
    handler: ({ query, caller }) => historyPage(deps, query, keyScope(caller, deps.ownership)),
  })
