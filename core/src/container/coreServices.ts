import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { DependencyContainer } from 'tsyringe'
import { DEPOSIT_ADDRESS_RULES, NO_CUSTODIANS } from '../address/addressRules.js'
import { BALANCE_CURRENCY, type BalanceCurrency } from '../appBalance/balanceCurrency.js'
import { removeEndedReservations } from '../appBalance/sponsorReservation.js'
import { CHAINS, type ChainRegistry } from '../chain/chainRegistry.js'
import { UNATTENDED_MS } from '../chain/service/serviceGap.js'
import { ServiceWatch } from '../chain/service/serviceWatch.js'
import { CLOCK, type Clock } from '../clock/clock.js'
import { DatabaseClock } from '../clock/databaseClock.js'
import { bringFutureDatesBack } from '../clock/futureDates.js'
import { LEASES, LeaseKeeper, pause } from '../database/leases.js'
import { NOTIFIER, PostgresNotifier } from '../database/notifier.js'
import { DEFAULT_RETENTION, dropExpired, keepPartitions, type RetentionDays } from '../database/retention.js'
import { NotifyingDepositHints } from '../deposit/depositHints.js'
import { DepositIngest } from '../deposit/depositIngest.js'
import { DepositWatcher } from '../deposit/depositWatcher.js'
import { IDEMPOTENT_CALLS } from '../idempotency/idempotentCalls.js'
import { removeExpiredCalls, SqlIdempotentCalls } from '../idempotency/idempotentCallsSql.js'
import { CURRENCIES, type CurrencyRegistry } from '../money/currency/currency.js'
import { NONCE_MAPPINGS } from '../nonceMapping/nonceMappings.js'
import { removeUnusedMappings, SqlNonceMappings } from '../nonceMapping/nonceMappingsSql.js'
import { alignOutbox, noteOutbox } from '../outbox/outboxOrigin.js'
import { removeExpiredClaims } from '../payout/claim/claimStore.js'
import { WALLET_OFF, WALLET_POLICY, type WalletPolicy } from '../payout/wallet/walletPolicy.js'
import type { Job, Role } from '../plugin/plugin.js'
import { ProviderWatch } from '../quorum/providerWatch.js'
import { QUOTE_STORE } from '../quote/quoteStore.js'
import { removeEndedHolds, SqlQuoteStore } from '../quote/quoteStoreSql.js'
import { StorageBudget } from '../quote/storageBudget.js'
import { foldCounts } from '../record/search/recordTotals.js'
import { removeEndedDirectQuotes } from '../request/direct/directQuotes.js'
import { DirectTracker } from '../request/direct/directTransactions.js'
import { pruneStateChanges } from '../request/pruneStateChanges.js'
import { reportOverdue } from '../request/reportOverdue.js'
import { DEPOSIT_HINTS, REQUESTS } from '../request/requestReader.js'
import { SqlRequestReader } from '../request/requestReaderSql.js'
import { TRACKED_REQUESTS } from '../request/tracking/trackedRequests.js'
import { SqlTrackedRequests } from '../request/tracking/trackedRequestsSql.js'
import { ChainWalletSignatures } from '../signature/chainWalletSignatures.js'
import { WALLET_SIGNATURES } from '../signature/walletSignatures.js'
import { addressGauges } from '../telemetry/addressGauges.js'
import { balanceGauges } from '../telemetry/balances/balanceGauges.js'
import { balanceRefusals } from '../telemetry/balances/balanceRefusals.js'
import { ChainGauges } from '../telemetry/chainGauges.js'
import { databaseGauges } from '../telemetry/databaseGauges.js'
import { METRICS, type Metrics } from '../telemetry/metrics.js'
import { parkedGauges } from '../telemetry/parkedGauges.js'
import { processGauges } from '../telemetry/processGauges.js'
import { PromMetrics } from '../telemetry/promMetrics.js'
import { RequestTracing, TRACING } from '../telemetry/requestTracing.js'
import { TRANSFER_OBSERVER, TransferObserver } from '../telemetry/transferObserver.js'
import { LOGGER, POOL, SEARCH_POOL } from './coreTokens.js'

export interface CoreServices {
  readonly pool: Pool
  /** Default: the pool. */
  readonly searchPool?: Pool
  /** The same server, for the one connection that listens. */
  readonly connectionString: string
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly log: Logger
  /** Default: kept and shown to nobody. */
  readonly metrics?: Metrics
  /** Default: no traces. */
  readonly tracing?: RequestTracing
  readonly settings: {
    /** Basis points of a currency that holds of callers whom nobody vouches for may take together. */
    readonly anonymousHoldBps: number
    /** Basis points of that part which one of them may take. */
    readonly callerHoldBps: number
    /** How long the work of a dead host waits, milliseconds. */
    readonly leaseMs: number
    /** How long a chain may be without a watcher or a solver before its quotes are refused, milliseconds. Default: `UNATTENDED_MS`. */
    readonly unattendedMs?: number
    /** Roles of this process. Default: none, so that no role is about to start here. */
    readonly roles?: readonly Role[]
    /** Default: `DEFAULT_RETENTION`. */
    readonly retention?: RetentionDays
    /** Bytes that quotes of callers whom nobody vouches for may add to the database in a day. Default: `ANONYMOUS_BYTES_PER_DAY`. */
    readonly anonymousBytesPerDay?: number
    /** The currency of balances; default: none are kept. */
    readonly balanceCurrency?: BalanceCurrency
    /** Default: `NONCE_MAPPING_DOMAIN`. */
    readonly nonceMappingDomain?: string
    /** Whose orders over the wallets this process takes, and to whom. Default: nobody's. */
    readonly wallet?: WalletPolicy
  }
}

const SERVICE_POLL_MS = 1_000
const CLOCK_REFRESH_MS = 1_000
const MAINTENANCE_MS = 60_000
/** Between foldings of changed counts. */
const FOLD_MS = 5_000
const OVERDUE_MS = 15_000
/** Between sums of what strangers stored. */
const SHARE_MS = 1_000
const ANONYMOUS_BYTES_PER_DAY = 2 * 1024 ** 3
/** Part of it that one caller may use up through one host. */
const CALLER_PART = 8
/** Dates too far ahead are looked for this often: another process may have written them by a clock it has not read again. */
const FUTURE_DATES_MS = 15_000

/**
 * Registers what core itself provides (clock, leases, notifier, quote store, requests, hints, metrics) and returns the jobs that go
 * with it: one watcher per chain, and for every role the notifier, the clock's refresh and the upkeep of tables. Call after
 * migrations, before plugins.
 */
export const registerCoreServices = async (
  container: DependencyContainer,
  services: CoreServices,
): Promise<{ readonly watchers: readonly Job[]; readonly upkeep: readonly Omit<Job, 'role'>[] }> => {
  const { pool, chains, currencies, log, settings } = services
  const clock = new DatabaseClock()
  await clock.refresh(pool)
  const { retention = DEFAULT_RETENTION, anonymousBytesPerDay = ANONYMOUS_BYTES_PER_DAY } = settings
  const budget = new StorageBudget({
    pool,
    clock,
    bytesPerDay: anonymousBytesPerDay,
    callerBytesPerDay: Math.floor(anonymousBytesPerDay / CALLER_PART),
  })
  await budget.share()
  await keepPartitions(pool, retention, clock.now())
  await alignOutbox(pool)
  const notifier = new PostgresNotifier({ connectionString: services.connectionString })
  const leases = new LeaseKeeper({ pool, ttlMs: settings.leaseMs })
  container.register(POOL, { useValue: pool })
  container.register(SEARCH_POOL, { useValue: services.searchPool ?? pool })
  container.register(LOGGER, { useValue: log })
  container.register(CHAINS, { useValue: chains })
  container.register(CURRENCIES, { useValue: currencies })
  container.register(CLOCK, { useValue: clock })
  container.register(WALLET_POLICY, { useValue: settings.wallet ?? WALLET_OFF })
  // By a factory: the container takes null for no value.
  container.register(BALANCE_CURRENCY, { useFactory: () => settings.balanceCurrency ?? null })
  container.register(DEPOSIT_ADDRESS_RULES, { useValue: NO_CUSTODIANS })
  container.register(NOTIFIER, { useValue: notifier })
  container.register(LEASES, { useValue: leases })
  container.register(IDEMPOTENT_CALLS, { useValue: new SqlIdempotentCalls({ pool, clock }) })
  container.register(REQUESTS, { useValue: new SqlRequestReader({ pool }) })
  container.register(TRACKED_REQUESTS, { useValue: new SqlTrackedRequests({ pool, chains }) })
  container.register(DEPOSIT_HINTS, { useValue: new NotifyingDepositHints({ pool }) })
  container.register(WALLET_SIGNATURES, { useValue: new ChainWalletSignatures({ chains }) })
  container.register(NONCE_MAPPINGS, {
    useValue: new SqlNonceMappings({ pool, clock, budget, domainName: settings.nonceMappingDomain }),
  })
  const { observer, chainGauges, metrics } = registerTelemetry(container, services, { clock, leases })
  const refused = balanceRefusals(metrics)
  const onBalanceTooLow = () => refused.add({ of: 'quote' })
  container.register(QUOTE_STORE, {
    useValue: new SqlQuoteStore({ pool, clock, ...settings, keepDays: retention.quotes, budget, onBalanceTooLow }),
  })
  const watcher = new DepositWatcher({
    pool,
    leases,
    notifier,
    clock,
    log,
    ingest: new DepositIngest({
      ...{ pool, clock, currencies, observer },
      quoteDays: retention.quotes,
      keepsBalances: settings.balanceCurrency !== undefined,
    }),
  })
  const directs = new DirectTracker({ pool, clock, notifier, log })
  const service = new ServiceWatch({
    ...{ pool, chains, notifier, log, now: () => performance.now() },
    limitMs: settings.unattendedMs ?? UNATTENDED_MS,
    pollMs: SERVICE_POLL_MS,
    roles: settings.roles ?? [],
  })
  const providers = new ProviderWatch({ pool, chains, clock, log, metrics })
  return {
    watchers: chains.all().flatMap((chain) => [
      {
        name: `watch ${chain.config.slug}`,
        role: 'watcher' as const,
        run: (signal: AbortSignal) => watcher.run(chain, signal),
      },
      {
        name: `direct ${chain.config.slug}`,
        role: 'watcher' as const,
        run: (signal: AbortSignal) => directs.run(chain, signal),
      },
    ]),
    upkeep: [
      { name: 'notifications', run: (signal) => notifier.run(signal) },
      { name: 'clock', run: (signal) => keepTime(clock, { pool, log }, signal) },
      { name: 'overdue', run: (signal) => every(OVERDUE_MS, signal, () => reportOverdue(pool, log, clock.now())) },
      { name: 'providers', run: (signal) => providers.run(signal) },
      { name: 'service', run: (signal) => service.run(signal) },
      { name: 'heads', run: (signal) => chainGauges.run(signal) },
      {
        name: 'tables',
        run: async (signal) => {
          const work = () => maintain({ pool, log, retention, budget }, clock.now())
          await work()
          await every(MAINTENANCE_MS, signal, work)
        },
      },
      { name: 'stored', run: (signal) => every(SHARE_MS, signal, () => budget.share()) },
      { name: 'counts', run: (signal) => every(FOLD_MS, signal, () => foldCounts(pool)) },
    ],
  }
}

/** Metrics of core, and what is told of the steps of transfers. */
const registerTelemetry = (
  container: DependencyContainer,
  { pool, chains, currencies, ...services }: CoreServices,
  { clock, leases }: { readonly clock: Clock; readonly leases: LeaseKeeper },
) => {
  const metrics = services.metrics ?? new PromMetrics({ registry: new Registry() })
  const tracing = services.tracing ?? new RequestTracing(null)
  const slugs = new Map(chains.all().map(({ config }) => [config.id, config.slug]))
  const slow = new Set(
    chains
      .all()
      .flatMap(({ config, adapter }) => ((adapter.capabilities.headIntervalSeconds ?? 0) > 0 ? [config.id] : [])),
  )
  const observer = new TransferObserver({ metrics, tracing, clock, chains: slugs, slow, log: services.log })
  const chainGauges = new ChainGauges({ chains, clock })
  metrics.addSource(databaseGauges({ pool, clock, chains, currencies }))
  metrics.addSource(parkedGauges({ pool, chains, now: () => performance.now() }))
  const now = () => performance.now()
  metrics.addSource(addressGauges({ pool, clock, chains, currencies, now }))
  const { balanceCurrency = null } = services.settings
  metrics.addSource(balanceGauges({ pool, clock, chains, currencies, balanceCurrency, now }))
  metrics.addSource(processGauges({ pool, leases }))
  metrics.addSource(chainGauges)
  container.register(METRICS, { useValue: metrics })
  container.register(TRACING, { useValue: tracing })
  container.register(TRANSFER_OBSERVER, { useValue: observer })
  return { observer, chainGauges, metrics }
}

const every = async (milliseconds: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  while (!signal.aborted) {
    await pause(milliseconds, signal)
    if (!signal.aborted) await work()
  }
}

/** Follows the database's time; what was dated while that was ahead is taken back at once, also where another process wrote it. */
const keepTime = async (
  clock: DatabaseClock,
  { pool, log }: { readonly pool: Pool; readonly log: Logger },
  signal: AbortSignal,
): Promise<void> => {
  let checkedAt = Number.NEGATIVE_INFINITY
  await every(CLOCK_REFRESH_MS, signal, async () => {
    const setBack = await clock.refresh(pool)
    if (setBack) log.error('The time of the database was set back: what was dated ahead of it is due now')
    if (!setBack && performance.now() - checkedAt < FUTURE_DATES_MS) return
    checkedAt = performance.now()
    await bringFutureDatesBack(pool, clock.now())
  })
}

/** Keeps partitions ahead of the clock, and removes what nobody can use any more. */
const maintain = async (
  {
    pool,
    log,
    retention,
    budget,
  }: {
    readonly pool: Pool
    readonly log: Logger
    readonly retention: RetentionDays
    readonly budget: StorageBudget
  },
  now: number,
): Promise<void> => {
  await keepPartitions(pool, retention, now)
  await removeEndedHolds(pool, now)
  await removeEndedDirectQuotes(pool, now)
  await removeEndedReservations(pool, now)
  await removeExpiredClaims(pool, now)
  await removeExpiredCalls(pool, now)
  await removeUnusedMappings(pool, { days: retention.quotes, now })
  await budget.forget()
  await pruneStateChanges(pool, now)
  await noteOutbox(pool)
  const dropped = await dropExpired(pool, retention, now)
  if (dropped.length > 0) log.info({ dropped }, 'What was kept for its time was dropped')
}
