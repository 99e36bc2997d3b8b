import { defineRoute, HttpError, MessageSchema, type RequestContext, type Route } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { StoredApiKey } from '../store/storedKeys.js'
import { actorName } from './dashboardActor.js'
import type { DashboardGate } from './dashboardGate.js'
import { IdParams, Nullable, PageLimit, REFUSALS, SESSION_HEADERS, TimeText, UuidText } from './dashboardSchemas.js'
import { integratorFor, scopeFor } from './integratorScope.js'
import type { LazyKeyStore } from './lazyKeyStore.js'
import type { Session } from './session/sessionStore.js'

export interface KeyRoutesDeps {
  readonly gate: DashboardGate
  readonly keys: LazyKeyStore
}

const PATH = '/dashboard/api/keys'
const shared = { tags: ['dashboard'], auth: 'none', bucket: 'dashboard', requestHeaders: SESSION_HEADERS } as const

const ListedKey = Type.Object(
  {
    id: Type.String(),
    integratorId: Type.String(),
    label: Nullable(Type.String()),
    prefix: Nullable(Type.String({ description: 'First characters of a key made here.' })),
    elevated: Type.Boolean(),
    trusted: Type.Boolean({ description: 'An operator vouches for it: its quotes may hold all that is free.' }),
    createdAt: TimeText(),
    revokedAt: Nullable(TimeText()),
    lastUsedAt: Nullable(TimeText()),
  },
  { title: 'DashboardKey' },
)

const listedKey = (key: StoredApiKey): Static<typeof ListedKey> => ({
  id: key.id,
  integratorId: key.integrator.id,
  label: key.label,
  prefix: key.prefix,
  elevated: key.elevated,
  trusted: key.trusted,
  createdAt: key.createdAt.toISOString(),
  revokedAt: key.revokedAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
})

const LabelText = () => Type.String({ maxLength: 400, description: 'At most 100 visible characters.' })
const IntegratorId = () => Type.Optional(UuidText('For operators: whose keys. Default: of the own integrator.'))
const notFound = () => new HttpError(404, 'There is no such key')

/** The key of an id as far as the session may touch it. Throws 404 for those of others, as if they were not there. */
export const ownKey = async (keys: LazyKeyStore, session: Session, id: string): Promise<StoredApiKey> => {
  const key = await keys.use((store) => store.findKey(id))
  if (key === null || !(session.operator || key.integrator.id === session.integrator?.id)) throw notFound()
  return key
}

const listRoute = ({ gate, keys }: KeyRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'GET',
    path: PATH,
    summary: 'API keys, newest first, without the keys themselves',
    query: Type.Object({
      limit: PageLimit(),
      cursor: Type.Optional(UuidText('`nextCursor` of the page before.')),
      integratorId: IntegratorId(),
    }),
    responses: { 200: Type.Object({ keys: Type.Array(ListedKey), nextCursor: Nullable(Type.String()) }), ...REFUSALS },
    authorize: gate.forSession('member'),
    handler: async ({ query, ctx }) => {
      const session = gate.session(ctx)
      const integratorId = scopeFor(session, query.integratorId)
      const page = await keys.use((store) =>
        store.listKeys({
          limit: query.limit ?? 50,
          ...(query.cursor === undefined ? {} : { after: query.cursor }),
          ...(integratorId === null ? {} : { integratorId }),
        }),
      )
      return { keys: page.rows.map(listedKey), nextCursor: page.next }
    },
  })

const createRoute = ({ gate, keys }: KeyRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'POST',
    path: PATH,
    summary: 'Make an API key; only this answer shows it',
    changes: true,
    secretAnswer: true,
    body: Type.Object({
      label: Type.Optional(LabelText()),
      integratorId: IntegratorId(),
      elevated: Type.Optional(Type.Boolean({ description: 'For operators: the higher rate limits.' })),
      trusted: Type.Optional(
        Type.Boolean({ description: 'For operators: vouch for it. Default: true for operators.' }),
      ),
    }),
    responses: {
      200: Type.Composite([ListedKey, Type.Object({ apiKey: Type.String() })]),
      ...REFUSALS,
      404: MessageSchema,
      409: MessageSchema,
    },
    authorize: gate.forSession('member'),
    handler: async ({ body, ctx }) => {
      const session = gate.session(ctx)
      if (body.elevated === true && !session.operator)
        throw new HttpError(403, 'Only operators may give a key the higher limits')
      if (body.trusted === true && !session.operator) throw new HttpError(403, 'Only operators may trust a key')
      const made = await keys.use((store) =>
        store.createKey({
          integratorId: integratorFor(session, body.integratorId),
          label: body.label ?? null,
          elevated: body.elevated ?? false,
          trusted: body.trusted ?? session.operator,
          actor: actorName(session.wallet, ctx),
          effect: ctx.effect,
        }),
      )
      return { ...listedKey(await ownKey(keys, session, made.id)), apiKey: made.apiKey }
    },
  })

const importRoute = ({ gate, keys }: KeyRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'POST',
    path: `${PATH}/import`,
    summary: 'For operators: take over a key from elsewhere',
    changes: true,
    body: Type.Object({
      apiKey: Type.String({ maxLength: 1000, description: '16 to 128 visible ASCII characters.' }),
      label: Type.Optional(LabelText()),
      integratorId: UuidText('Whose key it is.'),
      elevated: Type.Optional(Type.Boolean()),
      trusted: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: ListedKey, ...REFUSALS, 404: MessageSchema, 409: MessageSchema },
    authorize: gate.forSession('operator'),
    handler: async ({ body, ctx }) => {
      const session = gate.session(ctx)
      const { id } = await keys.use((store) =>
        store.importKey({
          apiKey: body.apiKey,
          integratorId: body.integratorId,
          label: body.label ?? null,
          elevated: body.elevated ?? false,
          trusted: body.trusted ?? true,
          actor: actorName(session.wallet, ctx),
        }),
      )
      return listedKey(await ownKey(keys, session, id))
    },
  })

const changeRoute = ({ gate, keys }: KeyRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: `${PATH}/:id`,
    summary: 'Rename an API key; operators also set its limits',
    params: IdParams,
    body: Type.Object({
      label: Type.Optional(Nullable(LabelText())),
      elevated: Type.Optional(Type.Boolean()),
      trusted: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: ListedKey, ...REFUSALS, 404: MessageSchema, 409: MessageSchema },
    authorize: gate.forSession('member'),
    handler: async ({ params, body: { label, elevated, trusted }, ctx }) => {
      const session = gate.session(ctx)
      if (elevated !== undefined && !session.operator)
        throw new HttpError(403, 'Only operators may set the limits of a key')
      if (trusted !== undefined && !session.operator) throw new HttpError(403, 'Only operators may trust a key')
      if (elevated === undefined && label === undefined && trusted === undefined) {
        throw new HttpError(400, 'body must have label, elevated or trusted')
      }
      const { id } = await ownKey(keys, session, params.id)
      const actor = actorName(session.wallet, ctx)
      if (label !== undefined) await keys.use((store) => store.rename({ id, label, actor }))
      if (elevated !== undefined) await keys.use((store) => store.setElevated({ id, elevated, actor }))
      if (trusted !== undefined) await keys.use((store) => store.setTrusted({ id, trusted, actor }))
      return listedKey(await ownKey(keys, session, id))
    },
  })

const revokeRoute = (
  { gate, keys }: KeyRoutesDeps,
  spelling: { readonly method: 'POST' | 'DELETE'; readonly path: string },
): Route => {
  const revoke = async (id: string, ctx: RequestContext) => {
    const session = gate.session(ctx)
    const key = await ownKey(keys, session, id)
    await keys.use((store) => store.revoke({ id: key.id, actor: actorName(session.wallet, ctx) }))
    return listedKey(await ownKey(keys, session, key.id))
  }
  return defineRoute({
    ...shared,
    ...spelling,
    summary: 'Revoke an API key for good, on every host within five seconds',
    params: IdParams,
    responses: { 200: ListedKey, ...REFUSALS, 404: MessageSchema },
    authorize: gate.forSession('member'),
    handler: ({ params, ctx }) => revoke(params.id, ctx),
  })
}

/** Keys of the own integrator; those of every integrator for operators. */
export const keyRoutes = (deps: KeyRoutesDeps): readonly Route[] => [
  listRoute(deps),
  createRoute(deps),
  importRoute(deps),
  changeRoute(deps),
  revokeRoute(deps, { method: 'POST', path: `${PATH}/:id/revoke` }),
  revokeRoute(deps, { method: 'DELETE', path: `${PATH}/:id` }),
]
