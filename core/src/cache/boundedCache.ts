import type { Clock } from '../clock/clock.js'
import { RecentMap } from './recentMap.js'

interface Entry<Value> {
  readonly value: Promise<Value>
  readonly madeAt: number
  /** Infinity while the value is being made: callers meanwhile share the work. */
  lifeMs: number
}

export interface BoundedCacheDeps<Value> {
  readonly clock: Clock
  readonly maxEntries: number
  /** How long a value may be used again, milliseconds; 0 keeps it for nobody. */
  lifeOf(value: Value): number
}

/** Remembers what was made at some cost, the least recently used first forgotten. A failure is never kept. */
export class BoundedCache<Value> {
  readonly #deps: BoundedCacheDeps<Value>
  readonly #entries: RecentMap<string, Entry<Value>>

  constructor(deps: BoundedCacheDeps<Value>) {
    this.#deps = deps
    this.#entries = new RecentMap(deps.maxEntries)
  }

  /** The value kept under `key`, or a new one; calls at the same time share one `make`. */
  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const now = this.#deps.clock.now()
    const kept = this.#entries.get(key)
    // Age by distance: a business clock that was set back must not make a value last.
    if (kept !== undefined && Math.abs(now - kept.madeAt) < kept.lifeMs) {
      this.#entries.set(key, kept)
      return kept.value
    }
    return this.#make(key, now, make)
  }

  #make(key: string, now: number, make: () => Promise<Value>): Promise<Value> {
    const entry: Entry<Value> = { value: make(), madeAt: now, lifeMs: Number.POSITIVE_INFINITY }
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    this.#entries.set(key, entry)
    entry.value.then((value) => {
      entry.lifeMs = this.#deps.lifeOf(value)
      if (entry.lifeMs <= 0) forget()
    }, forget)
    return entry.value
  }
}
