import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.js'
import { ServiceError } from '../errors/serviceError.js'

interface StorageBudgetDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Most that quotes and nonce mappings of callers whom nobody vouches for may add to the database on a day (UTC), bytes, over all hosts. */
  readonly bytesPerDay: number
  /** Most of it that one of them may add through this host. */
  readonly callerBytesPerDay: number
}

const DAY_MS = 86_400_000
/** Days of counts that are kept, for whoever wonders. */
const KEPT_DAYS = 30
/** Callers whose share is known; of more of them a day those that came first may begin anew. */
const MOST_CALLERS = 100_000

/**
 * Bounds what strangers can make the service store (faults.md F133). Counted in memory and added up over the hosts by `share`, so
 * that a quote pays nothing for it; what all hosts store within one interval may go beyond the bound.
 */
export class StorageBudget {
  readonly #deps: StorageBudgetDeps
  #day = 0
  /** Of that day, as the database knew it last. */
  #stored = 0
  /** Of that day, counted here and not in the database yet. */
  #added = 0
  /** Of that day, through this host, by caller. */
  readonly #callers = new Map<string, number>()

  constructor(deps: StorageBudgetDeps) {
    this.#deps = deps
  }

  /**
   * Counts what is about to be stored for a caller (`holderOf`).
   * @throws ServiceError SERVICE_UNAVAILABLE where the day has no room for it; then nothing is counted
   */
  take(caller: string, bytes: number): void {
    this.#turn()
    const own = (this.#callers.get(caller) ?? 0) + bytes
    if (own > this.#deps.callerBytesPerDay) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'Your calls have used up what the service stores for one caller in a day. Send an API key that the operator trusts, or try again after midnight UTC.',
      )
    }
    if (this.#stored + this.#added + bytes > this.#deps.bytesPerDay) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'Calls without a trusted API key have used up what the service stores for them in a day. Send such a key, or try again after midnight UTC.',
      )
    }
    this.#added += bytes
    this.#noteCaller(caller, own)
  }

  /** Adds this host's count to that of the others and learns theirs. What a crash loses of it is at most one interval's. */
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

  /** Forgets days long past. */
  async forget(): Promise<void> {
    this.#turn()
    await this.#deps.pool.query('delete from anonymous_storage where day < $1', [this.#day - KEPT_DAYS])
  }

  #noteCaller(caller: string, bytes: number): void {
    this.#callers.set(caller, bytes)
    if (this.#callers.size <= MOST_CALLERS) return
    const [first] = this.#callers.keys()
    if (first !== undefined) this.#callers.delete(first)
  }

  /** A new day begins with nothing; the count of the day before that was not shared yet bounds nothing any more. */
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
