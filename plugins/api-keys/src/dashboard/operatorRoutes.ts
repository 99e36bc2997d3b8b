import type { Clock } from '@causeway/core'
import {
  type DatabasePool,
  defineRoute,
  findAudit,
  HttpError,
  MessageSchema,
  type Route,
  withTransaction,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { Integrator } from '../store/storedKeys.js'
import { actorName, recordDeed } from './dashboardActor.js'
import type { DashboardGate } from './dashboardGate.js'
import {
  Nullable,
  PageLimit,
  REFUSALS,
  SESSION_HEADERS,
  TimeText,
  UuidText,
  WalletAddressText,
} from './dashboardSchemas.js'
import type { LazyKeyStore } from './lazyKeyStore.js'
import type { Wallet, WalletStore } from './session/walletStore.js'

export interface OperatorRoutesDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly gate: DashboardGate
  readonly keys: LazyKeyStore
  readonly wallets: WalletStore
}

const shared = { tags: ['dashboard'], auth: 'none', bucket: 'dashboard', requestHeaders: SESSION_HEADERS } as const
const DEFAULT_LIMIT = 50
const NextCursor = Nullable(Type.String({ description: '`cursor` of the next page; null on the last.' }))

const ListedIntegrator = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: TimeText() },
  { title: 'DashboardIntegrator' },
)
const listedIntegrator = ({ id, name, createdAt }: Integrator): Static<typeof ListedIntegrator> => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
})

const ListedWallet = Type.Object(
  {
    address: Type.String(),
    chainId: Nullable(Type.Integer({ description: 'Of a contract wallet: the chain it is on. Null: it has a key.' })),
    integratorId: Nullable(Type.String()),
    operator: Type.Boolean(),
    createdAt: TimeText(),
    signedInAt: Nullable(TimeText()),
  },
  { title: 'DashboardWallet' },
)
const listedWallet = ({ createdAt, signedInAt, ...wallet }: Wallet): Static<typeof ListedWallet> => ({
  ...wallet,
  createdAt: createdAt.toISOString(),
  signedInAt: signedInAt?.toISOString() ?? null,
})

const listIntegratorsRoute = ({ gate, keys }: OperatorRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/dashboard/api/integrators',
    summary: 'For operators: integrators by name',
    query: Type.Object({
      limit: PageLimit(),
      cursor: Type.Optional(UuidText('`nextCursor` of the page before.')),
      search: Type.Optional(
        Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$', description: 'Part of the name.' }),
      ),
    }),
    responses: { 200: Type.Object({ integrators: Type.Array(ListedIntegrator), nextCursor: NextCursor }), ...REFUSALS },
    authorize: gate.forSession('operator'),
    handler: async ({ query: { limit = DEFAULT_LIMIT, cursor, search } }) => {
      const page = await keys.use((store) =>
        store.findIntegrators({
          limit,
          ...(cursor === undefined ? {} : { after: cursor }),
          ...(search === undefined ? {} : { search }),
        }),
      )
      return { integrators: page.rows.map(listedIntegrator), nextCursor: page.next }
    },
  })

const createIntegratorRoute = ({ gate, keys }: OperatorRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/dashboard/api/integrators',
    summary: 'For operators: make an integrator',
    changes: true,
    body: Type.Object({ name: Type.String({ maxLength: 400, description: '1 to 100 visible characters.' }) }),
    responses: { 200: ListedIntegrator, ...REFUSALS, 409: MessageSchema },
    authorize: gate.forSession('operator'),
    handler: async ({ body, ctx }) => {
      const actor = actorName(gate.session(ctx).wallet, ctx)
      return listedIntegrator(await keys.use((store) => store.createIntegrator({ name: body.name, actor })))
    },
  })

const listWalletsRoute = ({ gate, wallets }: OperatorRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/dashboard/api/wallets',
    summary: 'For operators: wallets by address',
    query: Type.Object({
      limit: PageLimit(),
      cursor: Type.Optional(WalletAddressText()),
      integratorId: Type.Optional(UuidText('Only those of this integrator.')),
    }),
    responses: { 200: Type.Object({ wallets: Type.Array(ListedWallet), nextCursor: NextCursor }), ...REFUSALS },
    authorize: gate.forSession('operator'),
    handler: async ({ query: { limit = DEFAULT_LIMIT, cursor, integratorId } }) => {
      const rows = await wallets.list({
        limit: limit + 1,
        ...(cursor === undefined ? {} : { cursor: cursor.toLowerCase() }),
        ...(integratorId === undefined ? {} : { integratorId }),
      })
      const page = rows.slice(0, limit)
      return {
        wallets: page.map(listedWallet),
        nextCursor: rows.length > limit ? (page.at(-1)?.address ?? null) : null,
      }
    },
  })

const WalletParams = Type.Object({ address: WalletAddressText() })

const changeWalletRoute = ({ pool, clock, gate, wallets }: OperatorRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/dashboard/api/wallets/:address',
    summary: 'For operators: link a wallet to an integrator, make it an operator',
    description:
      'What is left out stays. `integratorId` null unlinks. The wallet need not have signed in before; a contract wallet that has not needs its `chainId`. Setting that ends the sessions of the wallet.',
    params: WalletParams,
    body: Type.Object({
      integratorId: Type.Optional(Nullable(UuidText('Whose keys it manages.'))),
      operator: Type.Optional(Type.Boolean()),
      chainId: Type.Optional(
        Nullable(
          Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Of a contract wallet: the one chain whose contract at the address signs in. Null: none does.',
          }),
        ),
      ),
    }),
    responses: { 200: ListedWallet, ...REFUSALS },
    authorize: gate.forSession('operator'),
    handler: async ({ params, body, ctx }) => {
      const { integratorId, operator, chainId } = body
      if (integratorId === undefined && operator === undefined && chainId === undefined) {
        throw new HttpError(400, 'body must have integratorId, operator or chainId')
      }
      const change = {
        ...(integratorId === undefined ? {} : { integratorId }),
        ...(operator === undefined ? {} : { operator }),
        ...(chainId === undefined ? {} : { chainId }),
      }
      const address = params.address.toLowerCase()
      const actor = actorName(gate.session(ctx).wallet, ctx)
      return withTransaction(pool, async (client) => {
        const wallet = await wallets.change(client, address, change)
        const deed = { actor, action: 'dashboard wallet set', subject: `wallet ${address}`, details: change }
        await recordDeed(client, clock, deed)
        return listedWallet(wallet)
      })
    },
  })

const removeWalletRoute = ({ pool, clock, gate, wallets }: OperatorRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/dashboard/api/wallets/:address',
    summary: 'For operators: forget a wallet and end its sessions',
    params: WalletParams,
    responses: { 200: MessageSchema, ...REFUSALS, 404: MessageSchema },
    authorize: gate.forSession('operator'),
    handler: async ({ params, ctx }) => {
      const address = params.address.toLowerCase()
      const actor = actorName(gate.session(ctx).wallet, ctx)
      await withTransaction(pool, async (client) => {
        if (!(await wallets.remove(client, address))) throw new HttpError(404, 'There is no such wallet')
        const deed = { actor, action: 'dashboard wallet remove', subject: `wallet ${address}`, details: {} }
        await recordDeed(client, clock, deed)
      })
      return { message: 'The wallet is forgotten and its sessions have ended' }
    },
  })

const auditRoute = ({ pool, gate }: OperatorRoutesDeps): Route =>
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/dashboard/api/audit',
    summary: 'For operators: what was done by hand, newest first',
    query: Type.Object({
      limit: PageLimit(),
      cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$', description: '`nextCursor` of the page before.' })),
      subject: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$', description: 'Only of this.' })),
    }),
    responses: {
      200: Type.Object({
        entries: Type.Array(
          Type.Object({
            id: Type.String(),
            at: TimeText(),
            actor: Type.String(),
            action: Type.String(),
            subject: Type.String(),
            details: Type.Record(Type.String(), Type.Unknown()),
          }),
        ),
        nextCursor: NextCursor,
      }),
      ...REFUSALS,
    },
    authorize: gate.forSession('operator'),
    handler: async ({ query: { limit = DEFAULT_LIMIT, cursor, subject } }) => {
      const rows = await findAudit(pool, {
        limit: limit + 1,
        ...(cursor === undefined ? {} : { before: cursor }),
        ...(subject === undefined ? {} : { subject }),
      })
      const page = rows.slice(0, limit)
      return {
        entries: page.map(({ at, ...entry }) => ({ ...entry, at: new Date(at).toISOString() })),
        nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  })

/** What only operators may do. */
export const operatorRoutes = (deps: OperatorRoutesDeps): readonly Route[] => [
  listIntegratorsRoute(deps),
  createIntegratorRoute(deps),
  listWalletsRoute(deps),
  changeWalletRoute(deps),
  removeWalletRoute(deps),
  auditRoute(deps),
]
