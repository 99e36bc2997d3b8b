import type { Redis } from 'ioredis'
import type { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Counted, CountStore } from './sharedCounter.js'

const NO_LIMIT = 2 ** 31 - 1
const RECONNECT_MS = 1_000

export interface RedisCounterDeps {
  /** Holds a password at times; never logged. */
  readonly url: string
  readonly prefix: string
  /** For a connection, and for an answer. */
  readonly timeoutMs: number
}

/** Counts in Redis. While there is no connection every question fails at once. */
export class RedisCounter implements CountStore {
  readonly #opened: Promise<{ readonly redis: Redis; readonly limiter: RateLimiterRedis }>

  constructor(deps: RedisCounterDeps) {
    this.#opened = open(deps)
    this.#opened.catch(() => undefined)
  }

  async take(key: string, points: number, seconds: number): Promise<Counted> {
    const { limiter } = await this.#opened
    const result = await limiter.consume(key, points, { customDuration: seconds })
    return { points: result.consumedPoints, milliseconds: result.msBeforeNext }
  }

  async answers(): Promise<boolean> {
    const { redis } = await this.#opened
    return redis.ping().then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    const { redis } = await this.#opened
    redis.disconnect()
  }
}

/** Loaded only where it is the store. */
const open = async ({ url, prefix, timeoutMs }: RedisCounterDeps) => {
  const [{ Redis: Client }, { RateLimiterRedis: Limiter }] = await Promise.all([
    import('ioredis'),
    import('rate-limiter-flexible'),
  ])
  const redis = new Client(url, {
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => RECONNECT_MS,
  })
  // Each question says for itself what is wrong; unheard, the error would be printed with the address.
  redis.on('error', () => undefined)
  await firstConnection(redis, timeoutMs)
  return { redis, limiter: new Limiter({ storeClient: redis, keyPrefix: prefix, points: NO_LIMIT, duration: 1 }) }
}

/** So that the first calls find it; goes on without one when it takes too long. */
const firstConnection = (redis: Redis, timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      redis.off('ready', done)
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    redis.once('ready', done)
  })
