import 'reflect-metadata'
import { CLOCK, type Clock, systemClock } from '@causeway/core'
import { coreMigrations, SqlAccessTokens, SqlKeptSums, SqlNonceMappings } from '@causeway/core/host'
import {
  armFailpoint,
  type ChainRegistry,
  ChainsForCommands,
  ChainsOfHost,
  type Command,
  createPool,
  type Deployment,
  type Keys,
  migrate,
} from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type DependencyContainer, container as tsyringeRoot } from 'tsyringe'
import type { LoadedConfig } from '../../config/loadConfig.js'
import type { HostConfig } from '../../config/schema/schema.js'
import { CORE_TOKENS, type CoreJobs, registerCore } from '../../container/registerCore.js'
import { type LoadedPackages, loadPackages } from '../../plugins/loadPackages.js'
import { type ActivePlugin, setUpPlugins } from '../../plugins/setUpPlugins.js'
import { claimDatabase, WrongMasterError } from '../claimDatabase.js'
import { commandsOfHost } from '../hostCommands.js'
import { createHostMetrics, type HostMetrics } from '../hostMetrics.js'
import { hostMigrations } from '../hostMigrations.js'
import { HOST_VERSION } from '../hostVersion.js'
import { requireRightClock } from './machineClock.js'
import { createChains } from './openChains.js'
import { type DatabaseUser, openDatabase } from './openDatabase.js'
import { openKeys } from './openKeys.js'
import { openPriceSources } from './openPriceSources.js'
import { openTracing } from './openTracing.js'
import { readSolvers } from './readSolvers.js'

/** Everything a process works with, before any job or listener has started. */
export interface OpenHost {
  readonly container: DependencyContainer
  readonly plugins: readonly ActivePlugin[]
  readonly chains: ChainRegistry
  /** Told of each chain that is started; null where commands start them. */
  readonly chainsOfHost: ChainsOfHost | null
  readonly pool: Pool
  readonly metrics: HostMetrics
  readonly jobs: CoreJobs
  /** Stops what `openHost` started, the database last. */
  close(): Promise<void>
}

/** Runs the migrations of core, the host and the plugins, under a lock (architecture.md 5, Tables). */
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

/** Over a connection of its own: a migration takes as long as it takes. */
const migrateWithoutLimit = async (connectionString: string, packages: LoadedPackages, log: Logger): Promise<void> => {
  const pool = createPool({ connectionString, max: 1, applicationName: 'causeway migrate' })
  try {
    await migrateAll(pool, packages, log)
  } finally {
    await pool.end()
  }
}

/** A command that needs no master key is not kept from its work by a wrong one. @throws WrongDatabaseError */
const claim = async ({ config: { network }, commandKeys }: LoadedConfig, pool: Pool, keys: Keys): Promise<void> => {
  try {
    await claimDatabase(pool, { network, keys: commandKeys?.readable() ?? keys })
  } catch (error) {
    if (commandKeys === null || !(error instanceof WrongMasterError)) throw error
    commandKeys.refuseMasters(error)
  }
}

/** The commands of every plugin. */
export const commandsOfPlugins = (plugins: readonly ActivePlugin[]): readonly Command[] =>
  plugins.flatMap(({ plugin, context }) => plugin.commands?.(context) ?? [])

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const listenersOf = ({ http }: HostConfig): Pick<Deployment, 'listener' | 'consoleListener'> => {
  const tls = http.tls !== undefined
  const { console: own } = http
  return {
    listener: { host: http.host, tls },
    ...(own.shared ? {} : { consoleListener: { host: own.host, tls, publicUrl: own.publicUrl ?? null } }),
  }
}

/**
 * Opens a host: packages, database, migrations, keys, chains (not started), container, plugins registered.
 * A command says so: it leaves the embedded database as it found it.
 * @throws ConfigError, DatabaseUnavailableError, WrongClockError, WrongDatabaseError
 */
export const openHost = async (loaded: LoadedConfig, log: Logger, user: DatabaseUser = 'host'): Promise<OpenHost> => {
  const { config, failpoint } = loaded
  if (failpoint !== undefined) armFailpoint(failpoint)
  const packages = await loadPackages(loaded, CORE_TOKENS)
  const database = await openDatabase(loaded, log, user)
  try {
    const { pool } = database
    if (user === 'host') await requireRightClock(pool, log)
    await migrateWithoutLimit(database.url, packages, log)
    const keys: Keys = openKeys(loaded, packages.chains)
    await claim(loaded, pool, keys)
    const container = tsyringeRoot.createChildContainer()
    const metrics = createHostMetrics()
    const tracing = await openTracing(loaded)
    // The adapters come before the clock, which needs nothing of them but stands in the same container.
    let clock: Clock = systemClock
    const solvers = user === 'command' ? await readSolvers(pool) : undefined
    const following: Clock = { now: () => clock.now() }
    const nonceMappings = new SqlNonceMappings({ pool, clock: following, domainName: config.nonceMappingDomain })
    const chains = await createChains(loaded, packages.chains, {
      ...{ clock: following, keys, log, nonceMappings, solvers },
      keptSums: new SqlKeptSums(pool),
      accessTokens: new SqlAccessTokens(pool),
    })
    const chainsOfHost = user === 'command' ? null : new ChainsOfHost()
    let plugins: readonly ActivePlugin[] = []
    const all = once(() => [...commandsOfPlugins(plugins), ...commandsOfHost(loaded)])
    const jobs = await registerCore(container, {
      config,
      deployment: {
        network: config.network,
        serviceName: config.serviceName,
        version: HOST_VERSION,
        ...listenersOf(config),
      },
      chains,
      chainUse: chainsOfHost ?? new ChainsForCommands(),
      commands: { all },
      pool,
      searchPool: database.searchPool,
      connectionString: database.url,
      keys,
      environment: loaded.environment,
      log,
      metrics: metrics.metrics,
      tracing: tracing.requests,
      openPrices: (deps) => openPriceSources(loaded, deps),
    })
    clock = container.resolve(CLOCK)
    plugins = await setUpPlugins(container, packages.plugins, CORE_TOKENS.shared)
    const close = async () => {
      await tracing.close()
      await database.close()
    }
    return { container, plugins, chains, chainsOfHost, pool, metrics, jobs, close }
  } catch (error) {
    await database.close().catch(() => undefined)
    throw error
  }
}
