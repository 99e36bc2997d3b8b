import { BoundedCache, systemClock } from '@causeway/core'
import { boundRate, type FeeBounds, type FeeRate } from '../coins/feeRate.js'
import type { SourcePool } from '../source/sourcePool.js'

/** For how long a rate is good: fees move with blocks. */
export const RATE_MS = 30_000

export interface FeeSourceDeps {
  readonly pool: SourcePool
  readonly bounds: FeeBounds
  /** Blocks within which a transaction should be in one. */
  readonly target: number
}

/** The rate that transactions offer now, within the operator's bounds. Asked rarely, shared by all who wait. */
export class FeeSource {
  readonly #deps: FeeSourceDeps
  readonly #rates = new BoundedCache<FeeRate>({ clock: systemClock, maxEntries: 1, lifeOf: () => RATE_MS })

  constructor(deps: FeeSourceDeps) {
    this.#deps = deps
  }

  /** A node that saw too few blocks to tell leaves the floor. @throws ServiceError when no node answers */
  rate(): Promise<FeeRate> {
    const { pool, bounds, target } = this.#deps
    return this.#rates.get('rate', async () => {
      const rate = await pool.ask((source) => source.feeRate(target))
      return boundRate(rate ?? bounds.floor, bounds)
    })
  }
}
