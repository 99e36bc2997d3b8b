import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.js'
import { tooManyRequests } from '../http/httpError.js'

interface StorageBudgetDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Maximum bytes that quotes and nonce mappings of all untrusted callers may add to the database in a day (UTC), over all hosts. */
  readonly bytesPerDay: number
  /** Maximum bytes of them that one untrusted caller may add in a day through this host. */
  readonly callerBytesPerDay: number
}

const DAY_MS = 86_400_000
/** Days of counts that are kept for operators. */
const KEPT_DAYS = 30
/** Callers counted in a day; beyond it the count of the oldest starts again. */
const MOST_CALLERS = 100_000

/**
 * Bounds the storage of untrusted callers (faults.md F133). A usual quote counts 1.5 to 1.7 kB, so a quote a second all day is about
 * 130 to 140 MiB, little more than half of the 256 MiB of one caller (an eighth of 2 GiB). Counts are in memory and added up over the hosts by `share`; within
 * one interval the hosts together may exceed the bound.
 */
export class StorageBudget {
  readonly #deps: StorageBudgetDeps
  #day = 0
  /** Bytes of the day that the database knew at the last `share`. */
  #stored = 0
  /** Bytes of the day that are counted here and not in the database yet. */
  #added = 0
  /** Bytes of the day through this host, by caller. */
  readonly #callers = new Map<string, number>()

  constructor(deps: StorageBudgetDeps) {
    this.#deps = deps
  }

  /**
   * Counts bytes that will be stored for a caller (`holderOf`).
   * @throws HttpError 429 without a count where the day has no room for them; `RateLimit-Limit` counts calls of this size
   */
  take(caller: string, bytes: number): void {
    this.#turn()
    const { bytesPerDay, callerBytesPerDay } = this.#deps
    const own = (this.#callers.get(caller) ?? 0) + bytes
    if (own > callerBytesPerDay) {
      throw this.#refusal(
        'Your calls used up the daily storage of one caller. Send an API key that the operator trusts, or try again after midnight UTC.',
        Math.floor(callerBytesPerDay / bytes),
      )
    }
    if (this.#stored + this.#added + bytes > bytesPerDay) {
      throw this.#refusal(
        'Calls without a trusted API key used up their daily storage. Send such a key, or try again after midnight UTC.',
        Math.floor(bytesPerDay / bytes),
      )
    }
    this.#added += bytes
    this.#noteCaller(caller, own)
  }

  /** Adds the count of this host to the database and reads the count of all hosts. A crash loses at most one interval. */
  async share(): Promise<void> {
    this.#turn()
    const [day, added] = [this.#day, this.#added]
    const { rows } = await this.#deps.pool.query<{ bytes: bigint | null }>(
      added === 0 ? { ...READ, values: [day] } : { ...ADD, values: [day, added] },
    )
    if (this.#day !== day) return
    this.#stored = Number(rows[0]?.bytes ?? 0n)
    this.#added -= added
  }

  /** Removes counts of old days. */
  async forget(): Promise<void> {
    this.#turn()
    await this.#deps.pool.query('delete from anonymous_storage where day < $1', [this.#day - KEPT_DAYS])
  }

  #refusal(message: string, limit: number) {
    const seconds = ((this.#day + 1) * DAY_MS - this.#deps.clock.now()) / 1_000
    return tooManyRequests(seconds, message, { limit, remaining: 0, resetSeconds: seconds })
  }

  #noteCaller(caller: string, bytes: number): void {
    this.#callers.set(caller, bytes)
    if (this.#callers.size <= MOST_CALLERS) return
    const [first] = this.#callers.keys()
    if (first !== undefined) this.#callers.delete(first)
  }

  /** A new day starts at zero; counts of the day before that were not shared are dropped. */
  #turn(): void {
    const day = Math.floor(this.#deps.clock.now() / DAY_MS)
    if (day === this.#day) return
    this.#day = day
    this.#stored = 0
    this.#added = 0
    this.#callers.clear()
  }
}

const READ = { name: 'storage_read', text: 'select bytes from anonymous_storage where day = $1' }
const ADD = {
  name: 'storage_add',
  text: `insert into anonymous_storage as s (day, bytes) values ($1, $2)
    on conflict (day) do update set bytes = s.bytes + excluded.bytes returning bytes`,
}
