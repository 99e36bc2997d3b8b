import { pause } from '@causeway/core/plugin'

/** A bell that is heard by whoever waits, or by the next who does. */
export class Wakeup {
  #waiting = new AbortController()

  ring(): void {
    this.#waiting.abort()
  }

  /** Until it rings, the time is over or the signal aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await pause(milliseconds, AbortSignal.any([signal, this.#waiting.signal]))
    this.#waiting = new AbortController()
  }
}
