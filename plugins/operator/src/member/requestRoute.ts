import type { Hex } from '@causeway/core'
import {
  defineRoute,
  HttpError,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  NamedIntegrator,
  type Route,
  transactionLink,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { ExplainDeps } from '../explain/explain.js'
import { readFees } from './feeLines.js'
import { memberRequest } from './memberRequest.js'
import { MemberRequestSchema } from './memberSchemas.js'
import { findOwnRequest } from './ownRequest.js'

export interface MemberRouteDeps extends ExplainDeps {
  readonly gate: ManagementGate
}

/** `GET /dashboard/api/requests/{id}`: everything of one request for its owner, and all of it for an operator. */
export const memberRequestRoute = ({ gate, ...deps }: MemberRouteDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/requests/:id',
    summary: 'Everything of one request, by its id, its order’s or a transaction of it',
    description:
      'What was promised, what happened and why, where the money is, what stands in the way and what comes next.',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) }),
    query: Type.Object({ integratorId: NamedIntegrator() }),
    responses: { 200: MemberRequestSchema, 400: MessageSchema, ...MANAGEMENT_REFUSALS, 404: MessageSchema },
    authorize: gate.member,
    handler: async ({ params, query, ctx }) => {
      const { operator } = gate.signedIn(ctx)
      const owner = operator && query.integratorId === undefined ? null : gate.integratorOf(ctx, query.integratorId)
      const own = await findOwnRequest(deps, params.id, owner)
      if (own === null) throw new HttpError(404, 'There is no such request')
      // CAST: ids are hex with their prefix.
      const fees = await readFees(deps, { id: own.quote.requestId as Hex, unpaid: own.request === null })
      const shown = memberRequest(own, (chainId, txId) => transactionLink(deps.chains.find(chainId), txId))
      return { ...shown, fees, ...(operator ? { explanation: own.request } : {}) }
    },
  })
