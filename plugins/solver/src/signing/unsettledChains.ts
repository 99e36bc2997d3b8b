import { findUnsettledChains } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'
import { configuredLanes } from '../lanes/configuredLanes.js'

/**
 * Chains whose lanes are not read yet since the database failed over: a payment of the same transfer that was lost may still come to
 * light there (faults.md F121). Asked until there is none: a lease does not outlive the history of the data that it was taken in.
 */
export class UnsettledChains {
  readonly #lane: LaneContext
  #settled = false

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  async find(): Promise<readonly number[]> {
    if (this.#settled) return []
    const { pool, chains } = this.#lane
    const found = await findUnsettledChains(pool, configuredLanes(chains))
    this.#settled = found.length === 0
    return found
  }
}
