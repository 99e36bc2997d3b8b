import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keys } from '@causeway/core/plugin'

type Use = 'session' | 'csrf' | 'nonce' | 'operator-token'

/** The keyed hashes of the management API, under a key derived from the master key: one deployment's are no other's. */
export class DashboardSecrets {
  readonly #key: Uint8Array

  constructor(keys: Pick<Keys, 'derive'>) {
    this.#key = keys.derive('api-keys/dashboard')
  }

  /** HMAC-SHA-256, 32 bytes; the same text gives another hash for another use. */
  hash(use: Use, text: string): Buffer {
    return createHmac('sha256', this.#key).update(`${use}/${text}`).digest()
  }

  /** What a changing call shows beside its cookie: it follows from the session and is stored nowhere. */
  csrfToken(sessionToken: string): string {
    return this.hash('csrf', sessionToken).toString('base64url')
  }

  isCsrfToken(given: unknown, sessionToken: string): boolean {
    const expected = Buffer.from(this.csrfToken(sessionToken))
    const shown = Buffer.from(typeof given === 'string' ? given : '')
    return shown.length === expected.length && timingSafeEqual(shown, expected)
  }
}
