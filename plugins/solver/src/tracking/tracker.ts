import {
  type FailedStep,
  findOpenPayouts,
  hasSentPayouts,
  recordIncluded,
  type Sighting,
  type StoredPayout,
} from '@causeway/core/money-path'
import { type Lease, traceTime, withLease } from '@causeway/core/plugin'
import type { FillRefunds } from '../deciding/fillRefunds.js'
import { type LaneContext, laneKey } from '../laneContext.js'
import { endsTheLane } from '../running/endsTheLane.js'
import { ItemTasks } from '../running/itemTasks.js'
import type { LaneTroubles } from '../running/laneTroubles.js'
import { passEach } from '../signing/passEach.js'
import type { Sender } from '../signing/sender.js'
import { SharedTransactions } from '../signing/sharedTransactions.js'
import type { GenerationResolver } from './generationResolver.js'
import { LandedPayouts } from './landedPayouts.js'
import { lookAt, needsProof, type PayoutLook, paymentOf } from './payoutLook.js'
import { PendingPayouts } from './pendingPayouts.js'
import { recordReorged } from './recordReorged.js'
import { TrackedTroubles } from './trackedTroubles.js'

const LIMIT = 512
/** An included payout is looked at again after this, or at settlement depth. */
const SETTLE_POLL_MS = 500

/** Payouts followed up at once: those that hang must leave room for others, and nodes must not be flooded. */
const MOST_AT_ONCE = 64

/** The task that looks at a payout by itself; the one that follows it up goes by its id. */
const aloneKey = (id: string): string => `${id} alone`

/** Those of a batch and how they are to be looked at: together, or one by one where that went wrong. */
type Step = (payouts: readonly StoredPayout[]) => Promise<void>

interface OpenPayouts {
  readonly signed: readonly StoredPayout[]
  readonly included: readonly StoredPayout[]
}

const NOTHING_OPEN: OpenPayouts = { signed: [], included: [] }

export interface TrackerDeps {
  readonly lane: LaneContext
  readonly sender: Sender
  readonly resolver: GenerationResolver
  readonly refunds: FillRefunds
  readonly troubles: LaneTroubles
  /** Called when something has ended for which the last round did not wait. */
  readonly onLate: () => void
}

/** Follows what was sent: inclusion, settlement, reorgs, and what never lands. */
export class Tracker {
  readonly #lane: LaneContext
  readonly #sender: Sender
  readonly #pending: PendingPayouts
  readonly #landed: LandedPayouts
  readonly #troubles: TrackedTroubles
  readonly #shared: SharedTransactions
  readonly #following: ItemTasks<void>
  /** Payouts that were in a batch which failed: looked at alone until that works. */
  readonly #alone = new Set<string>()
  /** Until when the last look, that found nothing, holds while the sender has stored no more than then. */
  #idleUntil = 0
  #storedAtIdle = 0

  constructor({ lane, sender, resolver, refunds, troubles, onLate }: TrackerDeps) {
    this.#lane = lane
    this.#sender = sender
    this.#troubles = new TrackedTroubles({ lane, troubles })
    this.#pending = new PendingPayouts({ lane, sender, resolver })
    this.#landed = new LandedPayouts({ lane, resolver, refunds, troubles: this.#troubles, onLate })
    this.#shared = new SharedTransactions(lane)
    this.#following = new ItemTasks({ most: MOST_AT_ONCE, onLate })
  }

  /** One look at everything that was sent. `all`, after a suspected reorg, looks at every included payout as well. */
  async track(lease: Lease, height: bigint, all: boolean): Promise<void> {
    const { inFlight } = this.#sender
    const sending = new Set(inFlight)
    const { signed, included } = await this.#open(all)
    const sent = signed.filter(({ id }) => !sending.has(id) && !inFlight.has(id) && !this.#isBusy(id))
    await this.#step('follow', sent, (payouts) => this.#trackSigned(lease, payouts, height))
    const due = this.#settled(
      included.filter(({ id }) => !this.#isBusy(id)),
      height,
      all,
    )
    await this.#step('settle', due, (payouts) => this.#settle(lease, payouts, height))
    await this.#following.take()
    await this.#landed.record(lease)
  }

  /** What was sent and is not final. Where there was nothing, it is asked once a tick, and at once when something was stored. */
  async #open(all: boolean): Promise<OpenPayouts> {
    const { pool, clock, options } = this.#lane
    const { stored } = this.#sender
    if (!all && stored === this.#storedAtIdle && performance.now() < this.#idleUntil) return NOTHING_OPEN
    const lane = laneKey(this.#lane)
    const isIdle = !(await hasSentPayouts(pool, lane))
    this.#storedAtIdle = stored
    this.#idleUntil = isIdle ? performance.now() + options.tickMs : 0
    if (isIdle) return NOTHING_OPEN
    const find = (state: 'signed' | 'included') => findOpenPayouts(pool, lane, [state], LIMIT, clock.now())
    const [signed, included] = await Promise.all([find('signed'), find('included')])
    return { signed, included }
  }

  #isBusy(id: string): boolean {
    return [id, aloneKey(id)].some((key) => this.#following.isBusy(key)) || this.#landed.isBusy(id)
  }

  /** Together in one batch. Where that fails, each is looked at alone from now on, beside the others. */
  async #step(step: FailedStep, payouts: readonly StoredPayout[], look: Step): Promise<void> {
    const together = payouts.filter(({ id }) => !this.#alone.has(id))
    try {
      if (together.length > 0) await look(together)
    } catch (error) {
      if (endsTheLane(error)) throw error
      for (const { id } of together) this.#alone.add(id)
      if (together.length === 1 && together[0] !== undefined) await this.#troubles.note(step, together[0], error)
    }
    for (const payout of payouts) {
      if (together.includes(payout)) continue
      const begun = await this.#following.start(aloneKey(payout.id), () => this.#lookAlone(step, payout, look))
      if (!begun) return
    }
  }

  async #lookAlone(step: FailedStep, payout: StoredPayout, look: Step): Promise<void> {
    try {
      await look([payout])
      this.#alone.delete(payout.id)
    } catch (error) {
      if (endsTheLane(error)) throw error
      await this.#troubles.note(step, payout, error)
    }
  }

  /** Sends again what was never sent, records what the chain shows. */
  async #trackSigned(lease: Lease, payouts: readonly StoredPayout[], height: bigint): Promise<void> {
    const unsent = payouts.filter(({ action }) => action === 'broadcast')
    await this.#sender.resend(lease, await this.#shared.grounded(unsent))
    const looks = await lookAt(
      this.#lane,
      payouts.filter(({ live }) => live.length > 0),
    )
    await this.#recordIncluded(lease, looks)
    const waiting = looks.filter((look) => paymentOf(look) === undefined)
    // Proofs of death come last, since they may take long.
    for (const look of [...waiting.filter((item) => !needsProof(item)), ...waiting.filter(needsProof)]) {
      const { payout } = look
      const begun = await this.#following.start(payout.id, () =>
        this.#troubles.attempt('follow', payout, () => this.#pending.followUp(lease, look, height)),
      )
      if (!begun) return
    }
  }

  /** Included payouts that lie deep enough to be final; all of them when blocks may have been replaced. */
  #settled(included: readonly StoredPayout[], height: bigint, all: boolean): readonly StoredPayout[] {
    return included.filter(({ includedHeight }) => all || this.#isDeep(includedHeight ?? 0n, height))
  }

  #isDeep(block: bigint, height: bigint): boolean {
    return height - block + 1n > BigInt(this.#lane.chain.config.confirmations.settle)
  }

  /** Included payouts: final at depth, by the node that is asked and by `height`; sent again when their block is gone. */
  async #settle(lease: Lease, due: readonly StoredPayout[], height: bigint): Promise<void> {
    const { settle } = this.#lane.chain.config.confirmations
    for (const look of await lookAt(this.#lane, due)) {
      const { payout } = look
      const attempt = payout.live.find(({ state }) => state === 'included' || state === 'reverted')
      const paid = paymentOf(look)
      if (paid === undefined || paid.state.block?.hash !== attempt?.blockHash) {
        if (attempt !== undefined) await recordReorged(this.#lane, lease, payout, attempt)
      } else if (paid.state.confirmations > settle && this.#isDeep(paid.state.block?.height ?? height, height)) {
        if (!(await this.#landed.judge(payout))) return
      }
    }
  }

  async #recordIncluded(lease: Lease, looks: readonly PayoutLook[]): Promise<void> {
    const { pool, clock, chain, observer } = this.#lane
    const startedAt = traceTime()
    const needed = chain.config.confirmations.success
    const sightings = looks.flatMap((look): Sighting[] => {
      const paid = paymentOf(look)
      return paid === undefined || paid.state.confirmations < needed ? [] : [{ payout: look.payout, ...paid }]
    })
    if (sightings.length === 0) return
    const payouts = sightings.map(({ payout }) => payout)
    await passEach(payouts, 'included.before')
    await withLease(pool, lease, async (client) => {
      const now = clock.now()
      await recordIncluded(client, sightings, chain.adapter.native.address, { now, settleAt: now + SETTLE_POLL_MS })
    })
    await passEach(payouts, 'included.after')
    const txIds = sightings.map(({ attempt }) => attempt.txId)
    observer.payouts('included', chain.config.id, payouts, startedAt, txIds)
  }
}
