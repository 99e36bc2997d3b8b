import type { Clock } from '@causeway/core'
import { ServiceError } from '@causeway/core'
import { HttpError, type RequestContext, SIGN_IN_AGAIN } from '@causeway/core/plugin'
import type { DashboardSecrets } from './dashboardSecrets.js'
import { type OwnAddressDeps, ownOrigin, refuseForeignPage } from './session/ownAddress.js'
import { shownToken } from './session/sessionCookie.js'
import type { Session, SessionStore } from './session/sessionStore.js'

export interface DashboardGateDeps {
  readonly address: OwnAddressDeps
  readonly sessions: SessionStore
  readonly secrets: DashboardSecrets
  readonly clock: Clock
}

/** Who comes in: `member` is anyone signed in; a `recent operator` signed in a moment ago. */
export type Need = 'member' | 'operator' | 'recent operator'

/** How long after a sign-in money may be moved. */
const RECENT_MS = 300_000

/**
 * Lets calls with a session in, and remembers whose each is. The checks stand in `authorize` of a route, so that a
 * stranger is told 401 before anything of the body (wire.md K.1 1).
 */
export class DashboardGate {
  readonly #deps: DashboardGateDeps
  readonly #admitted = new WeakMap<RequestContext, { readonly session: Session; readonly token: string }>()

  constructor(deps: DashboardGateDeps) {
    this.#deps = deps
  }

  /** `authorize` of the routes that open a session: they have none to show. */
  readonly forSignIn = (_body: unknown, _caller: unknown, ctx: RequestContext): void => {
    refuseForeignPage(this.#deps.address, ctx)
  }

  /** `authorize` of a route behind a session. Throws 401 without one, 403 for a forged call or one that needs more. */
  forSession(need: Need): (body: unknown, caller: unknown, ctx: RequestContext) => Promise<void> {
    return async (_body, _caller, ctx) => {
      const token = shownToken(this.origin(ctx), ctx.headers.cookie)
      const session = token === null ? null : await this.#deps.sessions.find(token)
      if (token === null || session === null) throw new ServiceError('UNAUTHORIZED', 'Sign in first')
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') this.#refuseForgery(token, ctx)
      if (need !== 'member' && !session.operator) throw new HttpError(403, 'Only operators may do this')
      if (need === 'recent operator') this.#refuseOld(session)
      this.#admitted.set(ctx, { session, token })
    }
  }

  /** The session of an admitted call. */
  session(ctx: RequestContext): Session {
    return this.#of(ctx).session
  }

  /** Until when the sign-in of an admitted call moves money; null: whoever it is may not. */
  moneyUntil(ctx: RequestContext): Date | null {
    const { operator, signedInAt } = this.#of(ctx).session
    return operator ? new Date(signedInAt.getTime() + RECENT_MS) : null
  }

  csrfToken(ctx: RequestContext): string {
    return this.#deps.secrets.csrfToken(this.#of(ctx).token)
  }

  origin(ctx: RequestContext): string {
    return ownOrigin(this.#deps.address, ctx)
  }

  /** A clock that was set back makes nobody's sign-in fresh. */
  #refuseOld({ signedInAt }: Session): void {
    const age = this.#deps.clock.now() - signedInAt.getTime()
    if (age >= 0 && age < RECENT_MS) return
    throw new HttpError(403, 'Money is moved within five minutes of a sign-in; sign in again', {
      fields: { code: SIGN_IN_AGAIN },
    })
  }

  #refuseForgery(token: string, ctx: RequestContext): void {
    refuseForeignPage(this.#deps.address, ctx)
    if (!this.#deps.secrets.isCsrfToken(ctx.headers['x-csrf-token'], token)) {
      throw new HttpError(403, 'Send the csrfToken of the session in the header x-csrf-token')
    }
  }

  #of(ctx: RequestContext): { readonly session: Session; readonly token: string } {
    const admitted = this.#admitted.get(ctx)
    if (admitted === undefined) throw new Error('The call has passed no gate')
    return admitted
  }
}
