export interface FreshCacheDeps {
  /** How long a value may be used again, milliseconds. */
  readonly keepMs: number
  readonly maxEntries: number
  /** Milliseconds that only grow. */
  now(): number
}

interface Entry<Value> {
  readonly value: Promise<Value>
  /** Infinity while the value is being made: callers meanwhile share the work. */
  until: number
}

/** Values by key for a short while, each made once however many ask; failures are not kept, the oldest entries go first. */
export class FreshCache<Value> {
  readonly #deps: FreshCacheDeps
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(deps: FreshCacheDeps) {
    this.#deps = deps
  }

  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const kept = this.#entries.get(key)
    if (kept !== undefined && this.#deps.now() < kept.until) return kept.value
    const entry: Entry<Value> = { value: make(), until: Number.POSITIVE_INFINITY }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    entry.value.then(
      () => {
        entry.until = this.#deps.now() + this.#deps.keepMs
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#deps.maxEntries && oldest !== undefined) this.#entries.delete(oldest)
    return entry.value
  }
}
