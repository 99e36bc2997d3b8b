import type { Chain } from '@causeway/core'
import type { ChainListing } from './chainsOptions.js'
import type { HeadWatch } from './headWatch.js'
import type { WatcherCursor, WatcherCursors } from './watcherCursors.js'

export interface ChainHealthDeps {
  readonly heads: HeadWatch
  readonly cursors: WatcherCursors
  listing(chainId: number): ChainListing
}

const DEFAULT_LAG_BLOCKS = 100
/** A watcher that is behind and stores nothing for this long does not work. */
const STUCK_SECONDS = 60

/** Judges whether transfers from and to a chain can work now. */
export class ChainHealth {
  readonly #deps: ChainHealthDeps

  constructor(deps: ChainHealthDeps) {
    this.#deps = deps
  }

  /** False while the chain is switched off, its head is old or unknown, no node serves it, or its deposits are read late. */
  async isHealthy(chain: Chain): Promise<boolean> {
    if (!chain.config.enabled || this.#deps.heads.state(chain) !== 'ok' || !hasNode(chain)) return false
    const cursors = await this.#deps.cursors.read().catch(() => null)
    return cursors !== null && this.#isWatched(chain, cursors.get(chain.config.id))
  }

  #isWatched(chain: Chain, cursor: WatcherCursor | undefined): boolean {
    const head = this.#deps.heads.head(chain)
    if (cursor === undefined || head === undefined) return false
    const behind = head.height - cursor.height
    if (behind <= 0n) return true
    const most = this.#deps.listing(chain.config.id).laggingAfterBlocks ?? DEFAULT_LAG_BLOCKS
    return behind <= BigInt(most) && cursor.ageSeconds <= STUCK_SECONDS
  }
}

/** Whether any endpoint of the chain can be used; unknown counts as yes, the head tells then. */
const hasNode = (_chain: Chain): boolean => true
