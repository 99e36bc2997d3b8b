import { randomBytes } from 'node:crypto'
import type { Clock } from '@causeway/core'
import { type DatabasePool, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import { toBase62 } from '../apiKeyFormat.js'
import type { DashboardSecrets } from './dashboardSecrets.js'

export interface OperatorTokensDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly secrets: DashboardSecrets
}

const LIFE_MS = 15 * 60_000

/** Tokens of the command line that open one operator's session each: how the first operator comes in, and any locked out. */
export class OperatorTokens {
  readonly #deps: OperatorTokensDeps

  constructor(deps: OperatorTokensDeps) {
    this.#deps = deps
  }

  /** Makes a token; the table has a keyed hash of it. */
  async issue(actor: string): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const now = this.#deps.clock.now()
    const made = { token: `cop_${toBase62(randomBytes(32))}`, expiresAt: new Date(now + LIFE_MS) }
    await withTransaction(this.#deps.pool, async (client) => {
      await client.query('delete from dashboard_operator_tokens where expires_at <= $1', [new Date(now)])
      await client.query('insert into dashboard_operator_tokens (hash, expires_at) values ($1, $2)', [
        this.#deps.secrets.hash('operator-token', made.token),
        made.expiresAt,
      ])
      await recordAudit(client, {
        at: now,
        actor,
        action: 'dashboard operator-token',
        subject: 'dashboard',
        details: {},
      })
    })
    return made
  }

  /** Uses a token up; false where it is unknown, used or older than 15 minutes. */
  async use(client: PoolClient, token: string): Promise<boolean> {
    const { rows } = await client.query<{ expires_at: Date }>(
      'delete from dashboard_operator_tokens where hash = $1 returning expires_at',
      [this.#deps.secrets.hash('operator-token', token)],
    )
    return rows.some((row) => row.expires_at.getTime() > this.#deps.clock.now())
  }
}
