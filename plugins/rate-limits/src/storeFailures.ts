import type { Counter } from '@causeway/core/plugin'
import type { Logger } from 'pino'

export interface StoreFailuresDeps {
  readonly log: Logger
  readonly failures: Counter<Readonly<Record<never, never>>>
  /** Milliseconds that only grow. */
  now(): number
}

const LOG_EVERY_MS = 60_000

const codeOf = (error: unknown): string => {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown'
}

/** Counts failures of the store and says so at most once a minute, by code alone: messages may name its address. */
export class StoreFailures {
  readonly #deps: StoreFailuresDeps
  #quietUntil = Number.NEGATIVE_INFINITY

  constructor(deps: StoreFailuresDeps) {
    this.#deps = deps
  }

  note(error: unknown): void {
    const { log, failures, now } = this.#deps
    failures.add({})
    if (now() < this.#quietUntil) return
    this.#quietUntil = now() + LOG_EVERY_MS
    log.warn({ code: codeOf(error) }, 'the store of rate limits does not answer; each host counts by itself meanwhile')
  }
}
