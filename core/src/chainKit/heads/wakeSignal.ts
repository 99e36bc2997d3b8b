/**
 * A rest that a hint cuts short. Any number may rest at once. A hint that comes while somebody is busy is not lost: who remembers
 * `hints` from before a step rests no longer once the number has grown.
 */
export class WakeSignal {
  readonly #resting = new Set<() => void>()
  #hints = 0

  /** How many hints came; it only grows. */
  get hints(): number {
    return this.#hints
  }

  /** Something may have happened: whoever rests reads now, whoever is busy reads once more. */
  hint(): void {
    this.#hints += 1
    this.wake()
  }

  /** Ends the rests of this moment. It is no hint: who is busy does not learn of it. */
  wake(): void {
    for (const end of [...this.#resting]) end()
  }

  /** Resolves at the next hint, after `ms`, or when the signal aborts; at once where more than `since` hints have come. */
  rest(ms: number, signal: AbortSignal, since = this.#hints): Promise<void> {
    if (signal.aborted || this.#hints > since) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#resting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#resting.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
