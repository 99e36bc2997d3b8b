import type { Pool } from 'pg'

export interface DatabaseProbeDeps {
  readonly pool: Pool
  readonly timeoutMs: number
  /** Milliseconds that only grow. */
  now(): number
}

const KEEP_MS = 1000

/**
 * Tells whether the database answers. One question at a time, and its answer holds for a second, so that however often
 * health is asked for, the database is not.
 */
export class DatabaseProbe {
  readonly #deps: DatabaseProbeDeps
  #asked: Promise<boolean> | undefined
  #last: { readonly answers: boolean; readonly at: number } | undefined

  constructor(deps: DatabaseProbeDeps) {
    this.#deps = deps
  }

  /** False also when it takes longer than the time limit. */
  async answers(): Promise<boolean> {
    if (this.#last !== undefined && this.#deps.now() - this.#last.at < KEEP_MS) return this.#last.answers
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#deps.timeoutMs)
    })
    const answers = await Promise.race([this.#asked, late])
    clearTimeout(timer)
    return answers
  }

  async #ask(): Promise<boolean> {
    const answers = await this.#deps.pool.query('select 1').then(
      () => true,
      () => false,
    )
    this.#last = { answers, at: this.#deps.now() }
    return answers
  }
}
