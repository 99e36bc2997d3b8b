import type { Clock } from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

export interface KeyUsageDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Logger
}

const FLUSH_MS = 60_000

/** Writes when each key was first and last used, once a minute in one statement. For people to look at; losing some is harmless. */
export class KeyUsage {
  readonly #deps: KeyUsageDeps
  readonly #used = new Set<string>()

  constructor(deps: KeyUsageDeps) {
    this.#deps = deps
  }

  note(apiKeyId: string): void {
    this.#used.add(apiKeyId)
  }

  /** Flushes every minute until the signal aborts. */
  start(signal: AbortSignal): void {
    const timer = setInterval(() => void this.flush(), FLUSH_MS)
    timer.unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  async flush(): Promise<void> {
    if (this.#used.size === 0) return
    const ids = [...this.#used]
    this.#used.clear()
    try {
      await this.#deps.pool.query(
        `update api_keys set first_used_at = coalesce(first_used_at, case when last_used_at is null then $2::timestamptz end), last_used_at = $2
          where id = any($1::uuid[])`,
        [ids, new Date(this.#deps.clock.now())],
      )
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the last use of keys could not be stored')
    }
  }
}
