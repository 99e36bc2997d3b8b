import { type Clock, type Environment, systemClock } from '@causeway/core'
import { type KeyLimits, type Metrics, pause, type RateLimiter } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import { BUCKETS, CallCounts, TIERS } from './callCounts.js'
import { CallKeyLimits } from './callKeyLimits.js'
import { CallLimiter } from './callLimiter.js'
import { LeasedCounts } from './leasedCounts.js'
import type { RateLimitOptions } from './options.js'
import { PostgresCounter } from './postgresCounter.js'
import { RedisCounter } from './redisCounter.js'
import type { CountStore } from './sharedCounter.js'
import { StoreFailures } from './storeFailures.js'

export interface StoreSettings {
  readonly options: RateLimitOptions
  /** Of the deployment's database. */
  readonly connectionString: string
  readonly environment: Environment
}

/** Opens the store that the options name; none for `memory`. Throws with the remedy where its URL is not set. */
export const openStore = ({ options, connectionString, environment }: StoreSettings): CountStore | undefined => {
  const timeoutMs = options.storeTimeoutMs
  if (options.store === 'memory') return undefined
  if (options.store === 'postgres') return new PostgresCounter({ connectionString, timeoutMs })
  const { env, prefix } = options.redis
  const url = environment.read(env)
  if (url === undefined || url === '') {
    throw new Error(
      `Rate limits are to be counted in Redis and the environment variable ${env} is not set. Set it to its URL, or choose another "store" for @causeway/plugin-rate-limits.`,
    )
  }
  return new RedisCounter({ url, prefix, timeoutMs })
}

export interface LimiterDeps {
  readonly options: RateLimitOptions
  readonly store: CountStore | undefined
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock?: Clock
}

const now = () => performance.now()

const STORES = ['redis', 'postgres'] as const
/** One that takes longer is as good as away; whoever reads metrics waits no longer than this. */
const ANSWER_MS = 1_000

const answersInTime = async (store: CountStore): Promise<boolean> => {
  const over = new AbortController()
  const late = pause(ANSWER_MS, over.signal).then(() => false)
  return Promise.race([store.answers(), late]).finally(() => over.abort())
}

/** Asked when metrics are: where nobody calls, nobody else would notice that the store is away. */
const measureStore = (metrics: Metrics, store: CountStore, kind: string): void => {
  const gauge = 'causeway_rate_limit_store_up'
  metrics.addSource({
    name: 'rate limits',
    gauges: [{ name: gauge, help: '1 while the store of rate limits answers this process', labels: { store: STORES } }],
    read: async () => [{ gauge, labels: { store: kind }, value: (await answersInTime(store)) ? 1 : 0 }],
  })
}

export interface Limits {
  readonly limiter: RateLimiter
  readonly keyLimits: KeyLimits
}

/** Puts the limiter together, and what tells keys of their limits. */
export const createLimits = ({ options, store, log, metrics, clock = systemClock }: LimiterDeps): Limits => {
  const failures = metrics.counter({
    name: 'causeway_rate_limit_store_failures_total',
    help: 'Questions the store of rate limits did not answer',
    labels: {},
  })
  const refusals = metrics.counter({
    name: 'causeway_rate_limited_total',
    help: 'Calls refused because there were too many',
    labels: { bucket: BUCKETS, tier: TIERS },
  })
  if (store !== undefined) measureStore(metrics, store, options.store)
  const storeFailures = new StoreFailures({ log, failures, now })
  const leases = new LeasedCounts({
    counter: store,
    sliceShare: options.sliceShare,
    maxEntries: options.memoryEntries,
    onFailure: (error) => storeFailures.note(error),
    now,
  })
  const counts = new CallCounts({ options, clock })
  return {
    limiter: new CallLimiter({ counts, leases, refusals }),
    keyLimits: new CallKeyLimits({ counts, leases }),
  }
}

/** The limiter alone. */
export const createLimiter = (deps: LimiterDeps): RateLimiter => createLimits(deps).limiter
