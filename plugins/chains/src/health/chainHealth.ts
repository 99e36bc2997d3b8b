import { BoundedCache } from '@causeway/core'
import { type BlockRef, hasQuorum } from '@causeway/core/chain'
import type { Chain, ChainRegistry } from '@causeway/core/plugin'
import type { ChainListing } from '../chainsOptions.js'
import type { WatcherCursor, WatcherCursors } from '../watcherCursors.js'
import type { HeadWatch } from './headWatch.js'

export interface ChainHealthDeps {
  readonly chains: Pick<ChainRegistry, 'isServed' | 'gapOf'>
  readonly heads: HeadWatch
  readonly cursors: WatcherCursors
  listing(chainId: number): ChainListing
  /** Milliseconds that only grow. */
  now(): number
}

const DEFAULT_LAG_BLOCKS = 100
/** A watcher that is behind and stores nothing for this long does not work. */
const STUCK_SECONDS = 60
const KEEP_MS = 2_000
const MAX_KEPT = 1_000

/** Judges whether transfers from and to a chain can work now; nodes and database are asked at most every two seconds. */
export class ChainHealth {
  readonly #deps: ChainHealthDeps
  readonly #tips: BoundedCache<BlockRef | null>

  constructor(deps: ChainHealthDeps) {
    this.#deps = deps
    this.#tips = new BoundedCache({ clock: { now: deps.now }, maxEntries: MAX_KEPT, lifeOf: () => KEEP_MS })
  }

  /** False while the chain is switched off or on hold, has no watcher or solver or a closed lane, no node serves it, its head is old, or its deposits are read late. */
  async isHealthy(chain: Chain): Promise<boolean> {
    const { chains } = this.#deps
    if (!chains.isServed(chain) || chains.gapOf(chain.config.id) !== null || !hasNode(chain)) return false
    const [tip, cursors] = await Promise.all([this.#tip(chain), this.#deps.cursors.read().catch(() => null)])
    if (tip === null || cursors === null || this.#deps.heads.isOld(chain, tip)) return false
    return this.#isWatched(chain, tip, cursors.get(chain.config.id))
  }

  /** Null when no endpoint tells. */
  #tip({ config, adapter }: Chain): Promise<BlockRef | null> {
    return this.#tips.get(String(config.id), () => adapter.tip().catch(() => null))
  }

  #isWatched({ config }: Chain, tip: BlockRef, cursor: WatcherCursor | undefined): boolean {
    if (cursor === undefined) return false
    const behind = tip.height - cursor.height
    if (behind <= 0n) return true
    const most = this.#deps.listing(config.id).laggingAfterBlocks ?? DEFAULT_LAG_BLOCKS
    return behind <= BigInt(most) && cursor.ageSeconds <= STUCK_SECONDS
  }
}

/** Whether enough endpoints are left that can be believed; an adapter that does not tell has its head to show it. */
const hasNode = (chain: Chain): boolean => {
  if (!hasQuorum(chain)) return false
  const endpoints = chain.adapter.endpoints?.()
  return endpoints === undefined || endpoints.some(({ state }) => state === 'ok' || state === 'lagging')
}
