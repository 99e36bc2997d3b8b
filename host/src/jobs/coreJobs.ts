import type { Clock, CurrencyRegistry, Notifier } from '@causeway/core'
import { type ChainRegistry, DepositIngest, DepositWatcher, type Job, LeaseKeeper } from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

export interface CoreJobsDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly currencies: CurrencyRegistry
  readonly chains: ChainRegistry
  readonly notifier: Notifier
  readonly log: Logger
}

/** The jobs of core itself: one deposit watcher per chain (design 3, step 2). */
export const createCoreJobs = ({ chains, notifier, ...deps }: CoreJobsDeps): readonly Job[] => {
  const watcher = new DepositWatcher({
    pool: deps.pool,
    leases: new LeaseKeeper({ pool: deps.pool }),
    ingest: new DepositIngest(deps),
    notifier,
    log: deps.log,
  })
  return chains.all().map((chain) => ({
    name: `watch ${chain.config.slug}`,
    role: 'watcher',
    run: (signal) => watcher.run(chain, signal),
  }))
}
