import type { Disagreement } from '@causeway/core'
import type { Logger } from 'pino'
import type { SourceEndpoint } from './sourceEndpoint.js'
import type { SourcePool } from './sourcePool.js'

/** While a node is not answering or not believed it is asked again after this at the latest. */
const RECOVERY_MS = 1000

export interface SourceMonitorDeps {
  readonly pool: SourcePool
  readonly intervalMs: number
  readonly logger: Logger
}

/** Compares the nodes of a chain from time to time, and tells when they contradict each other. */
export class SourceMonitor {
  readonly #deps: SourceMonitorDeps
  readonly #listeners = new Set<(disagreement: Disagreement) => void>()
  #timer: NodeJS.Timeout | null = null
  #checkedAt = 0
  #running = false

  constructor(deps: SourceMonitorDeps) {
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

  check(): Promise<void> {
    this.#checkedAt = Date.now()
    return this.#deps.pool.check()
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  report(disagreement: Disagreement): void {
    for (const listener of this.#listeners) listener(disagreement)
  }

  caughtLying(endpoint: SourceEndpoint, reason: string): void {
    this.#deps.logger.error({ endpoint: endpoint.name, reason }, 'A node of this chain is not trusted any more')
    endpoint.caughtLying(reason)
  }

  #schedule(): void {
    if (!this.#running) return
    const { intervalMs, logger } = this.#deps
    this.#timer = setTimeout(
      () => {
        const due = this.#isIll() || Date.now() - this.#checkedAt >= intervalMs
        const round = due ? this.check() : Promise.resolve()
        round
          .catch((error: unknown) => logger.warn({ err: error }, 'The nodes could not be compared'))
          .finally(() => this.#schedule())
      },
      Math.min(RECOVERY_MS, intervalMs),
    )
  }

  #isIll(): boolean {
    return this.#deps.pool.endpoints.some(({ failure, distrust }) => failure !== null || distrust !== null)
  }
}
