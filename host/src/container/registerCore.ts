import 'reflect-metadata'
import { CLOCK, CURRENCIES, type CurrencyRegistry, type Environment } from '@causeway/core'
import { PRICE_SOURCES, PRICES } from '@causeway/core/chain'
import { CheckedPrices, ConfiguredCurrencies, registerCoreServices } from '@causeway/core/host'
import { TRANSFER_OBSERVER, WALLET_POLICY } from '@causeway/core/money-path'
import {
  BALANCE_CURRENCY,
  CHAIN_USE,
  CHAINS,
  type ChainRegistry,
  type ChainUse,
  DEPLOYMENT,
  DEPOSIT_HINTS,
  type Deployment,
  ENVIRONMENT,
  EXTENSION_POINTS,
  IDEMPOTENT_CALLS,
  type Job,
  KEYS,
  type Keys,
  LEASES,
  LOGGER,
  METRICS,
  type Metrics,
  NONCE_MAPPINGS,
  NOTIFIER,
  OPERATOR_COMMANDS,
  type OperatorCommands,
  POOL,
  QUOTE_STORE,
  REQUESTS,
  type RequestTracing,
  SEARCH_POOL,
  TRACING,
  TRACKED_REQUESTS,
  WALLET_SIGNATURES,
} from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe'
import type { OpenPriceSources, OpenPriceSourcesDeps } from '../application/opening/openPriceSources.js'
import type { HostConfig } from '../config/schema/schema.js'
import type { ContainerTokens } from '../plugins/loadPackages.js'

/** What the host registers, and which of it plugins may add to. */
export const CORE_TOKENS: ContainerTokens = {
  given: new Set<InjectionToken>([
    ...EXTENSION_POINTS,
    BALANCE_CURRENCY,
    CHAIN_USE,
    CHAINS,
    CLOCK,
    CURRENCIES,
    DEPLOYMENT,
    DEPOSIT_HINTS,
    ENVIRONMENT,
    IDEMPOTENT_CALLS,
    KEYS,
    LEASES,
    LOGGER,
    METRICS,
    NONCE_MAPPINGS,
    NOTIFIER,
    OPERATOR_COMMANDS,
    POOL,
    PRICES,
    QUOTE_STORE,
    REQUESTS,
    TRACKED_REQUESTS,
    SEARCH_POOL,
    TRACING,
    TRANSFER_OBSERVER,
    WALLET_POLICY,
    WALLET_SIGNATURES,
  ]),
  shared: new Set<InjectionToken>(EXTENSION_POINTS),
}

export interface CoreParts {
  readonly config: HostConfig
  readonly deployment: Deployment
  readonly chains: ChainRegistry
  readonly chainUse: ChainUse
  readonly commands: OperatorCommands
  readonly pool: Pool
  readonly searchPool: Pool
  readonly connectionString: string
  readonly keys: Keys
  readonly environment: Environment
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: RequestTracing
  /** Makes the configured price sources. */
  openPrices(deps: OpenPriceSourcesDeps): OpenPriceSources
}

/** The jobs that come with core, of a role or of every process. */
export interface CoreJobs {
  readonly watchers: readonly Job[]
  readonly upkeep: readonly Omit<Job, 'role'>[]
}

/** Registers the services of core. @throws Error for a currency that is none of its chain */
export const registerCore = async (container: DependencyContainer, parts: CoreParts): Promise<CoreJobs> => {
  const { config, chains, log } = parts
  const currencies = new ConfiguredCurrencies(chains.all())
  const jobs = await registerCoreServices(container, {
    pool: parts.pool,
    searchPool: parts.searchPool,
    connectionString: parts.connectionString,
    chains,
    currencies,
    log,
    metrics: parts.metrics,
    tracing: parts.tracing,
    settings: {
      anonymousHoldBps: config.quotes.anonymousHoldBps,
      callerHoldBps: config.quotes.callerHoldBps,
      leaseMs: config.database.leaseSeconds * 1000,
      unattendedMs: config.quotes.unattendedSeconds * 1000,
      roles: config.roles,
      anonymousBytesPerDay: config.quotes.anonymousMiBPerDay * 1024 ** 2,
      nonceMappingDomain: config.nonceMappingDomain,
      wallet: config.wallet,
      ...balanceCurrencyOf(config, currencies),
      retention: {
        quotes: config.retention.unpaidQuotesDays,
        events: config.retention.eventsDays,
        audit: config.retention.auditDays,
      },
    },
  })
  container.register(DEPLOYMENT, { useValue: parts.deployment })
  container.register(CHAIN_USE, { useValue: parts.chainUse })
  container.register(OPERATOR_COMMANDS, { useValue: parts.commands })
  container.register(KEYS, { useValue: parts.keys })
  container.register(ENVIRONMENT, { useValue: parts.environment })
  for (const token of EXTENSION_POINTS) container.register(token, { useValue: [] })
  const prices = registerPrices(container, parts, currencies)
  const keepPrices = { name: 'prices', run: (signal: AbortSignal) => prices().run(currencies.all(), signal) }
  return { ...jobs, upkeep: [...jobs.upkeep, keepPrices] }
}

/** As the chain writes it. */
const balanceCurrencyOf = ({ balances }: HostConfig, currencies: ConfiguredCurrencies) => {
  const known = balances === undefined ? undefined : currencies.find(balances.chainId, balances.currency)
  if (balances === undefined || known === undefined) return {}
  const { chainId, address } = known
  return { balanceCurrency: { chainId, address, conversionBps: balances.conversionBps } }
}

/** Prices of the configured sources and of those that plugins add, known once all plugins have registered. */
const registerPrices = (
  container: DependencyContainer,
  { config: { prices }, chains, log, openPrices }: CoreParts,
  currencies: CurrencyRegistry,
): (() => CheckedPrices) => {
  const clock = container.resolve(CLOCK)
  const { sources, derived } = openPrices({ chains, currencies, clock, log })
  container.register(PRICE_SOURCES, { useValue: [...sources] })
  const make = instanceCachingFactory(
    (from) =>
      new CheckedPrices({
        sources: from.resolve(PRICE_SOURCES),
        derived,
        clock,
        maxAgeMs: prices.maxAgeSeconds * 1000,
        maxDeviationBps: prices.maxDeviationBps,
        minimumSources: prices.minimumSources,
        onSourceError: (source, error) =>
          log.error(
            { source, err: error },
            'a price source fails: its prices are used until they are too old, and then nothing is quoted by them',
          ),
      }),
  )
  container.register(PRICES, { useFactory: make })
  return () => make(container)
}
