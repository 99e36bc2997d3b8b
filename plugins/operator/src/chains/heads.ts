import { setMaxListeners } from 'node:events'
import type { BlockRef } from '@causeway/core/chain'
import type { Chain, ChainRegistry } from '@causeway/core/plugin'

/** The newest block of every chain: remembered where its adapter follows the chain, else asked for. */
export class Heads {
  readonly #heads = new Map<number, BlockRef>()
  readonly #stop = new AbortController()

  /** Remembers what the adapters of a serving host see, until `stop`. */
  follow(chains: ChainRegistry): void {
    // One for each chain, and there may be many.
    setMaxListeners(0, this.#stop.signal)
    for (const { config, adapter } of chains.all()) {
      adapter.onHead((head) => void this.#heads.set(config.id, head), this.#stop.signal)
    }
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Null when no node tells. */
  async of({ config, adapter }: Chain): Promise<BlockRef | null> {
    return this.#heads.get(config.id) ?? adapter.tip().catch(() => null)
  }
}
