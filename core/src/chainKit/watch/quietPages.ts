/** A page of a watcher, as far as it matters whether there is something in it. */
export interface WatchedPage {
  readonly height: bigint
  readonly rewoundTo: bigint | null
  readonly deposits?: readonly unknown[]
  readonly executions?: readonly unknown[]
  readonly arrivals?: readonly unknown[]
}

/** How rarely pages that only tell a new height are worth a write: each `blocks` blocks, or each `ms` milliseconds. */
export interface QuietPace {
  readonly blocks: bigint
  readonly ms: number
}

/** Which pages of a watcher are told: every one with something in it, and the first; of the others, those that tell a new height. */
export class QuietPages {
  readonly #pace: QuietPace | null
  #height: bigint | null = null
  #at = Number.NEGATIVE_INFINITY

  /** `pace` null: each new height is told. */
  constructor(pace: QuietPace | null) {
    this.#pace = pace
  }

  /** True when the page is to be told, which is then remembered. */
  takes(page: WatchedPage, now = performance.now()): boolean {
    if (isQuiet(page) && !this.#isDue(page.height, now)) return false
    this.#height = page.height
    this.#at = now
    return true
  }

  #isDue(height: bigint, now: number): boolean {
    if (this.#height === null) return true
    if (height === this.#height) return false
    return this.#pace === null || height - this.#height >= this.#pace.blocks || now - this.#at >= this.#pace.ms
  }
}

const isQuiet = ({ deposits = [], executions = [], arrivals = [], rewoundTo }: WatchedPage): boolean =>
  deposits.length + executions.length + arrivals.length === 0 && rewoundTo === null
