import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@causeway/core'
import type { PoolClient } from 'pg'
import type { DashboardSecrets } from '../dashboardSecrets.js'

export interface SignInNoncesDeps {
  readonly secrets: DashboardSecrets
  readonly clock: Clock
}

/** How long a nonce may be signed and sent, in milliseconds. */
export const NONCE_LIFE_MS = 10 * 60_000

const MAC_DIGITS = 40
const nonceFormat = /^([0-9a-f]{32}[0-9a-f]{12})([0-9a-f]{40})$/

/**
 * Nonces of sign-in messages. They carry their expiry and a keyed hash, so that handing them out stores nothing, however
 * often a stranger asks; only those that were used are stored, until they expire.
 */
export class SignInNonces {
  readonly #deps: SignInNoncesDeps

  constructor(deps: SignInNoncesDeps) {
    this.#deps = deps
  }

  /** Hexadecimal digits: 16 random bytes, the expiry in Unix milliseconds, a keyed hash of both. */
  issue(): { readonly nonce: string; readonly expiresAt: number } {
    const expiresAt = this.#deps.clock.now() + NONCE_LIFE_MS
    const signed = randomBytes(16).toString('hex') + expiresAt.toString(16).padStart(12, '0')
    return { nonce: signed + this.#mac(signed), expiresAt }
  }

  /** Whether we issued it, and whether in time; says nothing of its use. */
  judge(nonce: string): 'valid' | 'expired' | 'foreign' {
    const [, signed, mac] = nonceFormat.exec(nonce) ?? []
    if (signed === undefined || mac === undefined) return 'foreign'
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(this.#mac(signed)))) return 'foreign'
    return this.#expiryOf(nonce) > this.#deps.clock.now() ? 'valid' : 'expired'
  }

  /** Uses a valid nonce up, on every host; false when it was used before. Old ones are removed on the way. */
  async use(client: PoolClient, nonce: string): Promise<boolean> {
    await client.query('delete from dashboard_used_nonces where expires_at <= $1', [new Date(this.#deps.clock.now())])
    const { rowCount } = await client.query(
      'insert into dashboard_used_nonces (nonce, expires_at) values ($1, $2) on conflict do nothing',
      // Kept beyond its end, so that no host whose clock is behind takes it again.
      [nonce, new Date(this.#expiryOf(nonce) + NONCE_LIFE_MS)],
    )
    return rowCount === 1
  }

  #expiryOf(nonce: string): number {
    return Number.parseInt(nonce.slice(32, 44), 16)
  }

  #mac(signed: string): string {
    return this.#deps.secrets.hash('nonce', signed).toString('hex').slice(0, MAC_DIGITS)
  }
}
