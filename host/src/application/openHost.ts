import 'reflect-metadata'
import { resolve } from 'node:path'
import {
  type ChainRegistry,
  type Clock,
  coreMigrations,
  EnvironmentKeys,
  type Keys,
  migrate,
  PostgresNotifier,
  systemClock,
} from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type DependencyContainer, container as tsyringeRoot } from 'tsyringe'
import type { LoadedConfig } from '../config/loadConfig.js'
import { CORE_TOKENS, registerCore } from '../container/registerCore.js'
import { type LoadedPackages, loadPackages } from '../plugins/loadPackages.js'
import { type ActivePlugin, setUpPlugins } from '../plugins/setUpPlugins.js'
import { claimDatabase } from './claimDatabase.js'
import { DatabaseClock } from './databaseClock.js'
import { createHostMetrics, type HostMetrics } from './hostMetrics.js'
import { hostMigrations } from './hostMigrations.js'
import { HOST_VERSION } from './hostVersion.js'
import { createChains } from './openChains.js'
import { openDatabase } from './openDatabase.js'

/** Everything a process works with, before any job or listener has started. */
export interface OpenHost {
  readonly container: DependencyContainer
  readonly plugins: readonly ActivePlugin[]
  readonly chains: ChainRegistry
  readonly pool: Pool
  readonly clock: Clock
  readonly notifier: PostgresNotifier
  readonly metrics: HostMetrics
  /** Stops what `openHost` started, the database last. */
  close(): Promise<void>
}

const CLOSE_LATEST_MS = 5_000

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

/** Testnet clocks can be moved together by tests; that of real money never. */
const openClock = async (network: string, pool: Pool, signal: AbortSignal): Promise<Clock> => {
  if (network === 'mainnet') return systemClock
  const clock = new DatabaseClock({ pool })
  await clock.refresh()
  void clock.follow(signal)
  return clock
}

/**
 * Opens a host: packages, database, migrations, keys, chains (not started), container, plugins registered.
 * @throws ConfigError, DatabaseUnavailableError, WrongDatabaseError
 */
export const openHost = async (loaded: LoadedConfig, log: Logger): Promise<OpenHost> => {
  const { config } = loaded
  const packages = await loadPackages(loaded, CORE_TOKENS)
  const database = await openDatabase(loaded, log)
  const stop = new AbortController()
  const container = tsyringeRoot.createChildContainer()
  let notifying: Promise<void> | undefined
  const close = async () => {
    stop.abort()
    await Promise.race([notifying, new Promise((done) => setTimeout(done, CLOSE_LATEST_MS).unref())])
    container.clearInstances()
    await database.close()
  }
  try {
    const { pool } = database
    await migrateAll(pool, packages, log)
    const keys: Keys = new EnvironmentKeys(loaded.keys)
    await claimDatabase(pool, { network: config.network, keys })
    const clock = await openClock(config.network, pool, stop.signal)
    const metrics = createHostMetrics()
    const notifier = new PostgresNotifier({ connectionString: database.url })
    const chains = await createChains(loaded, packages.chains, { clock, keys, log })
    registerCore(container, {
      config,
      deployment: { network: config.network, serviceName: config.serviceName, version: HOST_VERSION },
      chains,
      pool,
      clock,
      keys,
      log,
      metrics: metrics.registry,
      notifier,
      priceFile: config.prices.file === undefined ? null : resolve(loaded.folder, config.prices.file),
    })
    const plugins = await setUpPlugins(container, packages.plugins, CORE_TOKENS.shared)
    notifying = notifier.run(stop.signal)
    return { container, plugins, chains, pool, clock, notifier, metrics, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}
