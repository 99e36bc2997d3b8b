import type { Clock } from '@causeway/core'
import {
  type DatabasePool,
  defineRoute,
  type KeyUses,
  MANAGEMENT_ROUTE,
  MessageSchema,
  oneOf,
  type Route,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { DashboardGate } from '../dashboardGate.js'
import { IdParams, Nullable, PageLimit, REFUSALS, TimeText } from '../dashboardSchemas.js'
import { ownKey } from '../keyRoutes.js'
import type { LazyKeyStore } from '../lazyKeyStore.js'
import { readFirstUse, readKeyDeeds } from './keyHistory.js'

export interface KeyHistoryDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly gate: DashboardGate
  readonly keys: LazyKeyStore
  uses(): KeyUses | null
}

const DAYS = 14

const KeyHistory = Type.Object(
  {
    id: Type.String(),
    createdAt: TimeText(),
    revokedAt: Nullable(TimeText()),
    firstUsedAt: Nullable(
      Type.String({ description: 'To the minute; null where it was never used, or that is not known' }),
    ),
    lastUsedAt: Nullable(TimeText()),
    days: Type.Array(Type.Object({ day: Type.String(), calls: Type.Integer(), refused: Type.Integer() }), {
      description: `Calls of the last ${DAYS} days of UTC, oldest first, days without any left out; empty where nothing counts them`,
    }),
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        at: TimeText(),
        action: Type.String({ examples: ['api-keys rename'] }),
        by: Type.Object({ kind: oneOf('member', 'operator'), wallet: Type.Optional(Type.String()) }),
        actor: Type.Optional(Type.String({ description: 'For operators: as the audit names who did it' })),
        change: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean(), Type.Null()])),
      }),
    ),
    nextCursor: Nullable(Type.String()),
  },
  { title: 'KeyHistory' },
)

/** `GET /dashboard/api/keys/{id}/history`: made, renamed, used, revoked, and by whom. */
export const keyHistoryRoute = ({ pool, gate, keys, uses }: KeyHistoryDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: '/dashboard/api/keys/:id/history',
    summary: 'What became of an API key: what was done to it by whom, newest first, and how it is used',
    params: IdParams,
    query: Type.Object({
      limit: PageLimit(),
      cursor: Type.Optional(
        Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: '`nextCursor` of the page before.' }),
      ),
    }),
    responses: { 200: KeyHistory, ...REFUSALS, 404: MessageSchema },
    authorize: gate.forSession('member'),
    handler: async ({ params, query: { limit = 50, cursor }, ctx }) => {
      const session = gate.session(ctx)
      const { id, integrator, createdAt, revokedAt, lastUsedAt } = await ownKey(keys, session, params.id)
      const [deeds, firstUsedAt, days] = await Promise.all([
        readKeyDeeds(
          pool,
          { id, integratorId: integrator.id },
          { limit, ...(cursor === undefined ? {} : { before: cursor }) },
        ),
        readFirstUse(pool, id),
        uses()?.daysOf({ integratorId: integrator.id, apiKeyId: id }, DAYS) ?? [],
      ])
      const page = deeds.slice(0, limit)
      return {
        id,
        createdAt: createdAt.toISOString(),
        revokedAt: revokedAt?.toISOString() ?? null,
        firstUsedAt: firstUsedAt?.toISOString() ?? null,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        days: [...days],
        events: page.map(({ actor, at, ...deed }) => ({
          ...deed,
          at: new Date(at).toISOString(),
          ...(session.operator ? { actor } : {}),
        })),
        nextCursor: deeds.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  })
