import type { Counted, Rule, SharedCounter } from './sharedCounter.js'

/** Whether a call is within a count, and what is left of it. */
export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  /** Calls still admitted in this window, as far as this host knows. */
  readonly remaining: number
  /** Until the window ends. */
  readonly milliseconds: number
}

/** What a count still admits, as far as can be told without counting. */
export interface WhatIsLeft {
  readonly remaining: number
  /** Until the window ends; null: none has begun. */
  readonly milliseconds: number | null
}

export interface LeasedCountsDeps {
  /** Without one this host counts by itself. */
  readonly counter: SharedCounter | undefined
  /** What share of a rule's points is taken at once. */
  readonly sliceShare: number
  /** Counts remembered; beyond it the one not used for longest is forgotten. */
  readonly maxEntries: number
  /** Told of each question the counter did not answer. */
  onFailure(error: unknown): void
  /** Milliseconds that only grow. */
  now(): number
}

/** What this host may still admit of a count, in a window. */
interface Lease {
  left: number
  /** Points nobody had taken when this host last asked; with none, the window is over for it once `left` is. */
  readonly unclaimed: number
  readonly until: number
}

/** After a failure the counter is left alone for this long, so that not every call waits for it. */
const REST_MS = 1_000

/**
 * Counts calls together with other hosts, mostly without asking: a host takes a slice of a count's points from the shared
 * counter, the next one as soon as one is used up, and serves it from memory until the window ends. All hosts together take
 * exactly the rule's points in a window. Where the counter fails, this host admits the whole rule by itself for a window.
 */
export class LeasedCounts {
  readonly #deps: LeasedCountsDeps
  /** By key, the one used last at the end. */
  readonly #leases = new Map<string, Lease>()
  readonly #asking = new Map<string, Promise<void>>()
  #restsUntil = 0

  constructor(deps: LeasedCountsDeps) {
    this.#deps = deps
  }

  /** Counts one call. Never rejects. */
  async take(key: string, rule: Rule): Promise<Admission> {
    for (;;) {
      const now = this.#deps.now()
      const lease = this.#leases.get(key)
      if (lease !== undefined && lease.until > now) {
        const admitted = lease.left > 0
        if (admitted || lease.unclaimed === 0) {
          if (admitted) lease.left -= 1
          this.#remember(key, lease)
          // Whoever used up a slice will likely call again; that call need not wait for the next one.
          if (admitted && lease.left === 0 && lease.unclaimed > 0) void this.#askOnce(key, rule)
          const remaining = Math.min(rule.points, lease.left + lease.unclaimed)
          return { admitted, limit: rule.points, remaining, milliseconds: lease.until - now }
        }
      }
      await this.#askOnce(key, rule)
    }
  }

  /**
   * What is left of counts, by key, without counting a call. A count nobody has taken of is whole; one that is not known here, and
   * cannot be asked for, is left out. Never rejects.
   */
  async look(
    counts: readonly { readonly key: string; readonly rule: Rule }[],
  ): Promise<ReadonlyMap<string, WhatIsLeft>> {
    const shared = await this.#lookShared(counts.map(({ key }) => key))
    const left = new Map<string, WhatIsLeft>()
    for (const { key, rule } of counts) {
      const found = this.#leftOf(key, rule, shared)
      if (found !== null) left.set(key, found)
    }
    return left
  }

  #leftOf(key: string, { points }: Rule, shared: ReadonlyMap<string, Counted> | null): WhatIsLeft | null {
    const now = this.#deps.now()
    const lease = this.#leases.get(key)
    const open = lease !== undefined && lease.until > now ? lease : null
    const counted = shared?.get(key)
    if (counted !== undefined) {
      // What this host took and has not used yet is still admitted.
      const remaining = Math.min(points, Math.max(0, points - counted.points) + (open?.left ?? 0))
      return { remaining, milliseconds: counted.milliseconds }
    }
    if (open !== null) {
      return { remaining: Math.min(points, open.left + open.unclaimed), milliseconds: open.until - now }
    }
    return shared === null ? null : { remaining: points, milliseconds: null }
  }

  /** Null where the counter cannot say; empty where this host counts alone. */
  async #lookShared(keys: readonly string[]): Promise<ReadonlyMap<string, Counted> | null> {
    const { counter, onFailure, now } = this.#deps
    if (counter === undefined) return new Map()
    if (counter.look === undefined || keys.length === 0 || this.#restsUntil > now()) return null
    try {
      return await counter.look(keys)
    } catch (error) {
      this.#restsUntil = now() + REST_MS
      onFailure(error)
      return null
    }
  }

  /** Concurrent calls of one count share one question. */
  #askOnce(key: string, rule: Rule): Promise<void> {
    const asked = this.#asking.get(key)
    if (asked !== undefined) return asked
    const asking = this.#ask(key, rule).finally(() => this.#asking.delete(key))
    this.#asking.set(key, asking)
    return asking
  }

  async #ask(key: string, rule: Rule): Promise<void> {
    const { counter, now, onFailure } = this.#deps
    if (counter === undefined || this.#restsUntil > now()) return this.#admitAlone(key, rule)
    try {
      const slice = Math.max(1, Math.ceil(rule.points * this.#deps.sliceShare))
      const counted = await counter.take(key, slice, rule.seconds)
      const before = counted.points - slice
      const left = Math.min(slice, Math.max(0, rule.points - before))
      const unclaimed = Math.max(0, rule.points - counted.points)
      this.#remember(key, { left, unclaimed, until: now() + counted.milliseconds })
    } catch (error) {
      this.#restsUntil = now() + REST_MS
      onFailure(error)
      this.#admitAlone(key, rule)
    }
  }

  #admitAlone(key: string, rule: Rule): void {
    this.#remember(key, { left: rule.points, unclaimed: 0, until: this.#deps.now() + rule.seconds * 1_000 })
  }

  #remember(key: string, lease: Lease): void {
    this.#leases.delete(key)
    this.#leases.set(key, lease)
    if (this.#leases.size <= this.#deps.maxEntries) return
    const oldest = this.#leases.keys().next()
    if (!oldest.done) this.#leases.delete(oldest.value)
  }
}
