import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DepositAddresses } from '../chain/address/depositAddresses.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { Json } from '../chain/json.js'
import type { Clock } from '../clock/clock.js'
import { type Lease, type LeaseKeeper, pause } from '../database/leases.js'
import type { ArrivalIngest } from './arrivalIngest.js'
import { SqlLiveAddresses } from './liveAddresses.js'

interface WatcherDeps {
  readonly pool: Pool
  readonly leases: LeaseKeeper
  readonly ingest: ArrivalIngest
  readonly clock: Clock
  readonly log: Logger
}

const RETRY_MS = 1_000

/** Reads what comes to addresses of one chain into the database: one watcher per chain over all hosts, by lease. */
export class AddressWatcher {
  readonly #deps: WatcherDeps

  constructor(deps: WatcherDeps) {
    this.#deps = deps
  }

  /** Runs until the signal aborts; whatever fails is tried again from the stored cursor. */
  async run(chain: Chain, addresses: DepositAddresses, signal: AbortSignal): Promise<void> {
    const { leases, log } = this.#deps
    while (!signal.aborted) {
      try {
        await leases.run(`addresses:${chain.config.id}`, signal, (lease) => this.#watch(chain, addresses, lease))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ chainId: chain.config.id, err: error }, 'The watcher of deposit addresses stopped and starts again')
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #watch(chain: Chain, addresses: DepositAddresses, lease: Lease): Promise<void> {
    const { pool, clock, ingest } = this.#deps
    const live = new SqlLiveAddresses({ pool, chainId: chain.config.id, now: () => clock.now() })
    const cursor = await this.#cursor(chain.config.id)
    for await (const page of addresses.watch(cursor, live, lease.signal)) await ingest.apply(chain, page, lease)
  }

  async #cursor(chainId: number): Promise<Json> {
    const { rows } = await this.#deps.pool.query<{ cursor: string }>(
      'select cursor from address_cursors where chain_id = $1',
      [chainId],
    )
    const text = rows[0]?.cursor
    return text === undefined ? null : JSON.parse(text)
  }
}
