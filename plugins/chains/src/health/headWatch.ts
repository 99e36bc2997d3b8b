import type { Clock } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import type { Chain, ChainRegistry } from '@causeway/core/plugin'
import type { ChainListing } from '../chainsOptions.js'

export type HeadState = 'ok' | 'lagging' | 'unknown'

export interface HeadWatchDeps {
  readonly chains: ChainRegistry
  readonly clock: Clock
  listing(chainId: number): ChainListing
}

const DEFAULT_LAG_SECONDS = 600
/** Where blocks come by chance, one may take many times as long as usual. */
const LATE_AFTER_INTERVALS = 12

/** Remembers the newest head of every chain, so that answering about them asks no endpoint. */
export class HeadWatch {
  readonly #deps: HeadWatchDeps
  readonly #heads = new Map<number, BlockRef>()

  constructor(deps: HeadWatchDeps) {
    this.#deps = deps
  }

  /** Follows the heads until the signal aborts. */
  start(signal: AbortSignal): void {
    for (const { config, adapter } of this.#deps.chains.all()) {
      const remember = (head: BlockRef): void => void this.#heads.set(config.id, head)
      adapter.onHead(remember, signal)
      // The next head may be far; without an answer the chain stays unknown until it comes.
      adapter.tip().then(
        (head) => this.#heads.has(config.id) || remember(head),
        () => undefined,
      )
    }
  }

  /** Whether blocks still come, by the age of the newest one. */
  state(chain: Chain): HeadState {
    const head = this.#heads.get(chain.config.id)
    if (head === undefined) return 'unknown'
    return this.isOld(chain, head) ? 'lagging' : 'ok'
  }

  /** Whether a head is too old to be the newest of a chain that works. */
  isOld({ config, adapter }: Chain, { time }: BlockRef): boolean {
    const { headIntervalSeconds = 0 } = adapter.capabilities
    const usual = Math.max(DEFAULT_LAG_SECONDS, LATE_AFTER_INTERVALS * headIntervalSeconds)
    const limit = this.#deps.listing(config.id).laggingAfterSeconds ?? usual
    return this.#deps.clock.now() / 1000 - time > limit
  }
}
