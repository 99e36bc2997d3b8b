import {
  type AttemptState,
  type BlockRef,
  findOpenPayouts,
  type Lease,
  latestAttempt,
  type NewPayout,
  parkExcessPosting,
  postLedger,
  recordFinal,
  recordIncluded,
  recordPayoutReorg,
  recordSpent,
  type Sighting,
  type StoredAttempt,
  type StoredPayout,
  toChainPayout,
  traceTime,
  withLease,
} from '@causeway/core'
import { type LaneContext, laneKey } from './laneContext.js'
import type { Mortician } from './mortician.js'
import { passEach, type Sender } from './sender.js'
import { trySign } from './trySign.js'

const LIMIT = 512
/** An included payout is looked at again after this, or at settlement depth. */
const SETTLE_POLL_MS = 500

/** What the chain shows of one payout's live generation. */
interface Look {
  readonly payout: StoredPayout
  readonly seen: readonly { readonly attempt: StoredAttempt; readonly state: AttemptState }[]
}

/** Follows what was sent: inclusion, settlement, reorgs, and what never lands. */
export class Tracker {
  readonly #lane: LaneContext
  readonly #sender: Sender
  readonly #mortician: Mortician

  constructor(lane: LaneContext, sender: Sender, mortician: Mortician) {
    this.#lane = lane
    this.#sender = sender
    this.#mortician = mortician
  }

  /** One look at everything that was sent. `all`, after a suspected reorg, looks at every included payout as well. */
  async track(lease: Lease, tip: BlockRef, all: boolean): Promise<void> {
    const { inFlight } = this.#sender
    const sending = new Set(inFlight)
    const find = (state: 'signed' | 'included') => findOpenPayouts(this.#lane.pool, laneKey(this.#lane), [state], LIMIT)
    const [signed, included] = await Promise.all([find('signed'), find('included')])
    const sent = signed.filter(({ id }) => !sending.has(id) && !inFlight.has(id))
    await this.#trackSigned(lease, sent, tip)
    await this.#settle(lease, included, tip, all)
  }

  /** Sends again what was never sent, records what the chain shows. */
  async #trackSigned(lease: Lease, payouts: readonly StoredPayout[], tip: BlockRef): Promise<void> {
    if (payouts.length === 0) return
    await this.#sender.resend(payouts.filter(({ action }) => action === 'broadcast'))
    const looks = await this.#look(payouts.filter(({ live }) => live.length > 0))
    await this.#recordIncluded(lease, looks)
    await this.#followEach(
      lease,
      looks.filter((look) => paymentOf(look) === undefined),
      tip,
    )
  }

  /** Proofs of death come last, since they may take long; what fails for one payout keeps no other back, and is thrown at the end. */
  async #followEach(lease: Lease, looks: readonly Look[], tip: BlockRef): Promise<void> {
    const failures: unknown[] = []
    for (const look of [...looks.filter((look) => !needsProof(look)), ...looks.filter(needsProof)]) {
      try {
        await this.#followUp(lease, look, tip)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Included payouts: final at depth, sent again when their block is gone. */
  async #settle(lease: Lease, included: readonly StoredPayout[], tip: BlockRef, all: boolean): Promise<void> {
    const depth = BigInt(this.#lane.chain.config.confirmations.settle)
    const due = included.filter(({ includedHeight }) => all || tip.height - (includedHeight ?? 0n) + 1n > depth)
    if (due.length === 0) return
    const looks = await this.#look(due)
    const final: StoredPayout[] = []
    for (const look of looks) {
      const attempt = look.payout.live.find(({ state }) => state === 'included' || state === 'reverted')
      const paid = paymentOf(look)
      if (paid === undefined || paid.state.block?.hash !== attempt?.blockHash) {
        if (attempt !== undefined) await this.#reorged(lease, look.payout, attempt)
      } else if (paid.state.confirmations > Number(depth)) final.push(look.payout)
    }
    const proven = await this.#mortician.landed(final)
    if (proven.length > 0) await this.#recordFinal(lease, proven)
  }

  async #look(payouts: readonly StoredPayout[]): Promise<Look[]> {
    const flat = payouts.flatMap((payout) => payout.live.map((attempt) => ({ payout, attempt })))
    const states = await this.#lane.chain.adapter.lane.states(
      flat.map(({ payout, attempt }) => ({ txId: attempt.txId, payout: toChainPayout(payout) })),
    )
    const seen = new Map<string, { attempt: StoredAttempt; state: AttemptState }[]>()
    flat.forEach(({ payout, attempt }, index) => {
      const state = states[index]
      if (state === undefined) return
      seen.set(payout.id, [...(seen.get(payout.id) ?? []), { attempt, state }])
    })
    return payouts.map((payout) => ({ payout, seen: seen.get(payout.id) ?? [] }))
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

  async #recordFinal(lease: Lease, payouts: readonly StoredPayout[]): Promise<void> {
    const { pool, clock, chain, observer } = this.#lane
    const startedAt = traceTime()
    const plans = await Promise.all(payouts.map(async (payout) => ({ payout, plan: await this.#excess(payout) })))
    const dust = plans.filter(({ payout, plan }) => plan === null && excessOf(payout) > 0n)
    await passEach(payouts, 'final.before')
    await withLease(pool, lease, async (client) => {
      await recordFinal(
        client,
        payouts,
        plans.flatMap(({ plan }) => (plan === null ? [] : [plan])),
        clock.now(),
      )
      await postLedger(
        client,
        dust.map(({ payout }) =>
          parkExcessPosting({
            ...payout.deposit,
            depositId: payout.deposit.id,
            payoutId: payout.id,
            amount: excessOf(payout),
          }),
        ),
        clock.now(),
      )
    })
    await passEach(payouts, 'final.after')
    observer.payouts('final', chain.config.id, payouts, startedAt)
  }

  async #excess(payout: StoredPayout): Promise<NewPayout | null> {
    const amount = excessOf(payout)
    return amount === 0n ? null : this.#mortician.planExcess(payout, amount)
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
    if (payout.action === 'prove-dead') return this.#prove(lease, look, tip)
    const spent = look.seen.find(
      ({ attempt, state }) => state.status === 'reverted' || (attempt.kind === 'cancel' && state.status === 'success'),
    )
    if (spent !== undefined) return this.#spent(lease, { payout, ...spent })
    const last = latestAttempt(payout)
    if (last === undefined || last.broadcastAt === null) return
    await this.#impatient(lease, payout, last, look, tip)
  }

  /** What spent the guard may have left the chain itself: where that is long settled, the payment goes on. */
  async #prove(lease: Lease, { payout, seen }: Look, tip: BlockRef): Promise<void> {
    const verdict = await this.#mortician.prove(lease, payout)
    if (verdict !== 'alive') return
    const depth = BigInt(this.#lane.chain.config.confirmations.settle)
    const left = seen.find(
      ({ attempt, state }) =>
        (attempt.state === 'reverted' || (attempt.kind === 'cancel' && attempt.state === 'included')) &&
        (state.status === 'missing' || state.status === 'pending') &&
        tip.height - (attempt.blockHeight ?? tip.height) > depth,
    )
    if (left !== undefined) await this.#reorged(lease, payout, left.attempt)
  }

  async #spent(lease: Lease, sighting: Sighting): Promise<void> {
    const { pool, clock, chain } = this.#lane
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
    if (missing && waited > options.tickMs) await this.#mortician.proveIfSpent(lease, payout)
    if (last.kind === 'cancel') {
      // As often as a payment: a cancellation that is too cheap would hold its guard for ever.
      const raised = payout.live.filter(({ kind }) => kind === 'cancel').length
      if (waited > options.bumpAfterMs && raised < options.maxVersions) await this.#bump(lease, payout, last, tip)
      else if (waited > options.bumpAfterMs) await this.#sender.resend([payout])
    } else if (since > options.inclusionWindowMs) {
      const why = last.state === 'rejected' ? 'TRANSACTION_SUBMISSION_FAILED' : 'TRANSACTION_NOT_INCLUDED'
      await this.#mortician.cancel(lease, payout, last, why, tip, this.#sender)
    } else if (waited > options.bumpAfterMs && last.version < options.maxVersions) {
      await this.#bump(lease, payout, last, tip)
    } else if (missing && waited > options.tickMs * 4) {
      await this.#sender.resend([payout])
    }
  }

  async #bump(lease: Lease, payout: StoredPayout, last: StoredAttempt, tip: BlockRef): Promise<void> {
    const { adapter } = this.#lane.chain
    if (last.raw === '0x') return
    const prepared = await adapter.lane.replace(last, { version: last.version + 1 })
    if (prepared === null) return this.#sender.resend([payout])
    const signed = await trySign(this.#lane, prepared)
    if (signed !== null) await this.#sender.sendVersion(lease, payout, signed, tip)
  }
}

/** Part of the deposit that a fill did not need. */
const excessOf = ({ purpose, data }: StoredPayout): bigint => (purpose === 'fill' ? BigInt(data.excess ?? '0') : 0n)

/** No node shows anything of it, or its guard is spent otherwise. */
const needsProof = ({ payout, seen }: Look): boolean =>
  payout.action === 'prove-dead' || seen.every(({ state }) => state.status === 'missing')

const paymentOf = ({ seen }: Look): { attempt: StoredAttempt; state: AttemptState } | undefined =>
  seen.find(({ attempt, state }) => attempt.kind === 'pay' && state.status === 'success')
