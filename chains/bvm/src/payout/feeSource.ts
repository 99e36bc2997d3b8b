import { BoundedCache, type Clock, ServiceError } from '@causeway/core'
import { askInOrder, type OrderedNodes } from '@causeway/core/chain-kit'
import type { SourceEndpoint } from '../rpc/sourcePool.js'
import { boundRate, type FeeBounds, type FeeRate } from './coins/feeRate.js'

/** For how long a rate is good: fees move with blocks. */
export const RATE_MS = 30_000
/** For how long the last rate is used while no node estimates one. */
export const LAST_RATE_MS = 6 * 3_600_000

export interface FeeSourceDeps {
  readonly pool: OrderedNodes<Pick<SourceEndpoint, 'ask'>>
  readonly bounds: FeeBounds
  /** Blocks within which a transaction should be in one. */
  readonly target: number
  /** Whether nothing is paid at the floor for want of an estimate: on the main network. */
  readonly needsEstimate: boolean
  readonly clock: Clock
}

/** The rate that transactions offer now, within the operator's bounds. Asked rarely, shared by all who wait. */
export class FeeSource {
  readonly #deps: FeeSourceDeps
  readonly #rates: BoundedCache<FeeRate>
  #last: { readonly rate: FeeRate; readonly at: number } | null = null

  constructor(deps: FeeSourceDeps) {
    this.#deps = deps
    this.#rates = new BoundedCache({ clock: deps.clock, maxEntries: 1, lifeOf: () => RATE_MS })
  }

  /**
   * The estimate of the first node that has one, else the last rate, else the floor, but not on the main network.
   * @throws ServiceError when no node answers, or none estimates
   */
  rate(): Promise<FeeRate> {
    return this.#rates.get('rate', async () => boundRate(await this.#estimate(), this.#deps.bounds))
  }

  async #estimate(): Promise<FeeRate> {
    const { pool, target, bounds, needsEstimate, clock } = this.#deps
    const now = clock.now()
    let untold = false
    try {
      const rate = await askInOrder(pool, async (node) => {
        const told = await node.ask((source) => source.feeRate(target))
        untold ||= told === null
        return told ?? noEstimate()
      })
      this.#last = { rate, at: now }
      return rate
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      if (this.#last !== null && Math.abs(now - this.#last.at) < LAST_RATE_MS) return this.#last.rate
      if (untold && !needsEstimate) return bounds.floor
      throw error
    }
  }
}

const noEstimate = (): never => {
  throw new ServiceError('SERVICE_UNAVAILABLE', 'No node of this chain estimates network fees now. Try again later.')
}
