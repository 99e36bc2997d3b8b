import type { Pool } from 'pg'
import { HINT_CHANNEL } from '../database/notifier.js'
import { holderKey } from '../quote/quoteHolder.js'
import { type DepositHints, TRUSTED_CALLER } from '../request/requestReader.js'

/** Longer names are those of no chain. */
const LONGEST_ID = 200

/**
 * Passes a client's hint to whichever process watches the chain: it reads now, and takes up what the transaction paid if it was overlooked
 * (wire.md 2.3).
 */
export class NotifyingDepositHints implements DepositHints {
  readonly #pool: Pool

  constructor(deps: { readonly pool: Pool }) {
    this.#pool = deps.pool
  }

  hint(chainId: number, txId: string, caller: string): void {
    if (txId.length > LONGEST_ID || txId.includes(' ')) return
    const named = `${chainId} ${txId} ${caller === TRUSTED_CALLER ? caller : holderKey(caller)}`
    // A lost hint costs nothing: the watcher reads by itself. Watchers of an earlier version know the first form alone.
    this.#pool
      .query('select pg_notify($1, $2), pg_notify($1, $3)', [HINT_CHANNEL, String(chainId), named])
      .catch(() => undefined)
  }
}
