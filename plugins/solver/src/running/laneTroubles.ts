import { type Hex, RecentMap, ServiceError } from '@causeway/core'
import { type FailedStep, troubleOf } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'

/** Remembered troubles; the oldest are forgotten first. */
const REMEMBERED = 1_000

/** Tells of failures of single items: each is counted, and logged once for as long as it is the same. */
export class LaneTroubles {
  readonly #lane: LaneContext
  readonly #told = new RecentMap<string, string>(REMEMBERED)

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** `id` names the item among all of the lane, `item` says to the reader of the log what it is. */
  note(
    step: FailedStep,
    id: string,
    item: { readonly requestId: Hex | null; readonly payout?: string; readonly deposit?: string },
    error: unknown,
  ): void {
    const { observer, chain, log } = this.#lane
    observer.failed(step, chain.config.id)
    const words = troubleOf(error)
    if (this.#told.get(id) === words) return
    this.#told.set(id, words)
    const facts = { chainId: chain.config.id, step, ...item, err: error }
    const text = 'One request of the lane is put off; the others go on'
    if (ServiceError.is(error)) log.warn(facts, text)
    else log.error(facts, text)
  }

  /** The item is well: its next failure is told again. */
  over(id: string): void {
    this.#told.delete(id)
  }
}
