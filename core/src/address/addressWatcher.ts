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
/** While no address is given: how often that is asked, and the tip taken anew. */
const GIVEN_POLL_MS = 500
const BEGIN_MS = 30_000

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
    await this.#untilGiven(chain, addresses, lease)
    const live = new SqlLiveAddresses({ pool, chainId: chain.config.id, now: () => clock.now() })
    const cursor = await this.#cursor(chain.config.id)
    for await (const page of addresses.watch(cursor, live, lease.signal)) await ingest.apply(chain, page, lease)
  }

  /** Where no address was ever given no block is read: the place to begin at is kept new, so that nothing is missed once one is. */
  async #untilGiven(chain: Chain, addresses: DepositAddresses, lease: Lease): Promise<void> {
    const { pool, clock, ingest } = this.#deps
    const none = new SqlLiveAddresses({ pool, chainId: chain.config.id, now: () => clock.now() })
    let begunAt = Number.NEGATIVE_INFINITY
    while (!lease.signal.aborted && !(await this.#isGiven(chain.config.id))) {
      if (performance.now() - begunAt >= BEGIN_MS) {
        for await (const page of addresses.watch(null, none, lease.signal)) {
          await ingest.apply(chain, page, lease)
          break
        }
        begunAt = performance.now()
      }
      await pause(GIVEN_POLL_MS, lease.signal)
    }
  }

  async #isGiven(chainId: number): Promise<boolean> {
    const { rowCount } = await this.#deps.pool.query({
      name: 'addresses_any',
      text: 'select 1 from deposit_address_places where chain_id = $1 limit 1',
      values: [chainId],
    })
    return rowCount === 1
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
