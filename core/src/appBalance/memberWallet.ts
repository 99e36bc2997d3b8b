import { Type } from '@sinclair/typebox'
import type { Pool } from 'pg'
import type { ManagementGate } from '../http/access/managementGate.js'
import { NamedIntegrator } from '../http/access/managementGate.js'
import { HttpError } from '../http/httpError.js'
import type { RequestContext } from '../http/route.js'
import type { BalanceCurrency } from './balanceCurrency.js'
import { findFundingWallet } from './fundingWallets.js'

/** Query of operations of the management API about the money of a wallet: whose is meant. */
export const MemberWalletQuery = Type.Object({
  of: Type.Optional(
    Type.Union([Type.Literal('funding'), Type.Literal('own')], {
      description:
        'The funding wallet of the integrator, or the wallet that is signed in. Default: the funding wallet where one is linked, else the own one.',
    }),
  ),
  integratorId: NamedIntegrator(),
})

/** A wallet whose balances somebody who is signed in may see. */
export interface MemberWallet {
  /** In lower case. */
  readonly wallet: string
  readonly of: 'funding' | 'own'
}

export interface MemberWalletDeps {
  readonly gate: ManagementGate
  readonly pool: Pool
  readonly balanceCurrency: BalanceCurrency | null
}

/** A contract is the wallet of the chain it signed in by: elsewhere its address may be somebody else's contract. */
const ownWallet = ({ gate, balanceCurrency }: MemberWalletDeps, ctx: RequestContext): string | null => {
  const { wallet, chainId } = gate.signedIn(ctx)
  if (wallet === null || chainId === null || chainId === balanceCurrency?.chainId) return wallet
  throw new HttpError(
    403,
    `Balances are of another chain than the one (${chainId}) by which this contract wallet signed in`,
  )
}

/**
 * The wallet that a call is about. Throws HttpError 403 for the funding wallet of somebody else, 404 where there is no such wallet.
 */
export const memberWallet = async (
  deps: MemberWalletDeps,
  ctx: RequestContext,
  { of, integratorId }: { readonly of?: 'funding' | 'own'; readonly integratorId?: string },
): Promise<MemberWallet> => {
  const { gate, pool } = deps
  if (of !== 'own') {
    const owner =
      of === undefined && integratorId === undefined
        ? gate.signedIn(ctx).integratorId
        : gate.integratorOf(ctx, integratorId)
    const funding = owner === null ? null : await findFundingWallet(pool, owner)
    if (funding !== null) return { wallet: funding, of: 'funding' }
    if (of === 'funding' || integratorId !== undefined)
      throw new HttpError(404, 'No wallet is linked to this integrator')
  }
  const own = ownWallet(deps, ctx)
  if (own === null) throw new HttpError(404, 'You are signed in without a wallet')
  return { wallet: own, of: 'own' }
}
