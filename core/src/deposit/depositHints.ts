import type { Pool } from 'pg'
import { HINT_CHANNEL } from '../database/notifier.js'
import type { DepositHints } from '../request/requestReader.js'

/** Passes a client's hint to whichever process watches the chain. */
export class NotifyingDepositHints implements DepositHints {
  readonly #pool: Pool

  constructor(deps: { readonly pool: Pool }) {
    this.#pool = deps.pool
  }

  hint(chainId: number): void {
    // A lost hint costs nothing: the watcher looks by itself.
    this.#pool.query('select pg_notify($1, $2)', [HINT_CHANNEL, String(chainId)]).catch(() => undefined)
  }
}
