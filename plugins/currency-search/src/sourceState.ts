import type { Logger } from 'pino'

/** A source did not give a usable answer. The message names neither its URL nor its key. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

export interface SourceStateDeps {
  readonly name: string
  readonly log: Logger
  /** Pause after the first failure, milliseconds; it doubles with each further one. */
  readonly pauseMs: number
  readonly maxPauseMs: number
}

/** Whether one source answers: logs the first failure in a row and the recovery, and paces requests meanwhile. */
export class SourceState {
  readonly #deps: SourceStateDeps
  #failures = 0
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(deps: SourceStateDeps) {
    this.#deps = deps
  }

  /** Milliseconds until the source may be asked again; 0 while it answers. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - performance.now())
  }

  answered(): void {
    const { name, log } = this.#deps
    if (this.#failures > 0) log.info({ source: name }, 'The currency search source answers again')
    this.#failures = 0
    this.#pausedUntil = Number.NEGATIVE_INFINITY
  }

  /** `meanwhile`: what holds until the source answers again. */
  failed(error: unknown, meanwhile: string): void {
    const { name, log, pauseMs, maxPauseMs } = this.#deps
    const reason = error instanceof SourceError ? error.message : 'It gave an answer that could not be used'
    if (this.#failures === 0) log.warn({ source: name, reason }, `A currency search source failed. ${meanwhile}`)
    this.#pausedUntil = performance.now() + Math.min(maxPauseMs, pauseMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 30)
  }
}
