import type { ManagementGate } from '@causeway/core/plugin'
import { actorName } from './dashboardActor.js'
import { type KeyRoutesDeps, ownKey } from './keyRoutes.js'

/** Sessions and keys as other plugins may use them for operations of their own. */
export const managementGate = ({ gate, keys }: KeyRoutesDeps): ManagementGate => ({
  member: gate.forSession('member'),
  operator: gate.forSession('operator'),
  recentOperator: gate.forSession('recent operator'),
  ownKey: async (ctx, apiKeyId) => {
    const { id, integrator, revokedAt } = await ownKey(keys, gate.session(ctx), apiKeyId)
    return { id, integratorId: integrator.id, revoked: revokedAt !== null }
  },
  signedIn: (ctx) => {
    const { wallet, chainId, integrator } = gate.session(ctx)
    return { wallet, chainId, integratorId: integrator?.id ?? null }
  },
  actor: (ctx) => actorName(gate.session(ctx).wallet, ctx),
})
