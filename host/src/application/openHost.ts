import 'reflect-metadata'
import { type ChainRegistry, CLOCK, type Clock, coreMigrations, type Keys, migrate, systemClock } from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type DependencyContainer, container as tsyringeRoot } from 'tsyringe'
import type { LoadedConfig } from '../config/loadConfig.js'
import { CORE_TOKENS, type CoreJobs, registerCore } from '../container/registerCore.js'
import { type LoadedPackages, loadPackages } from '../plugins/loadPackages.js'
import { type ActivePlugin, setUpPlugins } from '../plugins/setUpPlugins.js'
import { claimDatabase } from './claimDatabase.js'
import { createHostMetrics, type HostMetrics } from './hostMetrics.js'
import { hostMigrations } from './hostMigrations.js'
import { HOST_VERSION } from './hostVersion.js'
import { createChains } from './openChains.js'
import { openDatabase } from './openDatabase.js'
import { openKeys } from './openKeys.js'
import { openPriceSources } from './openPriceSources.js'
import { openTracing } from './openTracing.js'

/** Everything a process works with, before any job or listener has started. */
export interface OpenHost {
  readonly container: DependencyContainer
  readonly plugins: readonly ActivePlugin[]
  readonly chains: ChainRegistry
  readonly pool: Pool
  readonly metrics: HostMetrics
  readonly jobs: CoreJobs
  /** Stops what `openHost` started, the database last. */
  close(): Promise<void>
}

/** Runs the migrations of core, the host and the plugins, under a lock (design 5, Tables). */
export const migrateAll = (pool: Pool, packages: LoadedPackages, log: Logger): Promise<void> =>
  migrate(pool, {
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: '@causeway/host', migrations: hostMigrations },
      ...packages.plugins.map(({ plugin }) => ({ name: plugin.name, migrations: plugin.migrations ?? [] })),
    ],
    onProgress: (event) => log.info(event, 'migrated'),
    onUnknown: (event) => log.warn(event, 'the database was changed by a newer version; this one can still run'),
  })

/**
 * Opens a host: packages, database, migrations, keys, chains (not started), container, plugins registered.
 * @throws ConfigError, DatabaseUnavailableError, WrongDatabaseError
 */
export const openHost = async (loaded: LoadedConfig, log: Logger): Promise<OpenHost> => {
  const { config } = loaded
  const packages = await loadPackages(loaded, CORE_TOKENS)
  const database = await openDatabase(loaded, log)
  try {
    const { pool } = database
    await migrateAll(pool, packages, log)
    const keys: Keys = openKeys(loaded, packages.chains)
    await claimDatabase(pool, { network: config.network, keys })
    const container = tsyringeRoot.createChildContainer()
    const metrics = createHostMetrics()
    const tracing = await openTracing(loaded)
    // The adapters come before the clock, which needs nothing of them but stands in the same container.
    let clock: Clock = systemClock
    const chains = await createChains(loaded, packages.chains, { clock: { now: () => clock.now() }, keys, log })
    const jobs = await registerCore(container, {
      config,
      deployment: {
        network: config.network,
        serviceName: config.serviceName,
        version: HOST_VERSION,
        listener: { host: config.http.host, tls: config.http.tls !== undefined },
      },
      chains,
      pool,
      searchPool: database.searchPool,
      connectionString: database.url,
      keys,
      log,
      metrics: metrics.metrics,
      tracing: tracing.requests,
      openPrices: (deps) => openPriceSources(loaded, deps),
    })
    clock = container.resolve(CLOCK)
    const plugins = await setUpPlugins(container, packages.plugins, CORE_TOKENS.shared)
    const close = async () => {
      await tracing.close()
      await database.close()
    }
    return { container, plugins, chains, pool, metrics, jobs, close }
  } catch (error) {
    await database.close().catch(() => undefined)
    throw error
  }
}
