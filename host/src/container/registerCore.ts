import {
  CHAINS,
  type ChainRegistry,
  CheckedPrices,
  CLOCK,
  type Clock,
  ConfiguredCurrencies,
  CURRENCIES,
  CURRENCY_SEARCH_SOURCES,
  DEPLOYMENT,
  DEPOSIT_HINTS,
  type Deployment,
  FilePriceSource,
  KEYS,
  type Keys,
  LEASES,
  LeaseKeeper,
  LOGGER,
  METRICS,
  NOTIFIER,
  type Notifier,
  NotifyingDepositHints,
  POOL,
  PRICE_SOURCES,
  PRICES,
  type PriceSource,
  QUOTE_EXTENSIONS,
  QUOTE_STORE,
  REQUESTS,
  SqlQuoteStore,
  SqlRequestReader,
} from '@causeway/core'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe'
import type { HostConfig } from '../config/schema.js'
import type { ContainerTokens } from '../plugins/loadPackages.js'

/** What the host registers, and which of it plugins may add to. */
export const CORE_TOKENS: ContainerTokens = {
  given: new Set<InjectionToken>([
    CHAINS,
    CLOCK,
    CURRENCIES,
    CURRENCY_SEARCH_SOURCES,
    DEPLOYMENT,
    DEPOSIT_HINTS,
    KEYS,
    LEASES,
    LOGGER,
    METRICS,
    NOTIFIER,
    POOL,
    PRICES,
    PRICE_SOURCES,
    QUOTE_EXTENSIONS,
    QUOTE_STORE,
    REQUESTS,
  ]),
  shared: new Set<InjectionToken>([PRICE_SOURCES, QUOTE_EXTENSIONS, CURRENCY_SEARCH_SOURCES]),
}

export interface CoreParts {
  readonly config: HostConfig
  readonly deployment: Deployment
  readonly chains: ChainRegistry
  readonly pool: Pool
  readonly clock: Clock
  readonly keys: Keys
  readonly log: Logger
  readonly metrics: Registry
  readonly notifier: Notifier
  /** Absolute name of the price file, or null. */
  readonly priceFile: string | null
}

/** Registers the services of core. Whatever is not needed is never made. */
export const registerCore = (container: DependencyContainer, parts: CoreParts): void => {
  const { pool, clock, config, log } = parts
  const single = <T>(token: InjectionToken<T>, make: (container: DependencyContainer) => T) =>
    container.register(token, { useFactory: instanceCachingFactory(make) })

  container.register(CHAINS, { useValue: parts.chains })
  container.register(CLOCK, { useValue: clock })
  container.register(DEPLOYMENT, { useValue: parts.deployment })
  container.register(KEYS, { useValue: parts.keys })
  container.register(LOGGER, { useValue: log })
  container.register(METRICS, { useValue: parts.metrics })
  container.register(NOTIFIER, { useValue: parts.notifier })
  container.register(POOL, { useValue: pool })
  single(LEASES, () => new LeaseKeeper({ pool }))
  single(CURRENCIES, () => new ConfiguredCurrencies(parts.chains.all()))
  single(DEPOSIT_HINTS, () => new NotifyingDepositHints({ pool }))
  single(REQUESTS, () => new SqlRequestReader({ pool }))
  single(QUOTE_STORE, () => new SqlQuoteStore({ pool, clock, anonymousHoldBps: config.quotes.anonymousHoldBps }))
  const ownSources: PriceSource[] =
    parts.priceFile === null ? [] : [new FilePriceSource({ path: parts.priceFile, clock })]
  container.register(PRICE_SOURCES, { useValue: ownSources })
  container.register(QUOTE_EXTENSIONS, { useValue: [] })
  container.register(CURRENCY_SEARCH_SOURCES, { useValue: [] })
  single(
    PRICES,
    (from) =>
      new CheckedPrices({
        sources: from.resolve(PRICE_SOURCES),
        clock,
        maxAgeMs: config.prices.maxAgeSeconds * 1000,
        maxDeviationBps: config.prices.maxDeviationBps,
        onSourceError: (source, error) => log.warn({ source, err: error }, 'a price source failed'),
      }),
  )
}
