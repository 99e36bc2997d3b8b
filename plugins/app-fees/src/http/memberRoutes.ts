import {
  defineRoute,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type MemberWalletDeps,
  MemberWalletQuery,
  MessageSchema,
  memberWallet,
  oneOf,
  type Route,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { type BalancesRouteDeps, balancesOf } from './balancesRoute.js'
import { type ClaimsRouteDeps, claimsPage } from './claimsRoute.js'
import { BalancesAnswer, ClaimsAnswer, ClaimsQuery } from './schemas.js'

export type MemberRoutesDeps = BalancesRouteDeps & ClaimsRouteDeps & MemberWalletDeps

const whose = { wallet: Type.String(), of: oneOf('funding', 'own') }
const refusals = { 400: MessageSchema, ...MANAGEMENT_REFUSALS, 404: MessageSchema }

/** What a wallet is owed and what it claimed, for whoever is signed in: of the integrator's funding wallet, or of the own one. */
export const memberRoutes = (deps: MemberRoutesDeps): readonly Route[] => [
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/balances',
    summary: 'What the wallet of a member is owed',
    description: 'Settled money only, as `GET /app-fees/{wallet}/balances` has it.',
    query: MemberWalletQuery,
    responses: { 200: Type.Composite([Type.Object(whose), BalancesAnswer]), ...refusals },
    authorize: deps.gate.member,
    handler: async ({ query, ctx }) => {
      const found = await memberWallet(deps, ctx, query)
      return { ...found, ...(await balancesOf(deps, found.wallet)) }
    },
  }),
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/claims',
    summary: 'Claims of the wallet of a member, newest first',
    description: 'A claim is made by `POST /app-fees/{wallet}/claim`, which its wallet signs.',
    query: Type.Composite([MemberWalletQuery, ClaimsQuery]),
    responses: { 200: Type.Composite([Type.Object(whose), ClaimsAnswer]), ...refusals },
    authorize: deps.gate.member,
    handler: async ({ query, ctx }) => {
      const found = await memberWallet(deps, ctx, query)
      return { ...found, ...(await claimsPage(deps, found.wallet, query)) }
    },
  }),
]
