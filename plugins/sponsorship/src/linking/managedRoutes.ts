import {
  defineRoute,
  HttpError,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  type RequestContext,
  type Route,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { FundingWalletSchema, type LinkRoutesDeps, shownWallet } from './linkRoutes.js'

export interface ManagedRoutesDeps extends LinkRoutesDeps {
  readonly gate: ManagementGate
}

const PATH = '/dashboard/api/funding-wallet'

/** The integrator of the one who is signed in. Throws HttpError 403. */
const ownIntegrator = ({ gate }: ManagedRoutesDeps, ctx: RequestContext): string => {
  const { integratorId } = gate.signedIn(ctx)
  if (integratorId === null) throw new HttpError(403, 'This wallet belongs to no integrator')
  return integratorId
}

/** A wallet that is signed in agrees by that; a contract only as the one on the chain of balances, where it is that wallet. */
const ownWallet = ({ gate, balanceCurrency }: ManagedRoutesDeps, ctx: RequestContext): string => {
  const { wallet, chainId } = gate.signedIn(ctx)
  if (wallet === null) throw new HttpError(400, 'You are signed in without a wallet')
  if (chainId === null || chainId === balanceCurrency.chainId) return wallet
  throw new HttpError(
    400,
    `The contract wallet is signed in by chain ${chainId}; balances are of chain ${balanceCurrency.chainId}`,
  )
}

const linkRoute = (deps: ManagedRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'PUT',
    path: PATH,
    summary: 'Pay with the wallet that is signed in for what its integrator sponsors',
    responses: { 200: FundingWalletSchema, ...MANAGEMENT_REFUSALS, 400: MessageSchema },
    authorize: deps.gate.member,
    handler: async ({ ctx }) => {
      const [wallet, integratorId] = [ownWallet(deps, ctx), ownIntegrator(deps, ctx)]
      await deps.links.linkKnown({ integratorId, wallet }, { actor: deps.gate.actor(ctx) })
      return shownWallet(deps, integratorId)
    },
  })

const readRoute = (deps: ManagedRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: PATH,
    summary: 'The wallet that pays for the integrator, and what it has to pay with',
    responses: { 200: FundingWalletSchema, ...MANAGEMENT_REFUSALS, 404: MessageSchema },
    authorize: deps.gate.member,
    handler: ({ ctx }) => shownWallet(deps, ownIntegrator(deps, ctx)),
  })

const unlinkRoute = (deps: ManagedRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'DELETE',
    path: PATH,
    summary: 'Take the link back; quotes already given keep it',
    responses: { 200: Type.Object({ wallet: Type.String() }), ...MANAGEMENT_REFUSALS, 404: MessageSchema },
    authorize: deps.gate.member,
    handler: async ({ ctx }) => {
      const wallet = await deps.links.unlink(ownIntegrator(deps, ctx), { actor: deps.gate.actor(ctx) })
      if (wallet === null) throw new HttpError(404, 'No wallet is linked to this integrator')
      return { wallet }
    },
  })

/** The same in the management API: one call of a wallet that is signed in. */
export const managedRoutes = (deps: ManagedRoutesDeps): readonly Route[] => [
  linkRoute(deps),
  readRoute(deps),
  unlinkRoute(deps),
]
