import 'reflect-metadata'
import {
  CHAINS,
  type ChainRegistry,
  CheckedPrices,
  CLOCK,
  ConfiguredCurrencies,
  CURRENCIES,
  CURRENCY_SEARCH_SOURCES,
  DEPLOYMENT,
  DEPOSIT_HINTS,
  type Deployment,
  FilePriceSource,
  type Job,
  KEYS,
  type Keys,
  LEASES,
  LOGGER,
  METRICS,
  type Metrics,
  NOTIFIER,
  POOL,
  PRICE_SOURCES,
  PRICES,
  type PriceSource,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
  REQUESTS,
  type RequestTracing,
  registerCoreServices,
  TRACING,
  TRANSFER_OBSERVER,
} from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe'
import type { HostConfig } from '../config/schema.js'
import type { ContainerTokens } from '../plugins/loadPackages.js'

/** Extension points: several plugins may add to them. */
const SHARED = [PRICE_SOURCES, QUOTE_EXTENSIONS, CURRENCY_SEARCH_SOURCES]

/** What the host registers, and which of it plugins may add to. */
export const CORE_TOKENS: ContainerTokens = {
  given: new Set<InjectionToken>([
    ...SHARED,
    CHAINS,
    CLOCK,
    CURRENCIES,
    DEPLOYMENT,
    DEPOSIT_HINTS,
    KEYS,
    LEASES,
    LOGGER,
    METRICS,
    NOTIFIER,
    POOL,
    PRICES,
    QUOTE_STORE,
    REQUESTS,
    TRACING,
    TRANSFER_OBSERVER,
  ]),
  shared: new Set<InjectionToken>(SHARED),
}

export interface CoreParts {
  readonly config: HostConfig
  readonly deployment: Deployment
  readonly chains: ChainRegistry
  readonly pool: Pool
  readonly connectionString: string
  readonly keys: Keys
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: RequestTracing
  /** Absolute name of the price file, or null. */
  readonly priceFile: string | null
}

/** The jobs that come with core, of a role or of every process. */
export interface CoreJobs {
  readonly watchers: readonly Job[]
  readonly upkeep: readonly Omit<Job, 'role'>[]
}

/** Registers the services of core. @throws Error for a currency that is none of its chain */
export const registerCore = async (container: DependencyContainer, parts: CoreParts): Promise<CoreJobs> => {
  const { config, log } = parts
  const jobs = await registerCoreServices(container, {
    pool: parts.pool,
    connectionString: parts.connectionString,
    chains: parts.chains,
    currencies: new ConfiguredCurrencies(parts.chains.all()),
    log,
    metrics: parts.metrics,
    tracing: parts.tracing,
    settings: { anonymousHoldBps: config.quotes.anonymousHoldBps, leaseMs: config.database.leaseSeconds * 1000 },
  })
  container.register(DEPLOYMENT, { useValue: parts.deployment })
  container.register(KEYS, { useValue: parts.keys })
  const clock = container.resolve(CLOCK)
  const sources: PriceSource[] = parts.priceFile === null ? [] : [new FilePriceSource({ path: parts.priceFile, clock })]
  container.register(PRICE_SOURCES, { useValue: sources })
  container.register(QUOTE_EXTENSIONS, { useValue: [] })
  container.register(CURRENCY_SEARCH_SOURCES, { useValue: [] })
  container.register(PRICES, {
    useFactory: instanceCachingFactory(
      (from) =>
        new CheckedPrices({
          sources: from.resolve(PRICE_SOURCES),
          clock,
          maxAgeMs: config.prices.maxAgeSeconds * 1000,
          maxDeviationBps: config.prices.maxDeviationBps,
          onSourceError: (source, error) => log.warn({ source, err: error }, 'a price source failed'),
        }),
    ),
  })
  return jobs
}
