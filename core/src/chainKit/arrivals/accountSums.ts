import type { ChainDeps } from '../../chain/chainPackage.js'
import { larger, smaller } from '../../money/compare.js'
import { type AskedProviders, askProviders } from '../quorum/askProviders.js'
import { NodeSums, type SumsDeps, type SumsView } from './nodeSums.js'

/** How often the history is read anew where providers tell it otherwise. */
const ANEW_MS = 600_000

export interface AccountSumsDeps<Node extends object, Transaction> extends SumsDeps<Node, Transaction> {
  readonly pool: AskedProviders<Node>
  readonly logger: ChainDeps['logger']
}

/**
 * What lies in the parts of one account that many deposit addresses share (tags, memos): the chain itself knows only the whole. Each
 * provider's history is summed up for itself, and the least of them counts: a node that invents a payment, or hides what left, would
 * otherwise have the money of others swept (faults.md F107).
 */
export class AccountSums<Node extends object, Transaction> {
  readonly #deps: AccountSumsDeps<Node, Transaction>
  #nodes = new Map<Node, NodeSums<Node, Transaction>>()
  #anewAt = Number.NEGATIVE_INFINITY

  constructor(deps: AccountSumsDeps<Node, Transaction>) {
    this.#deps = deps
  }

  /**
   * As the trusted providers tell it at `least` or above: two at least, where two are configured. No node tells of less than was read in
   * this process before.
   * @throws ServiceError when too few answer that have come so far and have the history
   */
  async read(least = 0n): Promise<SumsView> {
    const known = [...this.#nodes.values()].reduce((height, { moved }) => larger(height, moved), least)
    const views = await askProviders(this.#deps.pool, (node) => this.#of(node).read(known))
    return {
      height: views.map(({ height }) => height).reduce(smaller),
      sumOf: (part, currency) => this.#least(views, part, currency),
      totalOf: (currency) => views.map((view) => view.totalOf(currency)).reduce(larger),
    }
  }

  #of(node: Node): NodeSums<Node, Transaction> {
    const found = this.#nodes.get(node) ?? new NodeSums(node, this.#deps)
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
