import type { WatchPage } from '../../chain/chainAdapter.js'

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
  takes(page: WatchPage, now = performance.now()): boolean {
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

const isQuiet = ({ arrivals = [], deposits, executions = [], candidates = [], rewoundTo }: WatchPage): boolean =>
  arrivals.length + deposits.length + executions.length + candidates.length === 0 && rewoundTo === null
