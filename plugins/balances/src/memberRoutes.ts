import {
  ContentSchema,
  defineRoute,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type MemberWalletDeps,
  MemberWalletQuery,
  MessageSchema,
  memberWallet,
  oneOf,
  type RequestContext,
  type Route,
  StatementSchema,
  statementJson,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { EventsAnswer, EventsFilter, type EventsRouteDeps, eventsPage } from './eventsRoute.js'
import { SpendingSchema, spendingOf } from './spending.js'
import { csvOf, Period, type StatementRoutesDeps, statementOf } from './statementRoutes.js'

export type MemberRoutesDeps = Pick<EventsRouteDeps, 'cursor'> & StatementRoutesDeps & MemberWalletDeps

const PATH = '/dashboard/api/balances'
const Of = Type.Object({ of: oneOf('funding', 'own') })
const COMMON = { ...MANAGEMENT_ROUTE, method: 'GET' } as const
const PeriodQuery = Type.Composite([MemberWalletQuery, Period])
const refusals = { 400: MessageSchema, ...MANAGEMENT_REFUSALS, 404: MessageSchema }

const eventsOfMember = (deps: MemberRoutesDeps): Route =>
  defineRoute({
    ...COMMON,
    path: `${PATH}/events`,
    summary: 'What moved the balance of the wallet of a member',
    description: 'Filters and answer of `GET /balance-events/{wallet}`.',
    query: Type.Composite([MemberWalletQuery, EventsFilter]),
    responses: { 200: Type.Composite([Of, EventsAnswer]), ...refusals },
    authorize: deps.gate.member,
    handler: async ({ query, ctx }) => {
      const { wallet, of } = await memberWallet(deps, ctx, query)
      return { of, ...(await eventsPage(deps, wallet, query)) }
    },
  })

/** The books of balances for whoever is signed in: of the integrator's funding wallet, or of the own one. */
export const memberRoutes = (deps: MemberRoutesDeps): readonly Route[] => {
  const read = async (query: Static<typeof PeriodQuery>, ctx: RequestContext) => {
    const { wallet, of } = await memberWallet(deps, ctx, query)
    return { of, statement: await statementOf(deps, wallet, query) }
  }
  const shared = { ...COMMON, query: PeriodQuery, authorize: deps.gate.member }
  return [
    eventsOfMember(deps),
    defineRoute({
      ...shared,
      path: `${PATH}/statement`,
      summary: 'Statement of the wallet of a member',
      responses: { 200: Type.Composite([Of, StatementSchema]), ...refusals },
      handler: async ({ query, ctx }) => {
        const { of, statement } = await read(query, ctx)
        return { of, ...statementJson(statement, deps.currencies) }
      },
    }),
    defineRoute({
      ...shared,
      path: `${PATH}/statement/csv`,
      summary: 'Statement of the wallet of a member as CSV',
      responses: { 200: ContentSchema('text/csv'), ...refusals },
      handler: async ({ query, ctx }) => csvOf((await read(query, ctx)).statement, deps.currencies),
    }),
    defineRoute({
      ...shared,
      path: `${PATH}/spending`,
      summary: 'What the wallet of a member paid for others, by day and by request',
      responses: { 200: Type.Composite([Of, SpendingSchema]), ...refusals },
      handler: async ({ query, ctx }) => {
        const { of, statement } = await read(query, ctx)
        return { of, ...spendingOf(statement, deps.currencies) }
      },
    }),
  ]
}
