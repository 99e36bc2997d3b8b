import { Type } from '@sinclair/typebox'
import type { DependencyContainer } from 'tsyringe'
import { token } from '../../container/tokens.js'
import { MessageSchema } from '../openapi/sharedSchemas.js'
import type { RequestContext, Route } from '../route.js'

/** What every operation of the management API behind a session declares; paths begin with `/dashboard/api`. */
export const MANAGEMENT_ROUTE = {
  tags: ['dashboard'],
  auth: 'none',
  bucket: 'dashboard',
  requestHeaders: {
    cookie: 'The session, as set at sign-in',
    'x-csrf-token': '`csrfToken` of the session; needed by every call that is not a GET',
  },
} as const

/** What `recentOperator` says with its 403. */
export const SIGN_IN_AGAIN = 'SIGN_IN_AGAIN'

/** Refusals that any call behind a session may meet. */
export const MANAGEMENT_REFUSALS = { 401: MessageSchema, 403: MessageSchema } as const

/** Query of operations that operators may ask about anybody: whose data is meant. */
export const NamedIntegrator = () =>
  Type.Optional(
    Type.String({
      maxLength: 36,
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      description: 'For operators: whose. Default: of the own integrator.',
    }),
  )

/** A key as the management API knows it. */
export interface ManagedKey {
  readonly id: string
  readonly integratorId: string
  readonly revoked: boolean
}

/** Somebody who is signed in. */
export interface SignedInMember {
  readonly wallet: string | null
  /** Where the wallet is a contract: the chain by which it is signed in; null: it signs by its key. */
  readonly chainId: number | null
  readonly integratorId: string | null
  /** May ask about every integrator. */
  readonly operator: boolean
}

/** Sessions of the management API, for plugins that add operations to it. */
export interface ManagementGate {
  /** `authorize` of an operation for anyone who is signed in: 401 without a session, 403 for a forged call. */
  readonly member: NonNullable<Route['authorize']>
  /** `authorize` of an operation for operators: as `member`, and 403 for anyone else. */
  readonly operator: NonNullable<Route['authorize']>
  /** As `operator`, and 403 with the code `SIGN_IN_AGAIN` where the session began five minutes ago or earlier: a new sign-in begins another. */
  readonly recentOperator: NonNullable<Route['authorize']>
  /** A key that the session of an admitted call may manage. Throws HttpError 404 for any other. */
  ownKey(ctx: RequestContext, apiKeyId: string): Promise<ManagedKey>
  /** Who is signed in; a wallet in lower case, null where there is none. */
  signedIn(ctx: RequestContext): SignedInMember
  /**
   * The integrator whose data a call is about: the own one, or the one that an operator names. Throws HttpError 403 for anybody
   * else's, and where there is none.
   */
  integratorOf(ctx: RequestContext, named: string | undefined): string
  /** The same for lists: null is everybody's, for an operator without an integrator who names none. */
  scopeOf(ctx: RequestContext, named: string | undefined): string | null
  /** Who makes the call, for the audit. */
  actor(ctx: RequestContext): string
}

/** `gate` is null where the management API is turned off. */
export const MANAGEMENT_GATE = token<{ readonly gate: ManagementGate | null }>('core/ManagementGate')

/** The gate where there is one: without the plugin that keeps sessions, or with the management API off, there is none. */
export const managementGateOf = (
  container: Pick<DependencyContainer, 'isRegistered' | 'resolve'>,
): ManagementGate | null =>
  container.isRegistered(MANAGEMENT_GATE, true) ? container.resolve(MANAGEMENT_GATE).gate : null
