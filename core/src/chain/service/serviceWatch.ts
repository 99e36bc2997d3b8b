import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { pause } from '../../database/leases.js'
import { type Notifier, SERVICE_CHANNEL } from '../../database/notifier.js'
import type { Role } from '../../plugin/plugin.js'
import type { ChainRegistry } from '../chainRegistry.js'
import { readService, type ServiceState } from './readService.js'
import { serviceGapOf } from './serviceGap.js'

export interface ServiceWatchDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly notifier: Notifier
  readonly log: Logger
  /** How long a chain may be without a watcher or a solver before its quotes are refused. */
  readonly limitMs: number
  /** Roles of this process: its own watcher and solver get `limitMs` from its start. */
  readonly roles: readonly Role[]
  /** Fallback poll interval: a missing role is seen by it, since no statement says that a process died. */
  readonly pollMs: number
  /** Milliseconds that only grow. */
  now(): number
}

/** Tells the chain registry which chains no running part of the service watches or pays on. Quotes read the registry and ask nothing. */
export class ServiceWatch {
  readonly #deps: ServiceWatchDeps
  readonly #startedAt: number

  constructor(deps: ServiceWatchDeps) {
    this.#deps = deps
    this.#startedAt = deps.now()
  }

  /** Reads at each notification and after `pollMs`, until the signal aborts. While the database does not answer the last reading counts. */
  async run(signal: AbortSignal): Promise<void> {
    let wake = new AbortController()
    this.#deps.notifier.on(SERVICE_CHANNEL, () => wake.abort(), signal)
    while (!signal.aborted) {
      wake = new AbortController()
      await this.read()
      await pause(this.#deps.pollMs, AbortSignal.any([wake.signal, signal]))
    }
  }

  async read(): Promise<void> {
    const { pool, chains } = this.#deps
    for (const state of await readService(pool, chains)) this.#judge(state)
  }

  #judge(state: ServiceState): void {
    const { chains, log, limitMs } = this.#deps
    const { chainId } = state
    const watcherGoneMs = this.#goneMs(state.watcherGoneMs, 'watcher')
    const solverGoneMs = this.#goneMs(state.solverGoneMs, 'solver')
    const gap = serviceGapOf(chainId, { ...state, watcherGoneMs, solverGoneMs }, limitMs)
    if (!chains.setGap(chainId, gap)) return
    if (gap === null) log.info({ chainId }, 'The chain takes quotes again')
    else log.error({ chainId, ...gap }, 'The chain takes no quotes: no part of the service can serve them')
  }

  /** A role that never ran, or that this process starts itself, is missing since this process started at most. */
  #goneMs(sinceEnd: number | null, role: Role): number {
    const sinceStart = this.#deps.now() - this.#startedAt
    if (sinceEnd === null) return sinceStart
    return this.#deps.roles.includes(role) ? Math.min(sinceEnd, sinceStart) : sinceEnd
  }
}
