import type { AccountSumsAt } from '../../chain/address/keptSums.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import { larger, smaller } from '../../money/compare.js'
import { type AskedProviders, askProviders } from '../quorum/askProviders.js'
import { NodeSums, type SumsDeps, type SumsView } from './nodeSums.js'

/** How often the history is read anew where providers tell it otherwise. */
const ANEW_MS = 600_000
/** How often sums are kept: a start reads as much as came since. */
const KEEP_MS = 60_000

export interface AccountSumsDeps<Node extends object, Transaction> extends SumsDeps<Node, Transaction> {
  readonly pool: AskedProviders<Node>
  /** Sums of the account between starts; absent: each start reads the whole history. */
  readonly kept?: {
    load(): Promise<AccountSumsAt | null>
    save(changed: AccountSumsAt, after: bigint | null): Promise<boolean>
  }
  readonly logger: ChainDeps['logger']
}

/**
 * What lies in the parts of one account that many deposit addresses share (tags, memos): the chain itself knows only the whole. Each
 * provider's history is summed up for itself, and the least of them counts: a node that invents a payment, or hides what left, would
 * otherwise have the money of others swept (faults.md F107). What all show alike is kept, and the next start goes on from there.
 */
export class AccountSums<Node extends object, Transaction> {
  readonly #deps: AccountSumsDeps<Node, Transaction>
  #nodes = new Map<Node, NodeSums<Node, Transaction>>()
  #anewAt = Number.NEGATIVE_INFINITY
  #keepAt = Number.NEGATIVE_INFINITY
  #kept: Promise<AccountSumsAt | null> | null = null

  constructor(deps: AccountSumsDeps<Node, Transaction>) {
    this.#deps = deps
  }

  /**
   * As the trusted providers tell it at `least` or above: two at least, where two are configured. No node tells of less than was read in
   * this process before.
   * @throws ServiceError when too few answer that have come so far and have the history
   */
  async read(least = 0n): Promise<SumsView> {
    this.#kept ??= this.#load()
    const kept = await this.#kept
    const known = [...this.#nodes.values()].reduce((height, { moved }) => larger(height, moved), least)
    const views = await askProviders(this.#deps.pool, (node) => this.#of(node, kept).read(known))
    await this.#keep(views)
    return {
      height: views.map(({ height }) => height).reduce(smaller),
      time: views.map(({ time }) => time).reduce(smaller),
      sumOf: (part, currency) => this.#least(views, part, currency),
      totalOf: (currency) => views.map((view) => view.totalOf(currency)).reduce(larger),
    }
  }

  async #load(): Promise<AccountSumsAt | null> {
    try {
      return (await this.#deps.kept?.load()) ?? null
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'Kept sums of deposit addresses could not be read; the history is read')
      return null
    }
  }

  /** Sums that all providers show alike, now and then; what cannot be kept is read at the next start. */
  async #keep(views: readonly NodeSums<Node, Transaction>[]): Promise<void> {
    const { kept, logger } = this.#deps
    const [first, ...others] = views
    if (kept === undefined || first === undefined || performance.now() < this.#keepAt) return
    if (others.some((other) => !other.isLike(first))) return
    this.#keepAt = performance.now() + KEEP_MS
    const { changed, after } = first.changes()
    try {
      if (!(await kept.save(changed, after))) return
      for (const view of views) view.wasKept(changed.height)
    } catch (error) {
      logger.warn({ err: error }, 'Sums of deposit addresses could not be kept')
    }
  }

  #of(node: Node, kept: AccountSumsAt | null): NodeSums<Node, Transaction> {
    const found = this.#nodes.get(node) ?? new NodeSums(node, this.#deps, kept)
    this.#nodes.set(node, found)
    return found
  }

  #least(views: readonly SumsView[], part: string, currency: string): bigint {
    const sums = views.map((view) => ({ height: view.height, sum: view.sumOf(part, currency) }))
    const [first] = sums
    if (first === undefined) return 0n
    if (sums.some(({ height, sum }) => height === first.height && sum !== first.sum)) this.#readAnew()
    return sums.reduce((least, { sum }) => smaller(least, sum), first.sum)
  }

  #readAnew(): void {
    const now = performance.now()
    if (now - this.#anewAt < ANEW_MS) return
    this.#anewAt = now
    this.#nodes = new Map()
    this.#deps.logger.warn('Providers tell the history of the account of deposit addresses otherwise; it is read anew')
  }
}
