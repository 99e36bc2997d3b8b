import { MemoryCounter } from './memoryCounter.js'
import type { Counted, Grant, Rule, Settled, SharedCounter } from './sharedCounter.js'

/** Whether a call is within a count, and what is left of it. */
export interface Admission {
  readonly admitted: boolean
  readonly limit: number
  /** Calls still admitted now, as far as this host knows. */
  readonly remaining: number
  /** Until the oldest calls leave the window. */
  readonly milliseconds: number
}

/** What a count still admits, as far as can be told without counting. */
export interface WhatIsLeft {
  readonly remaining: number
  /** Until the oldest calls leave the window; null: it has none. */
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

/** Part of a count that this host may still admit. */
interface Lease {
  left: number
  /** Points that no host had taken when this one last asked; with none, calls are refused until `until` once `left` is used. */
  readonly unclaimed: number
  /** When it was asked for, and until when it is used, by the clock of this host. */
  readonly askedAt: number
  readonly until: number
  /** When the oldest points leave the window. */
  readonly freeAt: number
  /** The grant behind it, of the shared counter or of this host alone; null: nothing was granted. */
  readonly grant: { readonly id: number; readonly leaseMs: number; readonly isShared: boolean } | null
  usedAt: number | null
}

/** After a failure the counter is left alone for this long, so that not every call waits for it. */
const REST_MS = 1_000

/** Part of the window for which a host uses a slice of several points. */
const LEASE_SHARE = 0.05

/** Calls that waited for an answer use it, also where its lease ended meanwhile: a slow store must not make them ask for ever. */
const WAITED_MS = 5

/**
 * Counts calls together with other hosts, mostly without asking: a host takes a slice of a count's points from the shared
 * counter, the next one as soon as one is used up, and serves it from memory for a part of the window; at the next question it gives back
 * what it did not use. A slice of one point is used at once. All hosts together never admit more than the rule's points in its time.
 * Where the counter fails, this host counts alone.
 */
export class LeasedCounts {
  readonly #deps: LeasedCountsDeps
  /** By key, the one used last at the end. */
  readonly #leases = new Map<string, Lease>()
  readonly #asking = new Map<string, Promise<void>>()
  readonly #alone: MemoryCounter
  #restsUntil = 0

  constructor(deps: LeasedCountsDeps) {
    this.#deps = deps
    this.#alone = new MemoryCounter(deps.maxEntries)
  }

  /** Counts one call. Never rejects. */
  async take(key: string, rule: Rule): Promise<Admission> {
    for (;;) {
      const lease = this.#openLease(key)
      if (lease !== null && (lease.left > 0 || lease.unclaimed === 0)) return this.#admit(key, rule, lease)
      await this.#askOnce(key, rule)
    }
  }

  #admit(key: string, rule: Rule, lease: Lease): Admission {
    const now = this.#deps.now()
    const admitted = lease.left > 0
    if (admitted) {
      lease.left -= 1
      lease.usedAt = now
    }
    this.#remember(key, lease)
    // A caller that used up a slice will likely call again; that call need not wait for the next one.
    const isSliced = lease.grant !== null && lease.grant.leaseMs > 0
    if (admitted && isSliced && lease.left === 0 && lease.unclaimed > 0) void this.#askOnce(key, rule)
    const remaining = Math.min(rule.points, lease.left + lease.unclaimed)
    return { admitted, limit: rule.points, remaining, milliseconds: Math.max(1, lease.freeAt - now) }
  }

  #openLease(key: string): Lease | null {
    const lease = this.#leases.get(key)
    return lease !== undefined && lease.until > this.#deps.now() ? lease : null
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
    const open = this.#openLease(key)
    const counted = shared?.get(key) ?? this.#alone.look(key, now) ?? undefined
    if (counted !== undefined) {
      // What this host took and has not used yet is still admitted.
      const remaining = Math.min(points, Math.max(0, points - counted.points) + (open?.left ?? 0))
      return { remaining, milliseconds: counted.milliseconds }
    }
    if (open !== null) {
      return { remaining: Math.min(points, open.left + open.unclaimed), milliseconds: open.freeAt - now }
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
    const askedAt = now()
    const points = Math.max(1, Math.ceil(rule.points * this.#deps.sliceShare))
    const leaseMs = points === 1 ? 0 : Math.floor(rule.seconds * 1_000 * LEASE_SHARE)
    const lease = this.#leases.get(key)
    this.#leases.delete(key)
    const request = (isShared: boolean) => ({ points, rule, leaseMs, settled: settledOf(lease, isShared) })
    const keep = (grant: Grant, isShared: boolean) => {
      this.#remember(key, leaseOf(grant, { rule, leaseMs, askedAt, now: now(), isShared }))
    }
    if (counter !== undefined && this.#restsUntil <= askedAt) {
      try {
        keep(await counter.take(key, request(true)), true)
        return
      } catch (error) {
        this.#restsUntil = now() + REST_MS
        onFailure(error)
      }
    }
    keep(this.#alone.take(key, request(false), now()), false)
  }

  #remember(key: string, lease: Lease): void {
    this.#leases.delete(key)
    this.#leases.set(key, lease)
    if (this.#leases.size <= this.#deps.maxEntries) return
    const oldest = this.#leases.keys().next()
    if (!oldest.done) this.#leases.delete(oldest.value)
  }
}

/** Unused part of the grant of an ended lease, returned to the counter that granted it. */
const settledOf = (lease: Lease | undefined, isShared: boolean): Settled | null => {
  if (lease === undefined || lease.grant === null || lease.grant.isShared !== isShared) return null
  const { left, grant, usedAt, askedAt } = lease
  const earlierBy = usedAt === null ? 0 : Math.max(0, Math.floor(grant.leaseMs - (usedAt - askedAt)))
  return left === 0 && earlierBy === 0 ? null : { id: grant.id, unused: left, earlierBy }
}

interface LeaseFacts {
  readonly rule: Rule
  readonly leaseMs: number
  readonly askedAt: number
  readonly now: number
  readonly isShared: boolean
}

const leaseOf = (grant: Grant, { rule, leaseMs, askedAt, now, isShared }: LeaseFacts): Lease => {
  const { granted, id, counted, freeIn } = grant
  const freeAt = askedAt + freeIn
  // Other hosts give back what they do not use, but of slices of one point nothing is left over.
  const refusedUntil = leaseMs === 0 ? freeAt : Math.min(freeAt, askedAt + leaseMs)
  return {
    left: granted,
    unclaimed: Math.max(0, rule.points - counted),
    askedAt,
    until: Math.max(granted === 0 ? refusedUntil : askedAt + leaseMs, now + WAITED_MS),
    freeAt,
    grant: granted > 0 ? { id, leaseMs, isShared } : null,
    usedAt: null,
  }
}
