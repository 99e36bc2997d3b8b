import {
  defineRoute,
  type KeyLimits,
  MANAGEMENT_ROUTE,
  MessageSchema,
  NamedIntegrator,
  type Route,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { DashboardGate } from '../dashboardGate.js'
import { Nullable, PageLimit, REFUSALS, UuidText } from '../dashboardSchemas.js'
import { integratorFor } from '../integratorScope.js'
import type { LazyKeyStore } from '../lazyKeyStore.js'

export interface KeyLimitsDeps {
  readonly gate: DashboardGate
  readonly keys: LazyKeyStore
  limits(): KeyLimits | null
}

const KeyLimitsAnswer = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        id: Type.String(),
        label: Nullable(Type.String()),
        elevated: Type.Boolean(),
        buckets: Type.Array(
          Type.Object({
            bucket: Type.String(),
            limit: Type.Integer({ description: 'Calls admitted in a window' }),
            windowSeconds: Type.Integer(),
            remaining: Nullable(Type.Integer({ description: 'Calls still admitted; null: not known without a call' })),
            resetSeconds: Nullable(Type.Integer({ description: 'Until the window ends; null: none has begun' })),
          }),
          { description: 'Empty where nothing limits calls' },
        ),
      }),
    ),
    nextCursor: Nullable(Type.String()),
  },
  { title: 'KeyLimits' },
)

/** `GET /dashboard/api/limits`: what limits the keys of an integrator have, and what is left of them. */
export const keyLimitsRoute = ({ gate, keys, limits }: KeyLimitsDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/limits',
    summary: 'Rate limits of the keys that are not revoked, and what is left of each; counts no call of theirs',
    query: Type.Object({
      limit: PageLimit(),
      cursor: Type.Optional(UuidText('`nextCursor` of the page before.')),
      integratorId: NamedIntegrator(),
    }),
    responses: { 200: KeyLimitsAnswer, 400: MessageSchema, ...REFUSALS },
    authorize: gate.forSession('member'),
    handler: async ({ query: { limit = 50, cursor, integratorId }, ctx }) => {
      const owner = integratorFor(gate.session(ctx), integratorId)
      const page = await keys.use((store) =>
        store.listKeys({ limit, integratorId: owner, ...(cursor === undefined ? {} : { after: cursor }) }),
      )
      const live = page.rows.filter(({ revokedAt }) => revokedAt === null)
      const found = await limits()?.limitsOf(live.map(({ id, elevated }) => ({ apiKeyId: id, elevated })))
      return {
        keys: live.map(({ id, label, elevated }, at) => ({ id, label, elevated, buckets: [...(found?.[at] ?? [])] })),
        nextCursor: page.next,
      }
    },
  })
