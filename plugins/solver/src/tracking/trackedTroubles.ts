import { clearTrouble, type FailedStep, putOffPayout, type StoredPayout, troubleOf } from '@causeway/core/money-path'
import { backoffMs, type LaneContext } from '../laneContext.js'
import { endsTheLane } from '../running/endsTheLane.js'
import type { LaneTroubles } from '../running/laneTroubles.js'

/** What was sent is looked at again this soon, however often that failed. */
const LOOK_AGAIN_MS = 5_000

export interface TrackedTroublesDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
}

/** Keeps a failure with the payout that it concerns: that one is told and looked at again later, the others go on. */
export class TrackedTroubles {
  readonly #lane: LaneContext
  readonly #troubles: LaneTroubles

  constructor({ lane, troubles }: TrackedTroublesDeps) {
    this.#lane = lane
    this.#troubles = troubles
  }

  /** Work on one payout. @throws what ends the lane */
  async attempt(step: FailedStep, payout: StoredPayout, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#troubles.over(payout.id)
      if (payout.troubleSince !== null) await clearTrouble(this.#lane.pool, payout.id)
    } catch (error) {
      if (endsTheLane(error)) throw error
      await this.note(step, payout, error)
    }
  }

  async note(step: FailedStep, { id, requestId, attempts }: StoredPayout, error: unknown): Promise<void> {
    const { pool, clock } = this.#lane
    this.#troubles.note(step, id, { requestId, payout: id }, error)
    const now = clock.now()
    await putOffPayout(pool, id, {
      at: now + Math.min(backoffMs(attempts), LOOK_AGAIN_MS),
      now,
      trouble: troubleOf(error),
    })
  }
}
