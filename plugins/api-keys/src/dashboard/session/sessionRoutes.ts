import type { Clock } from '@causeway/core'
import { MAX_SIGNATURE_BYTES } from '@causeway/core/chain'
import {
  type DatabasePool,
  defineRoute,
  HttpError,
  MessageSchema,
  type Route,
  reply,
  withTransaction,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { actorName, recordDeed } from '../dashboardActor.js'
import type { DashboardGate } from '../dashboardGate.js'
import { IdParams, REFUSALS, SESSION_HEADERS, TimeText } from '../dashboardSchemas.js'
import type { DashboardSecrets } from '../dashboardSecrets.js'
import { endedCookie, sessionCookie } from './sessionCookie.js'
import type { SessionStore } from './sessionStore.js'
import { type SignIn, STATEMENT } from './signIn.js'
import type { SignInNonces } from './signInNonces.js'

export interface SessionRoutesDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly gate: DashboardGate
  readonly secrets: DashboardSecrets
  readonly nonces: SignInNonces
  readonly signIn: SignIn
  readonly sessions: SessionStore
  readonly sessionMs: number
  chainIds(): readonly number[]
}

const PATH = '/dashboard/api/session'
const shared = { tags: ['dashboard'], auth: 'none' } as const
const signInBucket = { ...shared, bucket: 'dashboard/sign-in' } as const
const ownBucket = { ...shared, bucket: 'dashboard', requestHeaders: SESSION_HEADERS } as const

const Opened = Type.Object(
  { csrfToken: Type.String({ description: 'Goes into the header x-csrf-token of every changing call.' }) },
  { title: 'DashboardSignIn' },
)

const nonceRoute = ({ gate, nonces, chainIds }: SessionRoutesDeps): Route =>
  defineRoute({
    ...signInBucket,
    method: 'POST',
    path: `${PATH}/nonce`,
    summary: 'What a wallet signs to sign in (EIP-4361)',
    responses: {
      200: Type.Object({
        nonce: Type.String(),
        expiresAt: TimeText(),
        domain: Type.String(),
        uri: Type.String(),
        chainIds: Type.Array(Type.Integer()),
        statement: Type.String(),
      }),
      403: MessageSchema,
    },
    authorize: gate.forSignIn,
    handler: ({ ctx }) => {
      const uri = gate.origin(ctx)
      const { nonce, expiresAt } = nonces.issue()
      return {
        nonce,
        expiresAt: new Date(expiresAt).toISOString(),
        domain: new URL(uri).host,
        uri,
        chainIds: [...chainIds()],
        statement: STATEMENT,
      }
    },
  })

const opened = ({ secrets, sessionMs }: SessionRoutesDeps, origin: string, token: string) =>
  reply({ csrfToken: secrets.csrfToken(token) }, { headers: { 'set-cookie': sessionCookie(origin, token, sessionMs) } })

const walletRoute = (deps: SessionRoutesDeps): Route =>
  defineRoute({
    ...signInBucket,
    method: 'POST',
    path: PATH,
    summary: 'Sign in with a signed message of a wallet',
    body: Type.Object({
      message: Type.String({ maxLength: 4000, description: 'The EIP-4361 text that was signed.' }),
      signature: Type.String({
        maxLength: 2 + 2 * MAX_SIGNATURE_BYTES,
        description:
          'Hex with 0x: 65 bytes by the key of the account, or what a contract wallet on the chain of the message takes (EIP-1271, ERC-6492).',
      }),
    }),
    responses: { 200: Opened, ...REFUSALS },
    authorize: deps.gate.forSignIn,
    handler: async ({ body, ctx }) => {
      const origin = deps.gate.origin(ctx)
      return opened(deps, origin, await deps.signIn.byWallet(body, origin, ctx))
    },
  })

const operatorRoute = (deps: SessionRoutesDeps): Route =>
  defineRoute({
    ...signInBucket,
    method: 'POST',
    path: `${PATH}/operator`,
    summary: 'Sign in as an operator with a token of the command line',
    body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
    responses: { 200: Opened, ...REFUSALS },
    authorize: deps.gate.forSignIn,
    handler: async ({ body, ctx }) => {
      const origin = deps.gate.origin(ctx)
      return opened(deps, origin, await deps.signIn.byOperatorToken(body.token, ctx))
    },
  })

const whoRoute = ({ gate }: SessionRoutesDeps): Route =>
  defineRoute({
    ...ownBucket,
    method: 'GET',
    path: PATH,
    summary: 'Who is signed in',
    responses: {
      200: Type.Object({
        id: Type.String(),
        role: Type.Union([Type.Literal('operator'), Type.Literal('integrator')]),
        wallet: Type.Union([Type.String(), Type.Null()]),
        integrator: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
        csrfToken: Type.String(),
        expiresAt: TimeText(),
        moneyUntil: Type.Union([TimeText(), Type.Null()], {
          description: 'Until when an operator moves money without a new sign-in; null of everybody else',
        }),
      }),
      ...REFUSALS,
    },
    authorize: gate.forSession('member'),
    handler: ({ ctx }) => {
      const { id, operator, wallet, integrator, expiresAt } = gate.session(ctx)
      return {
        id,
        role: operator ? 'operator' : 'integrator',
        wallet,
        integrator,
        csrfToken: gate.csrfToken(ctx),
        expiresAt: expiresAt.toISOString(),
        moneyUntil: gate.moneyUntil(ctx)?.toISOString() ?? null,
      }
    },
  })

const listRoute = ({ gate, sessions }: SessionRoutesDeps): Route =>
  defineRoute({
    ...ownBucket,
    method: 'GET',
    path: '/dashboard/api/sessions',
    summary: 'Open sessions of the same wallet',
    responses: {
      200: Type.Object({
        sessions: Type.Array(
          Type.Object({
            id: Type.String(),
            current: Type.Boolean(),
            createdAt: TimeText(),
            seenAt: TimeText(),
            expiresAt: TimeText(),
            clientAddress: Type.String(),
            userAgent: Type.Union([Type.String(), Type.Null()]),
          }),
        ),
      }),
      ...REFUSALS,
    },
    authorize: gate.forSession('member'),
    handler: async ({ ctx }) => {
      const own = gate.session(ctx)
      const open = await sessions.list(own)
      return {
        sessions: open.map(({ createdAt, seenAt, expiresAt, ...rest }) => ({
          ...rest,
          current: rest.id === own.id,
          createdAt: createdAt.toISOString(),
          seenAt: seenAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      }
    },
  })

/** Ends one session of the wallet, the call's own unless told, or all of them. */
const endRoute = (deps: SessionRoutesDeps, which: 'own' | 'one' | 'all'): Route => {
  const { pool, clock, gate, sessions } = deps
  return defineRoute({
    ...ownBucket,
    method: 'DELETE',
    path: { own: PATH, one: '/dashboard/api/sessions/:id', all: '/dashboard/api/sessions' }[which],
    summary: { own: 'Sign out', one: 'End a session of the same wallet', all: 'End every session of the wallet' }[
      which
    ],
    ...(which === 'one' ? { params: IdParams } : {}),
    responses: { 200: MessageSchema, ...REFUSALS, ...(which === 'one' ? { 404: MessageSchema } : {}) },
    authorize: gate.forSession('member'),
    handler: async ({ params, ctx }) => {
      const own = gate.session(ctx)
      const id =
        which === 'all' ? undefined : which === 'own' ? own.id : String(Reflect.get(Object(params), 'id')).toLowerCase()
      const ended = await withTransaction(pool, async (client) => {
        const ids = await sessions.end(client, own, id)
        const deed = { actor: actorName(own.wallet, ctx), action: 'dashboard sign-out', details: {} }
        for (const each of ids) await recordDeed(client, clock, { ...deed, subject: `session ${each}` })
        return ids
      })
      if (ended.length === 0) throw new HttpError(404, 'There is no such session')
      const headers = ended.includes(own.id) ? { 'set-cookie': endedCookie(gate.origin(ctx)) } : {}
      return reply(
        { message: ended.length === 1 ? 'The session has ended' : `${ended.length} sessions have ended` },
        { headers },
      )
    },
  })
}

/** Signing in and out. */
export const sessionRoutes = (deps: SessionRoutesDeps): readonly Route[] => [
  nonceRoute(deps),
  walletRoute(deps),
  operatorRoute(deps),
  whoRoute(deps),
  listRoute(deps),
  endRoute(deps, 'own'),
  endRoute(deps, 'one'),
  endRoute(deps, 'all'),
]
