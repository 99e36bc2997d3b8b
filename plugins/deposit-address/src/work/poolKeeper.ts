import type { Clock } from '@causeway/core'
import {
  type ChainRegistry,
  type DatabasePool,
  type Keys,
  type LeaseKeeper,
  pause,
  stockPool,
} from '@causeway/core/plugin'
import type { Logger } from 'pino'

export interface PoolKeeperDeps {
  readonly pool: DatabasePool
  readonly chains: ChainRegistry
  readonly keys: Pick<Keys, 'has' | 'seed'>
  readonly clock: Clock
  readonly leases: LeaseKeeper
  readonly log: Logger
  /** Addresses kept ready on each chain. */
  readonly size: number
}

const LEASE = 'deposit address pools'
const TICK_MS = 5_000

/** Keeps addresses ready on chains where only the holder of the seed can derive them. */
export class PoolKeeper {
  readonly #deps: PoolKeeperDeps

  constructor(deps: PoolKeeperDeps) {
    this.#deps = deps
  }

  /** Works while it holds the lease, until the signal aborts; without chains that need it, or without the seed, it waits. */
  async run(signal: AbortSignal): Promise<void> {
    const { leases, keys, log } = this.#deps
    const chainIds = this.#pooled().map(({ chainId }) => chainId)
    if (chainIds.length === 0) return idle(signal)
    if (!keys.has('hd')) {
      log.warn({ chainIds }, 'the key "hd" is not given to this process: it makes no addresses to pay to')
      return idle(signal)
    }
    await leases.run(LEASE, signal, async (lease) => {
      while (!lease.signal.aborted) {
        await this.stock()
        await pause(TICK_MS, lease.signal)
      }
    })
  }

  /** Fills every pool; one that cannot be filled leaves the others alone. */
  async stock(): Promise<void> {
    const { pool, keys, clock, size, log } = this.#deps
    for (const { chainId, addresses } of this.#pooled()) {
      try {
        const made = await stockPool(pool, { chainId, addresses, seed: keys.seed() }, size, clock.now())
        if (made > 0) log.info({ chainId, made }, 'addresses to pay to were made')
      } catch (error) {
        log.error({ err: error, chainId }, 'addresses to pay to could not be made')
      }
    }
  }

  #pooled() {
    return this.#deps.chains.all().flatMap(({ config, adapter: { depositAddresses } }) => {
      if (!config.enabled || depositAddresses?.pool === undefined) return []
      return [{ chainId: config.id, addresses: depositAddresses.pool }]
    })
  }
}

const idle = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
