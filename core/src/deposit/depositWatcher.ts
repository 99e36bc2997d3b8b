import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DepositEvidence, Json, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { type Lease, type LeaseKeeper, pause } from '../database/leases.js'
import { HINT_CHANNEL, type Notifier } from '../database/notifier.js'
import type { DepositIngest } from './depositIngest.js'
import { findDepositsAbove } from './depositStore.js'

interface WatcherDeps {
  readonly pool: Pool
  readonly leases: LeaseKeeper
  readonly ingest: DepositIngest
  readonly notifier: Notifier
  readonly log: Logger
}

const RETRY_MS = 1_000

/** Reads deposits of one chain into the database: one watcher per chain over all hosts, by lease (design 3, step 2). */
export class DepositWatcher {
  readonly #deps: WatcherDeps

  constructor(deps: WatcherDeps) {
    this.#deps = deps
  }

  /** Runs until the signal aborts; whatever fails is tried again from the stored cursor. */
  async run(chain: Chain, signal: AbortSignal): Promise<void> {
    const { leases, notifier, log } = this.#deps
    notifier.on(
      HINT_CHANNEL,
      (payload) => {
        if (payload === String(chain.config.id)) chain.adapter.poke?.()
      },
      signal,
    )
    while (!signal.aborted) {
      try {
        await leases.run(`watch:${chain.config.id}`, signal, (lease) => this.#watch(chain, lease))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ chainId: chain.config.id, err: error }, 'The watcher stopped and starts again')
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #watch(chain: Chain, lease: Lease): Promise<void> {
    const cursor = await this.#cursor(chain.config.id)
    for await (const page of chain.adapter.watch(cursor, lease.signal)) {
      await this.#deps.ingest.apply(chain, page, await this.#evidence(chain, page), lease)
    }
  }

  async #cursor(chainId: number): Promise<Json> {
    const { rows } = await this.#deps.pool.query<{ cursor: string }>(
      'select cursor from chain_cursors where chain_id = $1',
      [chainId],
    )
    const text = rows[0]?.cursor
    return text === undefined ? null : JSON.parse(text)
  }

  /** After a rewind every stored deposit above it is looked up again: where it is now, if anywhere. */
  async #evidence(chain: Chain, page: WatchPage): Promise<readonly DepositEvidence[]> {
    if (page.rewoundTo === null) return []
    const stored = await findDepositsAbove(this.#deps.pool, chain.config.id, page.rewoundTo)
    if (stored.length === 0) return []
    return chain.adapter.recheckDeposits(stored.map(({ txId, position }) => ({ tx: { id: txId }, position })))
  }
}
