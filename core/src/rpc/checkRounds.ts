import type { Logger } from 'pino'
import type { Disagreement } from '../chain/endpointHealth.js'

/** While an endpoint is not answering or not believed it is asked again after this at the latest. */
const RECOVERY_MS = 1000

export interface CheckRoundsDeps {
  /** One comparison of all endpoints. */
  check(): Promise<void>
  /** What is known of the endpoints now. */
  endpoints(): readonly { readonly failure: string | null; readonly distrust: string | null }[]
  readonly intervalMs: number
  readonly logger: Logger
}

/** Has the endpoints of a chain compared with each other from time to time, and tells when they contradict each other. */
export class CheckRounds {
  readonly #deps: CheckRoundsDeps
  readonly #listeners = new Set<(disagreement: Disagreement) => void>()
  #timer: NodeJS.Timeout | null = null
  #checkedAt = 0
  #running = false

  constructor(deps: CheckRoundsDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#schedule()
  }

  stop(): void {
    this.#running = false
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** A comparison begins now, by whomever it was asked for. */
  began(): void {
    this.#checkedAt = Date.now()
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  report(disagreement: Disagreement): void {
    for (const listener of this.#listeners) listener(disagreement)
  }

  #schedule(): void {
    if (!this.#running) return
    const { intervalMs, logger, check } = this.#deps
    this.#timer = setTimeout(
      () => {
        const due = this.#isIll() || Date.now() - this.#checkedAt >= intervalMs
        const round = due ? check() : Promise.resolve()
        round
          .catch((error: unknown) => logger.warn({ err: error }, 'The nodes could not be compared'))
          .finally(() => this.#schedule())
      },
      Math.min(RECOVERY_MS, intervalMs),
    )
  }

  #isIll(): boolean {
    return this.#deps.endpoints().some(({ failure, distrust }) => failure !== null || distrust !== null)
  }
}
