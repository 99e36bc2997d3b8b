import { witnessLanes } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'

/**
 * What is known of the payments of a chain's lanes: all since this lane opened, all as of just now, so that there may be more than
 * what was looked up before, or not enough.
 */
export type Testimony = 'known' | 'fresh' | 'unknown'

/**
 * What the lanes of the chains that deposits came from have paid, and other lanes of this very chain: keys that were its payout keys
 * before. A fill is neither decided nor signed before they were read once since this lane opened: an order may have been refunded
 * there, or filled here, in a time that an older database, put back, forgot (F120). Costs one reading for each such chain and opening,
 * and nothing after it.
 */
export class Witnesses {
  readonly #lane: LaneContext
  readonly #read = new Set<number>()
  readonly #reading = new Map<number, Promise<boolean>>()

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Of deposits of a chain. */
  async ask(chainId: number): Promise<Testimony> {
    const here = this.#lane.chain.config.id
    const answers = await Promise.all([...new Set([here, chainId])].map((id) => this.#ask(id)))
    return (['unknown', 'fresh'] as const).find((answer) => answers.includes(answer)) ?? 'known'
  }

  /** False until the lanes of this lane's own chain were read, which is to be tried again then. */
  get knowsOwnChain(): boolean {
    return this.#read.has(this.#lane.chain.config.id)
  }

  async #ask(chainId: number): Promise<Testimony> {
    if (this.#read.has(chainId)) return 'known'
    const reading = this.#reading.get(chainId) ?? this.#witness(chainId).finally(() => this.#reading.delete(chainId))
    this.#reading.set(chainId, reading)
    if (!(await reading)) return 'unknown'
    this.#read.add(chainId)
    return 'fresh'
  }

  async #witness(chainId: number): Promise<boolean> {
    const { chains, log, address } = this.#lane
    const chain = chains.find(chainId)
    if (chain === undefined) return true
    // This lane itself was read to be opened.
    const except = chainId === this.#lane.chain.config.id ? address : null
    try {
      const gap = await witnessLanes(this.#lane, chain, except)
      if (gap !== null) log.warn({ chainId, gap }, 'Fills of its deposits wait: what was paid there is not known')
      return gap === null
    } catch (error) {
      log.warn({ chainId, err: error }, 'Fills of its deposits wait: what was paid there cannot be read')
      return false
    }
  }
}
