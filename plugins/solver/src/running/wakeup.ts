/** Lets a loop sleep until something happens. A ring while the loop works is not lost. */
export class Wakeup {
  #rung = false
  #resolve: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#resolve?.()
  }

  /** Returns at the next ring, after the time, or when the signal aborts; at once when it rang meanwhile. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          this.#resolve = null
          resolve()
        }
        const timer = setTimeout(done, milliseconds)
        signal.addEventListener('abort', done)
        this.#resolve = done
      })
    }
    this.#rung = false
  }
}
