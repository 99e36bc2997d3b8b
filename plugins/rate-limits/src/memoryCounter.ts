import { type Counted, countedMs, type Grant, type TakeRequest } from './sharedCounter.js'

/** Counts of this process alone: of each count a log of grants, by the time at which they leave the window. */
export class MemoryCounter {
  readonly #maxEntries: number
  /** By key, the one used last at the end; within it the grant that leaves first at the start. */
  readonly #counts = new Map<string, Map<number, number>>()

  /** Beyond `maxEntries` the count not used for longest is forgotten. */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  /** `now` in milliseconds that only grow. */
  take(key: string, request: TakeRequest, now: number): Grant {
    const { points, rule, settled } = request
    const grants = this.#current(key, now)
    if (settled !== null) settle(grants, settled.id, settled)
    const before = sum(grants)
    const granted = Math.max(0, Math.min(points, rule.points - before))
    const id = freeId(grants, now + countedMs(request))
    if (granted > 0) grants.set(id, granted)
    this.#remember(key, grants)
    return { granted, id, counted: before + granted, freeIn: (firstOf(grants) ?? now) - now }
  }

  /** Null where nothing of the window is taken. */
  look(key: string, now: number): Counted | null {
    const grants = this.#current(key, now)
    const first = firstOf(grants)
    return first === null ? null : { points: sum(grants), milliseconds: first - now }
  }

  #current(key: string, now: number): Map<number, number> {
    const grants = this.#counts.get(key) ?? new Map<number, number>()
    for (const leavesAt of grants.keys()) if (leavesAt <= now) grants.delete(leavesAt)
    return grants
  }

  #remember(key: string, grants: Map<number, number>): void {
    this.#counts.delete(key)
    this.#counts.set(key, grants)
    if (this.#counts.size <= this.#maxEntries) return
    const oldest = this.#counts.keys().next()
    if (!oldest.done) this.#counts.delete(oldest.value)
  }
}

const settle = (
  grants: Map<number, number>,
  id: number,
  { unused, earlierBy }: { readonly unused: number; readonly earlierBy: number },
): void => {
  const held = grants.get(id)
  if (held === undefined) return
  grants.delete(id)
  if (held > unused) grants.set(freeId(grants, id - earlierBy), held - unused)
}

const freeId = (grants: ReadonlyMap<number, number>, leavesAt: number): number =>
  grants.has(leavesAt) ? freeId(grants, leavesAt + 1) : leavesAt

const sum = (grants: ReadonlyMap<number, number>): number =>
  [...grants.values()].reduce((total, points) => total + points, 0)

const firstOf = (grants: ReadonlyMap<number, number>): number | null =>
  grants.size === 0 ? null : Math.min(...grants.keys())
