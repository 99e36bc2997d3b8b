import { type FailedStep, putOffPayout, type StoredPayout, troubleOf } from '@causeway/core/money-path'
import { backoffMs, type LaneContext } from '../laneContext.js'
import type { LaneTroubles } from '../running/laneTroubles.js'

export interface SetAsideDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
}

/** Payouts that wait, or are sent by themselves, so that nothing waits for them. */
export class SetAside {
  readonly #lane: LaneContext
  readonly #troubles: LaneTroubles
  /** Payouts that were in a batch which failed: sent alone until that works. */
  readonly #alone = new Set<string>()

  constructor({ lane, troubles }: SetAsideDeps) {
    this.#lane = lane
    this.#troubles = troubles
  }

  isAlone({ id }: StoredPayout): boolean {
    return this.#alone.has(id)
  }

  sendAlone(payouts: readonly StoredPayout[]): void {
    for (const { id } of payouts) this.#alone.add(id)
  }

  /** An exception for this one payout: it waits, the others go on. */
  inTrouble(step: FailedStep, payout: StoredPayout, error: unknown): Promise<null> {
    const { id, requestId } = payout
    this.#alone.add(id)
    this.#troubles.note(step, id, { requestId, payout: id }, error)
    return this.putOff(payout, troubleOf(error))
  }

  /** Looked at again later, by how often it was tried; null, as nothing of it is to be signed now. */
  async putOff(payout: StoredPayout, trouble: string | null): Promise<null> {
    const { pool, clock } = this.#lane
    const now = clock.now()
    await putOffPayout(pool, payout.id, { at: now + backoffMs(payout.attempts), now, trouble })
    return null
  }

  /** It was stored: nothing is wrong with it any more. */
  forget(id: string): void {
    this.#alone.delete(id)
    this.#troubles.over(id)
  }
}
