import type { Clock, CurrencyRegistry, Notifier } from '@causeway/core'
import { type ChainRegistry, DepositIngest, DepositWatcher, type Job, type LeaseKeeper } from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

export interface CoreJobsDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly currencies: CurrencyRegistry
  readonly chains: ChainRegistry
  readonly leases: LeaseKeeper
  readonly notifier: Notifier
  readonly log: Logger
}

/** The jobs of core itself: one deposit watcher per chain (design 3, step 2). */
export const createCoreJobs = ({ chains, ...deps }: CoreJobsDeps): readonly Job[] => {
  const watcher = new DepositWatcher({
    ...deps,
    ingest: new DepositIngest(deps),
  })
  return chains.all().map((chain) => ({
    name: `watch ${chain.config.slug}`,
    role: 'watcher',
    run: (signal) => watcher.run(chain, signal),
  }))
}
