import {
  defineRoute,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  NamedIntegrator,
  type Route,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { type HistoryDeps, historyPage } from '../historyPage.js'
import { sessionScope } from '../historyScope.js'
import { RequestsQuery } from '../query/requestsQuery.js'
import { requestsPageSchema } from '../recordSchema.js'

export interface SessionHistoryDeps extends HistoryDeps {
  readonly gate: ManagementGate
}

/** What `GET /requests/v3` takes; owner fields are there always. */
export const SessionHistoryQuery = Type.Composite([
  Type.Omit(RequestsQuery, ['includeAuthenticatedData']),
  Type.Object({ integratorId: NamedIntegrator() }),
])

/** `GET /dashboard/api/requests`: the history of the own integrator, as `GET /requests/v3` has it with owner fields. */
export const sessionHistoryRoute = (deps: SessionHistoryDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/requests',
    summary: 'Requests of the integrator, with what only their owner sees',
    description: 'Filters and answer of `GET /requests/v3`. Operators who name no integrator see everyone’s.',
    query: SessionHistoryQuery,
    responses: {
      200: requestsPageSchema(deps.partnerKey),
      400: MessageSchema,
      ...MANAGEMENT_REFUSALS,
      503: MessageSchema,
    },
    authorize: deps.gate.member,
    handler: ({ query, ctx }) =>
      historyPage(
        deps,
        { ...query, includeAuthenticatedData: true },
        sessionScope(deps.gate.scopeOf(ctx, query.integratorId), deps.ownership),
      ),
  })
