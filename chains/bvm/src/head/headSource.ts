import type { BlockRef } from '@causeway/core'
import type { Logger } from 'pino'
import type { BlockHeader } from '../source/bitcoinSource.js'
import type { SourcePool } from '../source/sourcePool.js'

/** A head that was read so lately is not asked for again. */
const FRESH_MS = 500

export interface HeadSourceDeps {
  readonly pool: SourcePool
  readonly pollIntervalMs: number
  readonly logger: Logger
}

/** The newest block, asked for from time to time: neither API tells of it by itself. */
export class HeadSource {
  readonly #deps: HeadSourceDeps
  readonly #listeners = new Set<(head: BlockRef) => void>()
  #latest: { readonly head: BlockHeader; readonly at: number } | null = null
  #asking: Promise<BlockHeader> | null = null
  #timer: NodeJS.Timeout | null = null
  #running = false

  constructor(deps: HeadSourceDeps) {
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

  onHead(listener: (head: BlockRef) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  /** @throws ServiceError when no node answers */
  async tip(): Promise<BlockHeader> {
    const fresh = Math.min(FRESH_MS, this.#deps.pollIntervalMs)
    if (this.#latest !== null && Date.now() - this.#latest.at < fresh) return this.#latest.head
    return this.refresh()
  }

  refresh(): Promise<BlockHeader> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<BlockHeader> {
    const head = await this.#deps.pool.ask((source) => source.tip())
    const isNew = this.#latest?.head.hash !== head.hash
    this.#latest = { head, at: Date.now() }
    const { height, hash, time } = head
    if (isNew) for (const listener of this.#listeners) listener({ height, hash, time })
    return head
  }

  #schedule(): void {
    if (!this.#running) return
    const { pollIntervalMs, logger } = this.#deps
    this.#timer = setTimeout(() => {
      this.refresh()
        .catch((error: unknown) => logger.warn({ err: error }, 'The head of the chain could not be read'))
        .finally(() => this.#schedule())
    }, pollIntervalMs)
  }
}
