import { type NewPayout, parkExcess, recordFinal, type StoredPayout } from '@causeway/core/money-path'
import { type Lease, traceTime, withLease } from '@causeway/core/plugin'
import type { FillRefunds } from '../deciding/fillRefunds.js'
import type { LaneContext } from '../laneContext.js'
import { endsTheLane } from '../running/endsTheLane.js'
import { ItemTasks } from '../running/itemTasks.js'
import { passEach } from '../signing/passEach.js'
import type { GenerationResolver } from './generationResolver.js'
import type { TrackedTroubles } from './trackedTroubles.js'

/** Payouts looked into at once: those that hang must leave room for others, and nodes must not be flooded. */
const MOST_AT_ONCE = 64

/** A payout that is final, and what follows of it. */
interface Landed {
  readonly payout: StoredPayout
  readonly excess: NewPayout | null
}

export interface LandedPayoutsDeps {
  readonly lane: LaneContext
  readonly resolver: GenerationResolver
  readonly refunds: FillRefunds
  readonly troubles: TrackedTroubles
  /** Called when one is judged for which the last round did not wait. */
  readonly onLate: () => void
}

/** Payouts that lie deep enough to be final: once it is sure that they landed they are recorded so, with what a fill left over. */
export class LandedPayouts {
  readonly #lane: LaneContext
  readonly #resolver: GenerationResolver
  readonly #refunds: FillRefunds
  readonly #troubles: TrackedTroubles
  readonly #judging: ItemTasks<Landed | null>

  constructor({ lane, resolver, refunds, troubles, onLate }: LandedPayoutsDeps) {
    this.#lane = lane
    this.#resolver = resolver
    this.#refunds = refunds
    this.#troubles = troubles
    this.#judging = new ItemTasks({ most: MOST_AT_ONCE, onLate })
  }

  isBusy(id: string): boolean {
    return this.#judging.isBusy(id)
  }

  /** Begins to judge one; false, and nothing begun, where no place became free in time. */
  judge(payout: StoredPayout): Promise<boolean> {
    return this.#judging.start(payout.id, () => this.#judge(payout))
  }

  /** What is to be recorded of a payout that is final; null while that is not sure. */
  async #judge(payout: StoredPayout): Promise<Landed | null> {
    let landed: Landed | null = null
    await this.#troubles.attempt('settle', payout, async () => {
      const [proven] = await this.#resolver.landed([payout])
      if (proven !== undefined) landed = { payout, excess: await this.#excess(payout) }
    })
    return landed
  }

  async #excess(payout: StoredPayout): Promise<NewPayout | null> {
    const amount = excessOf(payout)
    return amount === 0n ? null : this.#refunds.planExcess(payout, amount)
  }

  /** What was judged since the last time, in one commit; where the database refuses one of them, each in its own. */
  async record(lease: Lease): Promise<void> {
    const landed = (await this.#judging.take()).filter((item) => item !== null)
    if (landed.length === 0) return
    try {
      await this.#recordFinal(lease, landed)
    } catch (error) {
      if (endsTheLane(error)) throw error
      for (const item of landed)
        await this.#troubles.attempt('settle', item.payout, () => this.#recordFinal(lease, [item]))
    }
  }

  async #recordFinal(lease: Lease, landed: readonly Landed[]): Promise<void> {
    const { pool, clock, chain, observer } = this.#lane
    const startedAt = traceTime()
    const payouts = landed.map(({ payout }) => payout)
    const dust = landed.flatMap(({ payout, excess }) => (excess === null && excessOf(payout) > 0n ? [payout] : []))
    await passEach(payouts, 'final.before')
    await withLease(pool, lease, async (client) => {
      await recordFinal(
        client,
        payouts,
        landed.flatMap(({ excess }) => (excess === null ? [] : [excess])),
        clock.now(),
      )
      await parkExcess(client, dust, clock.now())
    })
    await passEach(payouts, 'final.after')
    observer.payouts('final', chain.config.id, payouts, startedAt)
  }
}

/** Part of the deposit that a fill did not need. */
const excessOf = ({ purpose, data }: StoredPayout): bigint => (purpose === 'fill' ? BigInt(data.excess ?? '0') : 0n)
