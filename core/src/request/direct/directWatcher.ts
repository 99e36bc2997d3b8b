import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DirectCapability } from '../../chain/chainAdapter.js'
import type { Chain } from '../../chain/chainRegistry.js'
import type { Json } from '../../chain/json.js'
import type { DirectPage, DirectRequest } from '../../chain/swaps.js'
import type { Clock } from '../../clock/clock.js'
import { type Lease, type LeaseKeeper, pause, withLease } from '../../database/leases.js'
import { areDirectAwaited, noteCandidates } from './directQuotes.js'

interface DirectWatcherDeps {
  readonly pool: Pool
  readonly leases: LeaseKeeper
  readonly clock: Clock
  readonly log: Logger
}

type WatchDirects = NonNullable<DirectCapability['watch']>

const RETRY_MS = 1_000
/** How often the cursor is written while no transaction is found; blocks that are read again change nothing. */
const CURSOR_MS = 30_000

/**
 * Finds the transactions by which users carry out their quotes alone, so that a client that only polls the status needs no report: one
 * watcher per chain over all hosts, by lease. What a transaction did is judged by `DirectTracker`.
 */
export class DirectWatcher {
  readonly #deps: DirectWatcherDeps

  constructor(deps: DirectWatcherDeps) {
    this.#deps = deps
  }

  /** Runs until the signal aborts; after a failure it reads on from the stored cursor. */
  async run(chain: Chain, watch: WatchDirects, signal: AbortSignal): Promise<void> {
    const { leases, log } = this.#deps
    const { id: chainId } = chain.config
    while (!signal.aborted) {
      try {
        await leases.run(`directs:${chainId}`, signal, (lease) => this.#watch(chainId, watch, lease))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ chainId, err: error }, "The watcher of users' own transactions stopped and starts again")
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #watch(chainId: number, watch: WatchDirects, lease: Lease): Promise<void> {
    const { pool, clock } = this.#deps
    const awaits = (kinds: readonly DirectRequest['kind'][]) => areDirectAwaited(pool, { chainId, kinds }, clock.now())
    const cursor = await this.#cursor(chainId)
    let writtenAt = Number.NEGATIVE_INFINITY
    for await (const page of watch(cursor, awaits, lease.signal)) {
      if (page.candidates.length === 0 && performance.now() - writtenAt < CURSOR_MS) continue
      await this.#store(chainId, page, lease)
      writtenAt = performance.now()
    }
  }

  async #store(chainId: number, { candidates, cursor }: DirectPage, lease: Lease): Promise<void> {
    const { pool, clock } = this.#deps
    await withLease(pool, lease, async (client) => {
      await noteCandidates(client, chainId, candidates, clock.now())
      await client.query({
        name: 'direct_cursor_save',
        text: `insert into direct_cursors (chain_id, cursor, updated_at) values ($1, $2, to_timestamp($3 / 1000.0))
          on conflict (chain_id) do update set cursor = excluded.cursor, updated_at = excluded.updated_at`,
        values: [chainId, JSON.stringify(cursor), clock.now()],
      })
    })
  }

  async #cursor(chainId: number): Promise<Json> {
    const { rows } = await this.#deps.pool.query<{ cursor: string }>(
      'select cursor from direct_cursors where chain_id = $1',
      [chainId],
    )
    const text = rows[0]?.cursor
    return text === undefined ? null : JSON.parse(text)
  }
}
