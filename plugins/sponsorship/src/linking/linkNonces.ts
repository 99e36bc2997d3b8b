import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@causeway/core'
import type { DatabaseClient, Keys } from '@causeway/core/plugin'

export interface LinkNoncesDeps {
  readonly keys: Pick<Keys, 'derive'>
  readonly clock: Clock
}

/** Who is to be paid for by whom. */
export interface LinkParties {
  readonly integratorId: string
  /** In lower case. */
  readonly wallet: string
}

/** How long a message may be signed and sent, in milliseconds. */
export const LINK_LIFE_MS = 10 * 60_000

const MAC_DIGITS = 40
const nonceFormat = /^([0-9a-f]{32}[0-9a-f]{12})([0-9a-f]{40})$/

/**
 * Nonces of link messages. Each carries its expiry and a keyed hash over integrator and wallet, so that handing them out stores nothing;
 * only those that were used are stored, until they expire.
 */
export class LinkNonces {
  readonly #deps: LinkNoncesDeps
  #key: Uint8Array | undefined

  constructor(deps: LinkNoncesDeps) {
    this.#deps = deps
  }

  /** Hexadecimal digits: 16 random bytes, the expiry in Unix milliseconds, a keyed hash of both and of the parties. */
  issue(parties: LinkParties): { readonly nonce: string; readonly expiresAt: number } {
    const expiresAt = this.#deps.clock.now() + LINK_LIFE_MS
    const signed = randomBytes(16).toString('hex') + expiresAt.toString(16).padStart(12, '0')
    return { nonce: signed + this.#mac(signed, parties), expiresAt }
  }

  /** When a nonce of these parties ends, Unix milliseconds; null for one that was not given to them here. Says nothing of its use. */
  expiryOf(nonce: string, parties: LinkParties): number | null {
    const [, signed, mac] = nonceFormat.exec(nonce) ?? []
    if (signed === undefined || mac === undefined) return null
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(this.#mac(signed, parties)))) return null
    return Number.parseInt(signed.slice(32), 16)
  }

  /** Uses a nonce up, on every host; false when it was used before. Old ones are removed on the way. */
  async use(client: DatabaseClient, nonce: string, expiresAt: number): Promise<boolean> {
    await client.query('delete from sponsorship_used_nonces where expires_at <= $1', [new Date(this.#deps.clock.now())])
    const { rowCount } = await client.query(
      'insert into sponsorship_used_nonces (nonce, expires_at) values ($1, $2) on conflict do nothing',
      // Kept beyond its end, so that no host whose clock is behind takes it again.
      [nonce, new Date(expiresAt + LINK_LIFE_MS)],
    )
    return rowCount === 1
  }

  #mac(signed: string, { integratorId, wallet }: LinkParties): string {
    this.#key ??= this.#deps.keys.derive('funding wallet link')
    return createHmac('sha256', this.#key)
      .update(`${signed}\n${wallet}\n${integratorId}`)
      .digest('hex')
      .slice(0, MAC_DIGITS)
  }
}
