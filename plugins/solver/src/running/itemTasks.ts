/** How long what is quick waits for what is slow. */
const PATIENCE_MS = 1_000

export interface ItemTasksDeps {
  /** Most items under way at once. */
  readonly most: number
  /** Called when one ends that nobody waits for any more. */
  readonly onLate: () => void
}

/**
 * Work on items, each by itself: what takes long goes on alone, and nobody waits for it (faults.md F126). A task deals with the
 * failure of its item; what it throws all the same is thrown by the next `take` and ends the lane.
 */
export class ItemTasks<Result> {
  readonly #most: number
  readonly #onLate: () => void
  readonly #running = new Map<string, Promise<void>>()
  /** Those that were not waited for to the end. */
  #late: ReadonlySet<string> = new Set()
  /** What ended and was not taken yet, by item. */
  #results = new Map<string, Result>()
  #failure: { readonly error: unknown } | null = null

  constructor({ most, onLate }: ItemTasksDeps) {
    this.#most = most
    this.#onLate = onLate
  }

  /** Items under way, or whose result was not taken yet: not to be begun again. */
  busy(): readonly string[] {
    return [...this.#running.keys(), ...this.#results.keys()]
  }

  isBusy(id: string): boolean {
    return this.#running.has(id) || this.#results.has(id)
  }

  /** Begins work on an item; false, and nothing begun, where it is under way or no place became free in time. */
  async start(id: string, work: () => Promise<Result>): Promise<boolean> {
    if (this.isBusy(id)) return false
    if (this.#running.size >= this.#most) await inTime(Promise.race(this.#running.values()))
    if (this.#running.size >= this.#most) return false
    this.#running.set(id, this.#run(id, work))
    return true
  }

  async #run(id: string, work: () => Promise<Result>): Promise<void> {
    // The task is among those that run before it can end.
    await null
    try {
      const result = await work()
      this.#results.set(id, result)
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#running.delete(id)
    if (this.#late.has(id)) this.#onLate()
  }

  /** What has ended since the last time; waits for what is under way, but not for long. */
  async take(): Promise<readonly Result[]> {
    const fresh = [...this.#running].flatMap(([id, running]) => (this.#late.has(id) ? [] : [running]))
    if (fresh.length > 0) await inTime(Promise.all(fresh))
    this.#late = new Set(this.#running.keys())
    if (this.#failure !== null) throw this.#failure.error
    const results = [...this.#results.values()]
    this.#results = new Map()
    return results
  }
}

/** Returns with the work, or when patience ends. */
const inTime = async (work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  await Promise.race([work, patience])
  clearTimeout(timer)
}
