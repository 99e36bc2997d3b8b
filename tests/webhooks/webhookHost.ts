import 'reflect-metadata'
import { setMaxListeners } from 'node:events'
import { CLOCK } from '@causeway/core'
import { ConfiguredCurrencies, EnvironmentKeys, registerCoreServices } from '@causeway/core/host'
import { ChainRegistry, createPool, DEPLOYMENT, type Job, KEYS, type Plugin, pause } from '@causeway/core/plugin'
import { startTestServer } from '@causeway/core/testing'
import apiKeysPlugin from '@causeway/plugin-api-keys'
import webhooksPlugin from '@causeway/plugin-webhooks'
import { pino } from 'pino'
import { type DependencyContainer, instanceCachingFactory, container as rootContainer } from 'tsyringe'
import { TEST_MASTER } from '../harness/host/host.js'

/** A host with keys and webhooks and nothing else, in this process. */
export interface WebhookHost {
  /** Where its management API is. */
  readonly url: string
  readonly clock: { now(): number }
  /** Ends at once, as if it were killed: what was under way stays claimed. */
  kill(): Promise<void>
  /** Ends as told to. */
  stop(): Promise<void>
}

export interface WebhookHostOptions {
  readonly databaseUrl: string
  /** Options of the plugin beside those that let tests call receivers of this machine. */
  readonly webhooks?: Readonly<Record<string, unknown>>
  /** Which jobs run: all of the role, or those whose name contains one of the words. */
  readonly jobs?: readonly string[]
  readonly dashboard?: false
  readonly log?: NodeJS.WritableStream
}

/** What the options of the plugin are when nobody sets them. */
const DEFAULTS = {
  retryDelaysSeconds: [5, 15, 30, 60, 120, 300, 900, 3_600, 10_800, 21_600],
  timeoutSeconds: 10,
  maxInFlight: 256,
  maxInFlightPerEndpoint: 32,
  disableAfterDays: 3,
  keepDays: 30,
  signatureTimestamp: 'seconds' as const,
  allowPrivateTargets: true,
}

const register = async (container: DependencyContainer, plugin: Plugin, options: object): Promise<void> => {
  await plugin.register?.({
    container,
    options,
    provide: (token, factory) => {
      container.register(token, { useFactory: instanceCachingFactory(() => factory(container)) })
    },
  })
}

const keepRunning = async (job: Omit<Job, 'role'>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await job.run(signal).catch(() => undefined)
    await pause(50, signal)
  }
}

/** Starts one over a migrated database; several may share one, as hosts do. */
export const startWebhookHost = async (options: WebhookHostOptions): Promise<WebhookHost> => {
  const { databaseUrl, webhooks = {}, jobs: wanted } = options
  const pool = createPool({ connectionString: databaseUrl, max: 10, applicationName: 'causeway test host' })
  const log =
    options.log === undefined
      ? pino({ level: process.env.TEST_LOG ?? 'silent' })
      : pino({ level: 'trace' }, options.log)
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const chains = new ChainRegistry([])
  const container = rootContainer.createChildContainer()
  const core = await registerCoreServices(container, {
    ...{ pool, connectionString: databaseUrl, chains, log },
    currencies: new ConfiguredCurrencies([]),
    settings: { anonymousHoldBps: 2_500, callerHoldBps: 2_000, leaseMs: 2_000 },
  })
  container.register(KEYS, { useValue: new EnvironmentKeys(new Map([['master', TEST_MASTER]])) })
  const listener = { host: '127.0.0.1', tls: false }
  container.register(DEPLOYMENT, { useValue: { network: 'testnet', serviceName: 'relay', version: '1.0.0', listener } })
  const keyOptions = {
    maxKeysPerIntegrator: 50,
    proxy: { origins: [] },
    // Tests move the time by days; wallets sign in for a chain.
    dashboard: options.dashboard ?? { idleMinutes: 43_200, sessionMinutes: 525_600, chainIds: [1] },
  }
  const hookOptions = { ...DEFAULTS, ...webhooks }
  await register(container, apiKeysPlugin, keyOptions)
  await register(container, webhooksPlugin, hookOptions)
  const server = await startTestServer([
    ...(apiKeysPlugin.routes?.({ container, options: keyOptions }) ?? []),
    ...(webhooksPlugin.routes?.({ container, options: hookOptions }) ?? []),
  ])
  const jobs = (webhooksPlugin.jobs?.({ container, options: hookOptions }) ?? []).filter(
    ({ name }) => wanted === undefined || wanted.some((word) => name.includes(word)),
  )
  const running = [...core.upkeep, ...jobs].map((job) => keepRunning(job, stop.signal))
  const close = async () => {
    stop.abort()
    await Promise.allSettled(running)
    await webhooksPlugin.stop?.({ container, options: hookOptions })
    await apiKeysPlugin.stop?.({ container, options: keyOptions })
    await server.close()
  }
  return {
    url: server.server.url,
    clock: container.resolve(CLOCK),
    stop: async () => {
      await close()
      await pool.end()
    },
    kill: async () => {
      // Without its connections it can store and give back nothing.
      const ended = pool.end().catch(() => undefined)
      await close().catch(() => undefined)
      await ended
    },
  }
}
