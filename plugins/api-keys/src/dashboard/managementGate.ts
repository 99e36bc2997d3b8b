import type { ManagementGate } from '@causeway/core/plugin'
import { actorName } from './dashboardActor.js'
import { integratorFor, scopeFor } from './integratorScope.js'
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
    const { wallet, chainId, integrator, operator } = gate.session(ctx)
    return { wallet, chainId, integratorId: integrator?.id ?? null, operator }
  },
  integratorOf: (ctx, named) => integratorFor(gate.session(ctx), named),
  scopeOf: (ctx, named) => scopeFor(gate.session(ctx), named),
  actor: (ctx) => actorName(gate.session(ctx).wallet, ctx),
})
