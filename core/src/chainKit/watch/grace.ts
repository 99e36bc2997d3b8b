import { LAG_GRACE_MS } from '../endpoints/monitor/headBelief.js'

/** Time that a node has from when it first looked wrong: it may just be behind. */
export class Grace {
  readonly #ms: number
  #since: number | null = null

  constructor(ms = LAG_GRACE_MS) {
    this.#ms = ms
  }

  /** Whether the time lasts. It begins with the first question. */
  lasts(now = performance.now()): boolean {
    this.#since ??= now
    return now - this.#since < this.#ms
  }

  /** The node is right again: the next question begins the time. */
  end(): void {
    this.#since = null
  }
}
