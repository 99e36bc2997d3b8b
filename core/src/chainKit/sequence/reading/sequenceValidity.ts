import type { LaneValidity } from '../../../chain/laneAdapter.js'
import { larger } from '../../../money/compare.js'
import { type AskedProviders, askProviders, leastAnswers } from '../../quorum/askProviders.js'
import { pointsOf } from '../numbers/accountNumbers.js'
import type { LaneMoment } from '../sequenceChain.js'

export interface SequenceValidityDeps<Node> {
  readonly pool: AskedProviders<Node>
  readonly moment: (node: Node) => Promise<LaneMoment>
  /** The longest that a payment was ever given to land, in the unit of `until`. */
  readonly longestLifetime: bigint
  /** The newest point as heads are followed. */
  readonly known: () => Promise<bigint>
  /** How far ahead of it a node is believed (faults.md F131). Default: a lifetime. */
  readonly ahead?: bigint
}

/**
 * For a chain where nothing shows a payment before it lands: until when something may land that a failed database forgot (faults.md
 * F121). Counted in the unit that payments expire by.
 */
export class SequenceValidity<Node> implements LaneValidity {
  readonly #deps: SequenceValidityDeps<Node>

  constructor(deps: SequenceValidityDeps<Node>) {
    this.#deps = deps
  }

  async until(): Promise<bigint> {
    const { known, longestLifetime, ahead = longestLifetime } = this.#deps
    const [points, believed] = await Promise.all([this.#points('newest'), known()])
    return points.filter((point) => point <= believed + ahead).reduce(larger, believed) + longestLifetime
  }

  async isOver(until: bigint): Promise<boolean> {
    const beyond = (await this.#points('final')).filter((point) => point > until)
    return beyond.length >= leastAnswers(this.#deps.pool)
  }

  #points(which: 'newest' | 'final'): Promise<readonly bigint[]> {
    return askProviders(this.#deps.pool, async (node) => pointsOf(await this.#deps.moment(node))[which])
  }
}
