import type { Redis } from 'ioredis'
import { type CountStore, countedMs, type Grant, type TakeRequest } from './sharedCounter.js'

const RECONNECT_MS = 1_000

export interface RedisCounterDeps {
  /** Holds a password at times; never logged. */
  readonly url: string
  readonly prefix: string
  /** For a connection, and for an answer. */
  readonly timeoutMs: number
}

/** A hash of grants: points by the time at which they leave the window, by the clock of Redis. */
const TAKE = `
local wanted, most, countedMs, unused, earlier = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local text = function(leaves) return string.format('%.0f', leaves) end
local free = function(leaves)
  while redis.call('HEXISTS', KEYS[1], text(leaves)) == 1 do leaves = leaves + 1 end
  return leaves
end
local settled = redis.call('HGET', KEYS[1], ARGV[4])
if settled then
  redis.call('HDEL', KEYS[1], ARGV[4])
  if tonumber(settled) > unused then
    redis.call('HSET', KEYS[1], text(free(tonumber(ARGV[4]) - earlier)), tonumber(settled) - unused)
  end
end
local all = redis.call('HGETALL', KEYS[1])
local counted, first, last = 0, nil, now
for at = 1, #all, 2 do
  local leaves = tonumber(all[at])
  if leaves <= now then
    redis.call('HDEL', KEYS[1], all[at])
  else
    counted = counted + tonumber(all[at + 1])
    first = math.min(first or leaves, leaves)
    last = math.max(last, leaves)
  end
end
local granted = math.max(0, math.min(wanted, most - counted))
local id = free(now + countedMs)
if granted > 0 then
  redis.call('HSET', KEYS[1], text(id), granted)
  first = math.min(first or id, id)
  last = math.max(last, id)
end
redis.call('PEXPIREAT', KEYS[1], text(last))
return { granted, text(id), counted + granted, (first or now) - now }
`

type Answer = [granted: number, id: string, counted: number, freeIn: number]

/** Counts in Redis. While there is no connection every question fails at once. */
export class RedisCounter implements CountStore {
  readonly #opened: Promise<Redis>
  readonly #prefix: string

  constructor(deps: RedisCounterDeps) {
    this.#prefix = deps.prefix
    this.#opened = open(deps)
    this.#opened.catch(() => undefined)
  }

  async take(key: string, request: TakeRequest): Promise<Grant> {
    const redis = await this.#opened
    const { points, rule, settled } = request
    const given = [points, rule.points, countedMs(request)]
    const before = settled === null ? ['-', 0, 0] : [settled.id.toFixed(0), settled.unused, settled.earlierBy]
    // CAST: what the script returns.
    const answer = (await redis.eval(TAKE, 1, `${this.#prefix}:grants:${key}`, ...given, ...before)) as Answer
    const [granted, id, counted, freeIn] = answer
    return { granted, id: Number(id), counted, freeIn }
  }

  async answers(): Promise<boolean> {
    const redis = await this.#opened
    return redis.ping().then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    const redis = await this.#opened
    redis.disconnect()
  }
}

/** Loaded only where it is the store. */
const open = async ({ url, timeoutMs }: RedisCounterDeps): Promise<Redis> => {
  const { Redis: Client } = await import('ioredis')
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
  return redis
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
