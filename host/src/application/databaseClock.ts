import { type Clock, pause, systemClock } from '@causeway/core'
import type { Pool } from 'pg'

const POLL_MS = 500

/**
 * The machine's time plus the offset row of the database, so that all processes of a test deployment move together. The
 * offset is read anew twice a second.
 */
export class DatabaseClock implements Clock {
  readonly #pool: Pool
  #offsetMs = 0

  constructor(deps: { readonly pool: Pool }) {
    this.#pool = deps.pool
  }

  now(): number {
    return systemClock.now() + this.#offsetMs
  }

  async refresh(): Promise<void> {
    const { rows } = await this.#pool.query<{ offset_ms: bigint }>({
      name: 'clock_offset',
      text: 'select offset_ms from clock_offset',
    })
    this.#offsetMs = Number(rows[0]?.offset_ms ?? 0)
  }

  /** Follows the offset until the signal aborts; a database that is away leaves it as it is. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(POLL_MS, signal)
      if (!signal.aborted) await this.refresh().catch(() => undefined)
    }
  }
}
