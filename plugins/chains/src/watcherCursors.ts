import { BoundedCache, type Clock } from '@causeway/core'
import type { Pool } from 'pg'

export interface WatcherCursorsDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Milliseconds that only grow. */
  now(): number
}

/** How far the watcher of a chain has read. */
export interface WatcherCursor {
  readonly height: bigint
  /** Seconds since it last stored a page. */
  readonly ageSeconds: number
}

const KEEP_MS = 2_000

/** The cursors of all watchers, read by one statement at most every two seconds. */
export class WatcherCursors {
  readonly #deps: WatcherCursorsDeps
  readonly #cache: BoundedCache<ReadonlyMap<number, WatcherCursor>>

  constructor(deps: WatcherCursorsDeps) {
    this.#deps = deps
    this.#cache = new BoundedCache({ clock: { now: deps.now }, maxEntries: 1, lifeOf: () => KEEP_MS })
  }

  /** By chain id; a chain that was never read is absent. Throws when the database does not answer. */
  read(): Promise<ReadonlyMap<number, WatcherCursor>> {
    return this.#cache.get('all', () => this.#ask())
  }

  async #ask(): Promise<ReadonlyMap<number, WatcherCursor>> {
    const { rows } = await this.#deps.pool.query<{ chain: string; height: string; updated_at: Date }>({
      name: 'chains_cursors',
      text: 'select chain_id::text as chain, height::text as height, updated_at from chain_cursors',
    })
    const now = this.#deps.clock.now()
    return new Map(
      rows.map((row) => [
        Number(row.chain),
        { height: BigInt(row.height), ageSeconds: (now - row.updated_at.getTime()) / 1000 },
      ]),
    )
  }
}
