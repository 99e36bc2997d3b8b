import type { ChainDeps } from '@causeway/core'
import type { LedgerNode } from './ledgerNode.js'
import type { LedgerBlock } from './transaction.js'

/** Follows the head of the ledger by asking for it. */
export class Heads {
  readonly #node: LedgerNode
  readonly #intervalMs: number
  readonly #logger: ChainDeps['logger']
  readonly #listeners = new Set<(head: LedgerBlock) => void>()
  readonly #wakers = new Set<() => void>()
  #last = ''
  #timer: NodeJS.Timeout | null = null
  #running = false

  constructor(deps: { readonly node: LedgerNode; readonly intervalMs: number; readonly logger: ChainDeps['logger'] }) {
    this.#node = deps.node
    this.#intervalMs = deps.intervalMs
    this.#logger = deps.logger
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#schedule()
  }

  stop(): void {
    this.#running = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.wake()
  }

  onHead(listener: (head: LedgerBlock) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  wake(): void {
    for (const wake of [...this.#wakers]) wake()
  }

  /** Resolves at the next head, after the time, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wakers.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, this.#intervalMs)
      this.#wakers.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  async #poll(): Promise<void> {
    const head = await this.#node.head()
    if (head.hash === this.#last) return
    this.#last = head.hash
    for (const listener of this.#listeners) listener(head)
    this.wake()
  }

  #schedule(): void {
    if (!this.#running) return
    this.#timer = setTimeout(() => {
      this.#poll()
        .catch((error: unknown) => this.#logger.warn({ err: error }, 'The head of the ledger could not be read'))
        .finally(() => this.#schedule())
    }, this.#intervalMs)
  }
}
