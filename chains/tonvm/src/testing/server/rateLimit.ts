import { CallError } from '@causeway/core/testing'

/** A limit of calls between two blocks, at all nodes together. */
export class RateLimit {
  #most = Number.POSITIVE_INFINITY
  #used = 0

  /** Null: no limit. */
  set(most: number | null): void {
    this.#most = most ?? Number.POSITIVE_INFINITY
    this.#used = 0
  }

  restart(): void {
    this.#used = 0
  }

  /** Counts a call. @throws CallError above the limit */
  admit(): void {
    this.#used += 1
    if (this.#used > this.#most) throw new CallError(429, 'Ratelimit exceed')
  }
}
