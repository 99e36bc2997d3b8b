import type { Clock } from '@causeway/core'
import { type DatabasePool, type RequestContext, withTransaction } from '@causeway/core/plugin'
import { recordDeed } from '../dashboardActor.js'

export interface SignInAuditDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
}

const WINDOW_MS = 60_000
const MOST_PER_WINDOW = 60

/**
 * Puts refused sign-ins into the audit. Rows of it are never removed and any stranger can be refused, so that a host
 * writes at most 60 a minute and says with the next how many it left out.
 */
export class SignInAudit {
  readonly #deps: SignInAuditDeps
  #windowEnd = 0
  #written = 0
  #leftOut = 0

  constructor(deps: SignInAuditDeps) {
    this.#deps = deps
  }

  async refused(ctx: RequestContext, way: 'wallet' | 'operator-token', reason: string): Promise<void> {
    const { pool, clock } = this.#deps
    if (clock.now() >= this.#windowEnd || this.#windowEnd > clock.now() + WINDOW_MS) {
      this.#windowEnd = clock.now() + WINDOW_MS
      this.#written = 0
    }
    if (this.#written >= MOST_PER_WINDOW) {
      this.#leftOut += 1
      return
    }
    this.#written += 1
    const details = { way, reason, ...(this.#leftOut === 0 ? {} : { leftOutBefore: this.#leftOut }) }
    this.#leftOut = 0
    const deed = {
      actor: `stranger from ${ctx.ip}`,
      action: 'dashboard sign-in refused',
      subject: 'dashboard',
      details,
    }
    await withTransaction(pool, (client) => recordDeed(client, clock, deed))
  }
}
