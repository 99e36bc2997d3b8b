import { join } from 'node:path'
import { allocatorOf } from '@causeway/core/money-path'
import { type Chain, KEYS, type Role, type Route } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import type { CausewayConfig } from '../config/defineConfig.js'
import { type LoadedConfig, loadConfig } from '../config/loadConfig.js'
import { JobSupervisor } from '../jobs/jobSupervisor.js'
import { checkConfigured } from './checkConfigured.js'
import { createHostLogger } from './createHostLogger.js'
import { allocatorPath, claimDeployment, compareDeployment, deploymentFacts } from './deploymentFacts.js'
import { ChainChecks } from './opening/chainChecks.js'
import { startChains } from './opening/openChains.js'
import { type OpenHost, openHost } from './opening/openHost.js'
import { onStopSignal } from './processSignals.js'
import { routesOf, serveHttp, socketsOf } from './serveHttp.js'

export interface StartHostOptions {
  /** A configuration file, or a configuration; relative names in the latter start at `folder` (default: where we are). */
  readonly configPath?: string
  readonly config?: CausewayConfig
  readonly folder?: string
  /** Wins over those of the configuration. */
  readonly roles?: readonly (Role | 'all')[] | undefined
  readonly port?: number | undefined
  /** Takes the settings that money depends on as those of the deployment from now on, where they differ. Default false. */
  readonly acceptConfig?: boolean
  /** Stop on SIGINT and SIGTERM. Default false. */
  readonly signalHandling?: boolean
  /** Default: made from the configuration. */
  readonly log?: Logger
  /** Fails every answer, and every header read, that the route does not declare; for tests. Default false. */
  readonly checkResponses?: boolean
}

export interface RunningHost {
  /** `http://127.0.0.1:3000`, without a slash at the end. */
  readonly url: string
  /** Of the operator's listener, for `/console` and `/metrics`; null where the first one is it. */
  readonly consoleUrl: string | null
  /** What it serves. */
  readonly routes: readonly Route[]
  /** Drains HTTP, ends jobs in reverse order, closes everything. Safe to call twice. */
  stop(): Promise<void>
}

const JOB_GRACE_MS = 5_000

/** Runs in reverse what was started, whatever fails. */
class StopList {
  readonly #steps: { readonly name: string; readonly run: () => Promise<void> }[] = []
  readonly #log: Logger
  #stopped: Promise<void> | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  add(name: string, run: () => Promise<void>): void {
    this.#steps.push({ name, run })
  }

  run(): Promise<void> {
    this.#stopped ??= this.#runAll()
    return this.#stopped
  }

  async #runAll(): Promise<void> {
    for (const { name, run } of this.#steps.splice(0).reverse()) {
      try {
        await run()
      } catch (error) {
        this.#log.warn({ step: name, err: error }, 'a part did not stop cleanly')
      }
    }
  }
}

const startPlugins = async ({ plugins }: OpenHost, stops: StopList): Promise<void> => {
  for (const { plugin, context } of plugins) {
    const stop = plugin.stop?.bind(plugin)
    if (stop !== undefined) stops.add(plugin.name, () => stop(context))
    await plugin.start?.(context)
  }
}

const startJobs = ({ config }: LoadedConfig, host: OpenHost, log: Logger): JobSupervisor => {
  const supervisor = new JobSupervisor({ log, onRestart: (job) => host.metrics.jobRestarts.inc({ task: job }) })
  for (const job of host.jobs.upkeep) supervisor.start(job)
  const ofPlugins = host.plugins.flatMap(({ plugin, context }) => plugin.jobs?.(context) ?? [])
  for (const job of [...host.jobs.watchers, ...ofPlugins]) if (config.roles.includes(job.role)) supervisor.start(job)
  return supervisor
}

/** The allocator of each chain, where this process holds its key. */
const allocatorsOf = ({ container }: OpenHost) => {
  const keys = container.resolve(KEYS)
  return ({ config, adapter }: Chain): string | null => {
    const signer = allocatorOf(keys, config.id)
    return signer === null ? null : adapter.lane.addressOf(signer)
  }
}

/** What configurations of other processes state as `solver`. */
const logWallets = ({ chains }: OpenHost, log: Logger): void => {
  for (const { config } of chains.all()) log.info({ chain: config.slug, solver: config.solver }, 'the solver pays from')
}

interface StartOptions {
  readonly log: Logger
  readonly checkResponses: boolean
  readonly acceptConfig: boolean
}

const start = async (
  loaded: LoadedConfig,
  { log, checkResponses, acceptConfig }: StartOptions,
  stops: StopList,
): Promise<Pick<RunningHost, 'url' | 'consoleUrl' | 'routes'>> => {
  const host = await openHost(loaded, log)
  stops.add('database', () => host.close())
  await checkConfigured(loaded, host, log)
  const chainsStop = new AbortController()
  stops.add('chains', async () => {
    chainsStop.abort()
    await Promise.all(host.chains.all().map(({ adapter }) => adapter.stop()))
  })
  const onStarted = (chainId: number) => host.chainsOfHost?.noteStarted(chainId)
  const { chains } = host
  const allocatorOfHere = allocatorsOf(host)
  const facts = deploymentFacts({ chains: chains.all(), allocatorOf: allocatorOfHere })
  const deployment = await compareDeployment(host.pool, facts, acceptConfig)
  // A process without the key knows the allocator from those that have it.
  const allocatorOf = (chain: Chain) => allocatorOfHere(chain) ?? deployment.get(allocatorPath(chain.config.id)) ?? null
  const checks = new ChainChecks({ chains, allocatorOf, log })
  checks.holdAll()
  const problems = await startChains(host.chains, { log, onStarted, checks }, chainsStop.signal)
  if (problems.length > 0) throw loaded.fail(problems)
  // Settings that their chain contradicts are not those of the deployment.
  const served = deploymentFacts({
    chains: chains.all().filter((chain) => chains.holdOf(chain.config.id) === null),
    allocatorOf: allocatorOfHere,
  })
  await claimDeployment(host.pool, served, { accept: acceptConfig, log })
  await startPlugins(host, stops)
  if (loaded.config.roles.includes('solver')) logWallets(host, log)
  const jobs = startJobs(loaded, host, log)
  stops.add('jobs', () => jobs.stop(JOB_GRACE_MS))
  const sockets = socketsOf(loaded, host)
  const routes = routesOf(loaded, host, sockets)
  const server = await serveHttp(loaded, host, { routes, sockets, log, checkResponses })
  stops.add('http', () => server.close(loaded.config.http.drainSeconds * 1000))
  return { url: server.url, consoleUrl: server.consoleUrl, routes }
}

/**
 * Starts a host: it listens only when everything else is ready.
 * @throws ConfigError with every problem; DatabaseUnavailableError; WrongClockError; UnconfiguredError; ListenError
 */
export const startHost = async (options: StartHostOptions): Promise<RunningHost> => {
  const startedAt = performance.now()
  const file = options.configPath ?? join(options.folder ?? process.cwd(), 'causeway.config.ts')
  const loaded = await loadConfig(file, {
    ...(options.configPath === undefined ? { value: options.config } : {}),
    ...pick(options),
  })
  const log = options.log ?? createHostLogger(loaded)
  const stops = new StopList(log)
  const forget = options.signalHandling === true ? onStopSignal(log, () => stops.run()) : () => undefined
  try {
    const { url, consoleUrl, routes } = await start(
      loaded,
      { log, checkResponses: options.checkResponses ?? false, acceptConfig: options.acceptConfig ?? false },
      stops,
    )
    log.info(
      {
        url,
        ...(consoleUrl === null ? {} : { consoleUrl }),
        roles: loaded.config.roles,
        milliseconds: Math.round(performance.now() - startedAt),
      },
      'the host is ready',
    )
    return {
      url,
      consoleUrl,
      routes,
      stop: async () => {
        forget()
        await stops.run()
      },
    }
  } catch (error) {
    forget()
    await stops.run()
    throw error
  }
}

const pick = ({ roles, port }: StartHostOptions) => ({
  ...(roles === undefined ? {} : { roles }),
  ...(port === undefined ? {} : { port }),
})
