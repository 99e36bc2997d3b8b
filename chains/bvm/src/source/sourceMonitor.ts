import { CheckRounds, type Disagreement } from '@causeway/core'
import type { Logger } from 'pino'
import type { SourceEndpoint } from './sourceEndpoint.js'
import type { SourcePool } from './sourcePool.js'

export interface SourceMonitorDeps {
  readonly pool: SourcePool
  readonly intervalMs: number
  readonly logger: Logger
}

/** Compares the nodes of a chain from time to time, and tells when they contradict each other. */
export class SourceMonitor {
  readonly #deps: SourceMonitorDeps
  readonly #rounds: CheckRounds

  constructor(deps: SourceMonitorDeps) {
    this.#deps = deps
    const { pool, intervalMs, logger } = deps
    this.#rounds = new CheckRounds({ check: () => this.check(), endpoints: () => pool.endpoints, intervalMs, logger })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): void {
    this.#rounds.stop()
  }

  check(): Promise<void> {
    this.#rounds.began()
    return this.#deps.pool.check()
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    this.#rounds.onDisagreement(listener, signal)
  }

  report(disagreement: Disagreement): void {
    this.#rounds.report(disagreement)
  }

  caughtLying(endpoint: SourceEndpoint, reason: string): void {
    this.#deps.logger.error({ endpoint: endpoint.name, reason }, 'A node of this chain is not trusted any more')
    endpoint.caughtLying(reason)
  }
}
