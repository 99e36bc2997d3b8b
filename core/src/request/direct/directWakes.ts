import type { Chain } from '../../chain/chainRegistry.js'
import { HINT_CHANNEL, type Notifier } from '../../database/notifier.js'

/** Wakes who looks at users' own transactions: when a client told of one, and while there are any at each new block of their chain. */
export class DirectWakes {
  heedsHeads = true
  readonly #signal: AbortSignal
  #rung = false
  #wake: () => void = () => undefined

  constructor({ adapter, config }: Chain, notifier: Notifier, signal: AbortSignal) {
    this.#signal = signal
    const ring = () => {
      this.#rung = true
      this.#wake()
    }
    adapter.onHead(() => {
      if (this.heedsHeads) ring()
    }, signal)
    notifier.on(
      HINT_CHANNEL,
      (payload) => {
        if (payload === null || payload === String(config.id)) ring()
      },
      signal,
    )
    signal.addEventListener('abort', ring, { once: true })
  }

  /** Waits for the next reason to look, at most so long; true when there was one. What came since the last call counts. */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.#rung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = () => undefined
    }
    const rung = this.#rung
    this.#rung = false
    return rung
  }
}
