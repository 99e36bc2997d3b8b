import type { AttemptState, BlockRef } from '@causeway/core/chain'
import {
  arrivalOf,
  type CancelReason,
  clearTrouble,
  type FailedStep,
  findOpenPayouts,
  latestAttempt,
  type NewPayout,
  newLocators,
  parkExcess,
  putOffPayout,
  recordFinal,
  recordIncluded,
  recordLocators,
  recordPayoutReorg,
  recordSpent,
  rememberWhy,
  type Sighting,
  type StoredAttempt,
  type StoredPayout,
  toChainPayout,
  toSentAttempt,
  troubleOf,
  withLocators,
} from '@causeway/core/money-path'
import { type Lease, traceTime, withLease } from '@causeway/core/plugin'
import type { FillRefunds } from './fillRefunds.js'
import type { GenerationResolver } from './generationResolver.js'
import { endsTheLane, ItemTasks } from './itemTasks.js'
import { backoffMs, type LaneContext, laneKey } from './laneContext.js'
import type { LaneTroubles } from './laneTroubles.js'
import { passEach } from './passEach.js'
import type { Sender } from './sender.js'
import { SharedTransactions } from './sharedTransactions.js'
import { signCancel } from './signCancel.js'
import { trySign } from './trySign.js'

const LIMIT = 512
/** An included payout is looked at again after this, or at settlement depth. */
const SETTLE_POLL_MS = 500

/** Payouts looked into at once: those that hang must leave room for others, and nodes must not be flooded. */
const MOST_AT_ONCE = 64

/** What was sent is looked at again this soon, however often that failed. */
const LOOK_AGAIN_MS = 5_000

/** The task that looks at a payout by itself; the one that follows it up goes by its id. */
const aloneKey = (id: string): string => `${id} alone`

/** A payout that is final, and what follows of it. */
interface Landed {
  readonly payout: StoredPayout
  readonly excess: NewPayout | null
}

/** What the chain shows of one payout's live generation. */
interface Look {
  readonly payout: StoredPayout
  readonly seen: readonly { readonly attempt: StoredAttempt; readonly state: AttemptState }[]
}

/** Those of a batch and how they are to be looked at: together, or one by one where that went wrong. */
type Step = (payouts: readonly StoredPayout[]) => Promise<void>

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
  readonly #resolver: GenerationResolver
  readonly #refunds: FillRefunds
  readonly #troubles: LaneTroubles
  readonly #shared: SharedTransactions
  readonly #following: ItemTasks<void>
  readonly #landing: ItemTasks<Landed | null>
  /** Payouts that were in a batch which failed: looked at alone until that works. */
  readonly #alone = new Set<string>()

  constructor({ lane, sender, resolver, refunds, troubles, onLate }: TrackerDeps) {
    this.#lane = lane
    this.#sender = sender
    this.#resolver = resolver
    this.#refunds = refunds
    this.#troubles = troubles
    this.#shared = new SharedTransactions(lane)
    this.#following = new ItemTasks({ most: MOST_AT_ONCE, onLate })
    this.#landing = new ItemTasks({ most: MOST_AT_ONCE, onLate })
  }

  /** One look at everything that was sent. `all`, after a suspected reorg, looks at every included payout as well. */
  async track(lease: Lease, tip: BlockRef, all: boolean): Promise<void> {
    const { inFlight } = this.#sender
    const { pool, clock } = this.#lane
    const sending = new Set(inFlight)
    const find = (state: 'signed' | 'included') =>
      findOpenPayouts(pool, laneKey(this.#lane), [state], LIMIT, clock.now())
    const [signed, included] = await Promise.all([find('signed'), find('included')])
    const sent = signed.filter(({ id }) => !sending.has(id) && !inFlight.has(id) && !this.#isBusy(id))
    await this.#step('follow', sent, (payouts) => this.#trackSigned(lease, payouts, tip))
    const due = this.#settled(
      included.filter(({ id }) => !this.#isBusy(id)),
      tip,
      all,
    )
    await this.#step('settle', due, (payouts) => this.#settle(lease, payouts))
    await this.#following.take()
    await this.#recordLanded(lease)
  }

  #isBusy(id: string): boolean {
    return [id, aloneKey(id)].some((key) => this.#following.isBusy(key)) || this.#landing.isBusy(id)
  }

  /** Together in one batch. Where that fails, each is looked at alone from now on, beside the others. */
  async #step(step: FailedStep, payouts: readonly StoredPayout[], look: Step): Promise<void> {
    const together = payouts.filter(({ id }) => !this.#alone.has(id))
    try {
      if (together.length > 0) await look(together)
    } catch (error) {
      if (endsTheLane(error)) throw error
      for (const { id } of together) this.#alone.add(id)
      if (together.length === 1 && together[0] !== undefined) await this.#inTrouble(step, together[0], error)
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
      await this.#inTrouble(step, payout, error)
    }
  }

  /** A failure concerns this payout alone: it is told, and looked at again later. */
  async #attempt(step: FailedStep, payout: StoredPayout, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#troubles.over(payout.id)
      if (payout.troubleSince !== null) await clearTrouble(this.#lane.pool, payout.id)
    } catch (error) {
      if (endsTheLane(error)) throw error
      await this.#inTrouble(step, payout, error)
    }
  }

  async #inTrouble(step: FailedStep, { id, requestId, attempts }: StoredPayout, error: unknown): Promise<void> {
    const { pool, clock } = this.#lane
    this.#troubles.note(step, id, { requestId, payout: id }, error)
    const now = clock.now()
    await putOffPayout(pool, id, {
      at: now + Math.min(backoffMs(attempts), LOOK_AGAIN_MS),
      now,
      trouble: troubleOf(error),
    })
  }

  /** Sends again what was never sent, records what the chain shows. */
  async #trackSigned(lease: Lease, payouts: readonly StoredPayout[], tip: BlockRef): Promise<void> {
    await this.#sender.resend(lease, await this.#grounded(payouts.filter(({ action }) => action === 'broadcast')))
    const looks = await this.#look(payouts.filter(({ live }) => live.length > 0))
    await this.#recordIncluded(lease, looks)
    const waiting = looks.filter((look) => paymentOf(look) === undefined)
    // Proofs of death come last, since they may take long.
    for (const look of [...waiting.filter((item) => !needsProof(item)), ...waiting.filter(needsProof)]) {
      const { payout } = look
      const begun = await this.#following.start(payout.id, () =>
        this.#attempt('follow', payout, () => this.#followUp(lease, look, tip)),
      )
      if (!begun) return
    }
  }

  /** Those whose transaction pays nobody for a deposit that has left. */
  async #grounded(payouts: readonly StoredPayout[]): Promise<readonly StoredPayout[]> {
    const groundless = (await this.#shared.of(payouts)).filter(isGroundless)
    const txIds = new Set(groundless.map((payout) => latestAttempt(payout)?.txId))
    return payouts.filter((payout) => !txIds.has(latestAttempt(payout)?.txId))
  }

  /** Included payouts that lie deep enough to be final; all of them when blocks may have been replaced. */
  #settled(included: readonly StoredPayout[], tip: BlockRef, all: boolean): readonly StoredPayout[] {
    const depth = BigInt(this.#lane.chain.config.confirmations.settle)
    return included.filter(({ includedHeight }) => all || tip.height - (includedHeight ?? 0n) + 1n > depth)
  }

  /** Included payouts: final at depth, sent again when their block is gone. */
  async #settle(lease: Lease, due: readonly StoredPayout[]): Promise<void> {
    const { settle } = this.#lane.chain.config.confirmations
    for (const look of await this.#look(due)) {
      const { payout } = look
      const attempt = payout.live.find(({ state }) => state === 'included' || state === 'reverted')
      const paid = paymentOf(look)
      if (paid === undefined || paid.state.block?.hash !== attempt?.blockHash) {
        if (attempt !== undefined) await this.#reorged(lease, payout, attempt)
      } else if (paid.state.confirmations > settle) {
        if (!(await this.#landing.start(payout.id, () => this.#land(payout)))) return
      }
    }
  }

  /** What is to be recorded of a payout that is final; null while that is not sure. */
  async #land(payout: StoredPayout): Promise<Landed | null> {
    let landed: Landed | null = null
    await this.#attempt('settle', payout, async () => {
      const [proven] = await this.#resolver.landed([payout])
      if (proven !== undefined) landed = { payout, excess: await this.#excess(payout) }
    })
    return landed
  }

  /** In one commit; where the database refuses one of them, each in its own. */
  async #recordLanded(lease: Lease): Promise<void> {
    const landed = (await this.#landing.take()).filter((item) => item !== null)
    if (landed.length === 0) return
    try {
      await this.#recordFinal(lease, landed)
    } catch (error) {
      if (endsTheLane(error)) throw error
      for (const item of landed) await this.#attempt('settle', item.payout, () => this.#recordFinal(lease, [item]))
    }
  }

  async #look(payouts: readonly StoredPayout[]): Promise<Look[]> {
    const flat = payouts.flatMap((payout) => payout.live.map((attempt) => ({ payout, attempt })))
    const { adapter, config } = this.#lane.chain
    const states = await adapter.lane.states(flat.map(({ payout, attempt }) => toSentAttempt(payout, attempt)))
    const shown = flat.flatMap(({ payout, attempt }, at) => {
      const state = states[at]
      return state === undefined ? [] : [{ payout, attempt, state }]
    })
    const locators = newLocators(shown)
    await recordLocators(this.#lane.pool, config.id, locators)
    // What a transaction brought differs by whom it was to pay.
    const key = ({ id }: StoredPayout, { txId }: StoredAttempt): string => `${id} ${txId}`
    const stateOf = new Map(shown.map(({ payout, attempt, state }) => [key(payout, attempt), state]))
    return payouts.map((found) => {
      const payout = locators.size === 0 ? found : withLocators(found, locators)
      const seen = payout.live.flatMap((attempt) => {
        const state = stateOf.get(key(payout, attempt))
        return state === undefined ? [] : [{ attempt, state }]
      })
      return { payout, seen }
    })
  }

  async #recordIncluded(lease: Lease, looks: readonly Look[]): Promise<void> {
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
    observer.payouts('included', chain.config.id, payouts, startedAt)
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

  async #excess(payout: StoredPayout): Promise<NewPayout | null> {
    const amount = excessOf(payout)
    return amount === 0n ? null : this.#refunds.planExcess(payout, amount)
  }

  async #reorged(lease: Lease, payout: StoredPayout, attempt: StoredAttempt): Promise<void> {
    const { pool, clock, chain, log, observer } = this.#lane
    log.warn(
      { payout: payout.id, chainId: payout.chainId },
      'A transaction of a payment left the chain and is sent again',
    )
    await withLease(pool, lease, async (client) => {
      await recordPayoutReorg(client, payout, attempt, chain.adapter.native.address, clock.now())
    })
    observer.payouts('reorged', chain.config.id, [payout], traceTime())
  }

  /** Nothing of it paid so far: a spent guard, a refused or slow transaction, or just patience. */
  async #followUp(lease: Lease, look: Look, tip: BlockRef): Promise<void> {
    const { payout } = look
    const spent = spentBy(look)
    const known = spent === undefined || spent.state.block?.hash === spent.attempt.blockHash
    if (payout.action === 'prove-dead' && known) return this.#prove(lease, look, tip)
    if (spent !== undefined) return this.#spent(lease, { payout, ...spent })
    const last = latestAttempt(payout)
    if (last === undefined || (last.broadcastAt === null && !isGroundless(payout))) return
    await this.#impatient(lease, payout, last, look, tip)
  }

  /** What spent the guard may have left the chain itself: where that is long settled, the payment goes on. */
  async #prove(lease: Lease, { payout, seen }: Look, tip: BlockRef): Promise<void> {
    const left = seen.filter(
      ({ attempt, state }) =>
        (attempt.state === 'reverted' || (attempt.kind === 'cancel' && attempt.state === 'included')) &&
        (state.status === 'missing' || state.status === 'pending'),
    )
    const attempts = left.map(({ attempt }) => attempt)
    const verdict = await this.#resolver.prove(lease, payout, tip, attempts)
    if (verdict !== 'alive') return
    const depth = BigInt(this.#lane.chain.config.confirmations.settle)
    const long = attempts.find(({ blockHeight }) => tip.height - (blockHeight ?? tip.height) > depth)
    if (long !== undefined) await this.#reorged(lease, payout, long)
  }

  async #spent(lease: Lease, sighting: Sighting): Promise<void> {
    const { pool, clock, chain, log } = this.#lane
    const { payout, attempt, state } = sighting
    if (attempt.kind === 'pay' && state.status === 'success')
      log.warn({ payout: payout.id, txId: attempt.txId }, 'A transaction of a payment succeeded and nothing arrived')
    const now = clock.now()
    await withLease(pool, lease, async (client) => {
      await recordSpent(client, sighting, chain.adapter.native.address, { now, proveAt: now + SETTLE_POLL_MS })
    })
  }

  async #impatient(lease: Lease, payout: StoredPayout, last: StoredAttempt, look: Look, tip: BlockRef): Promise<void> {
    const { clock, chain } = this.#lane
    // Some chains make a block in seconds, some in many minutes.
    const options = { ...this.#lane.options, ...chain.adapter.lane.pace }
    const waited = clock.now() - (last.broadcastAt ?? 0)
    const since = clock.now() - (payout.firstBroadcastAt ?? clock.now())
    const missing = look.seen.every(({ state }) => state.status === 'missing')
    if (missing && waited > options.tickMs && (await this.#resolver.proveIfSpent(lease, payout, tip))) return
    if (last.carried && !isGroundless(payout)) {
      // It is raised and cancelled with the payout that has its bytes; what is given up with that one is given up itself.
      const givenUp = last.kind === 'cancel' && since > options.inclusionWindowMs && payout.data.cancelled === undefined
      if (givenUp) await rememberWhy(this.#lane.pool, payout.id, 'TRANSACTION_NOT_INCLUDED')
    } else if (last.kind === 'cancel') {
      // As often as a payment: a cancellation that is too cheap would hold its guard for ever.
      const raised = payout.live.filter(({ kind }) => kind === 'cancel').length
      if (waited > options.bumpAfterMs && raised < options.maxVersions) await this.#bump(lease, payout, last, tip)
      else if (waited > options.bumpAfterMs) await this.#resend(lease, payout)
    } else if (isGroundless(payout)) {
      await this.#cancel(lease, payout, last, 'DEPOSIT_REORGED', tip)
    } else if (since > options.inclusionWindowMs) {
      const why = last.state === 'rejected' ? 'TRANSACTION_SUBMISSION_FAILED' : 'TRANSACTION_NOT_INCLUDED'
      await this.#cancel(lease, payout, last, why, tip)
    } else if (waited > options.bumpAfterMs && last.version < options.maxVersions) {
      await this.#bump(lease, payout, last, tip)
    } else if (missing && waited > options.tickMs * 4) {
      await this.#resend(lease, payout)
    }
  }

  async #resend(lease: Lease, payout: StoredPayout): Promise<void> {
    await this.#sender.resend(lease, await this.#grounded([payout]))
  }

  async #cancel(
    lease: Lease,
    payout: StoredPayout,
    last: StoredAttempt,
    why: CancelReason,
    tip: BlockRef,
  ): Promise<void> {
    const signed = await signCancel(this.#lane, payout, last, why)
    if (signed !== null) await this.#sender.sendVersion(lease, payout, signed, tip)
  }

  async #bump(lease: Lease, payout: StoredPayout, last: StoredAttempt, tip: BlockRef): Promise<void> {
    const { adapter } = this.#lane.chain
    if (last.raw === '0x') return
    // Not at a higher price for a deposit that left the chain: what is out may land.
    if (last.kind === 'pay' && !payout.deposit.onChain) return this.#resend(lease, payout)
    if ((await this.#grounded([payout])).length === 0) return
    const prepared = await adapter.lane.replace(last, { version: last.version + 1 })
    if (prepared === null) return this.#resend(lease, payout)
    const signed = await trySign(this.#lane, prepared)
    if (signed !== null) await this.#sender.sendVersion(lease, payout, signed, tip)
  }
}

/** Part of the deposit that a fill did not need. */
const excessOf = ({ purpose, data }: StoredPayout): bigint => (purpose === 'fill' ? BigInt(data.excess ?? '0') : 0n)

/**
 * Signed for a deposit that has left its chain since, and to be cancelled as long as it can be. What was in a block once is known
 * everywhere, and its request is `success`: it is left to land again.
 */
const isGroundless = (payout: StoredPayout): boolean =>
  !payout.deposit.onChain && payout.inclusions === 0 && latestAttempt(payout)?.kind === 'pay'

/** No node shows anything of it, or its guard is spent otherwise. */
const needsProof = ({ payout, seen }: Look): boolean =>
  payout.action === 'prove-dead' || seen.every(({ state }) => state.status === 'missing')

/** The payment that the chain shows; one that moved nothing is none (faults.md F123). */
const paymentOf = ({ payout, seen }: Look): Look['seen'][number] | undefined =>
  seen.find(({ attempt, state }) => attempt.kind === 'pay' && isPaid(payout, state))

/** What spent the guard without paying. */
const spentBy = ({ payout, seen }: Look): Look['seen'][number] | undefined =>
  seen.find(
    ({ attempt, state }) =>
      state.status === 'reverted' ||
      (state.status === 'success' && (attempt.kind === 'cancel' || !isPaid(payout, state))),
  )

const isPaid = (payout: StoredPayout, state: AttemptState): boolean =>
  state.status === 'success' && arrivalOf(toChainPayout(payout), state) !== 'nothing'
