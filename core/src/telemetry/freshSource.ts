import type { MetricSource, Sample } from './metrics.js'

export interface FreshSourceDeps {
  readonly source: MetricSource
  readonly keepMs: number
  readonly timeoutMs: number
}

/** Reads a source once at a time and keeps what it said for a while, so that however often metrics are asked for, it is not. */
export class FreshSource {
  readonly #deps: FreshSourceDeps
  #reading: Promise<readonly Sample[] | null> | null = null
  #last: { readonly samples: readonly Sample[] | null; readonly at: number } | null = null

  constructor(deps: FreshSourceDeps) {
    this.#deps = deps
  }

  /** Null when the source failed or takes too long. */
  async read(): Promise<readonly Sample[] | null> {
    if (this.#last !== null && performance.now() - this.#last.at < this.#deps.keepMs) return this.#last.samples
    this.#reading ??= this.#ask().finally(() => {
      this.#reading = null
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#deps.timeoutMs)
    })
    const samples = await Promise.race([this.#reading, late])
    clearTimeout(timer)
    return samples
  }

  async #ask(): Promise<readonly Sample[] | null> {
    const samples = await this.#deps.source.read().catch(() => null)
    this.#last = { samples, at: performance.now() }
    return samples
  }
}
