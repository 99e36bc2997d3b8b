import {
  type CancelReason,
  latestAttempt,
  recordSpent,
  rememberWhy,
  type Sighting,
  type StoredAttempt,
  type StoredPayout,
} from '@causeway/core/money-path'
import { type Lease, withLease } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'
import type { Sender } from '../signing/sender.js'
import { SharedTransactions } from '../signing/sharedTransactions.js'
import { signCancel } from '../signing/signCancel.js'
import { trySign } from '../signing/trySign.js'
import { isOrdered } from '../wallet/orderCheck.js'
import type { GenerationResolver } from './generationResolver.js'
import { isGroundless, type PayoutLook, spentBy } from './payoutLook.js'
import { recordReorged } from './recordReorged.js'

/** What spent a guard without paying is judged after this. */
const PROVE_MS = 500

export interface PendingPayoutsDeps {
  readonly lane: LaneContext
  readonly sender: Sender
  readonly resolver: GenerationResolver
}

/** Payouts that were sent and not paid so far: raised, sent again, cancelled, or judged. */
export class PendingPayouts {
  readonly #lane: LaneContext
  readonly #sender: Sender
  readonly #resolver: GenerationResolver
  readonly #shared: SharedTransactions

  constructor({ lane, sender, resolver }: PendingPayoutsDeps) {
    this.#lane = lane
    this.#sender = sender
    this.#resolver = resolver
    this.#shared = new SharedTransactions(lane)
  }

  /** Nothing of it paid so far: a spent guard, a refused or slow transaction, or just patience. */
  async followUp(lease: Lease, look: PayoutLook, height: bigint): Promise<void> {
    const { payout } = look
    const spent = spentBy(look)
    const known = spent === undefined || spent.state.block?.hash === spent.attempt.blockHash
    if (payout.action === 'prove-dead' && known) return this.#prove(lease, look, height)
    if (spent !== undefined) return this.#spent(lease, { payout, ...spent })
    const last = latestAttempt(payout)
    if (last === undefined || (last.broadcastAt === null && !isGroundless(payout))) return
    await this.#impatient(lease, payout, last, look, height)
  }

  /** What spent the guard may have left the chain itself: where that is long settled, the payment goes on. */
  async #prove(lease: Lease, { payout, seen }: PayoutLook, height: bigint): Promise<void> {
    const left = seen.filter(
      ({ attempt, state }) =>
        (attempt.state === 'reverted' || (attempt.kind === 'cancel' && attempt.state === 'included')) &&
        (state.status === 'missing' || state.status === 'pending'),
    )
    const attempts = left.map(({ attempt }) => attempt)
    const verdict = await this.#resolver.prove(lease, payout, height, attempts)
    if (verdict !== 'alive') return
    const depth = BigInt(this.#lane.chain.config.confirmations.settle)
    const long = attempts.find(({ blockHeight }) => height - (blockHeight ?? height) > depth)
    if (long !== undefined) await recordReorged(this.#lane, lease, payout, long)
  }

  async #spent(lease: Lease, sighting: Sighting): Promise<void> {
    const { pool, clock, chain, log } = this.#lane
    const { payout, attempt, state } = sighting
    if (attempt.kind === 'pay' && state.status === 'success')
      log.warn({ payout: payout.id, txId: attempt.txId }, 'A transaction of a payment succeeded and nothing arrived')
    const now = clock.now()
    await withLease(pool, lease, async (client) => {
      await recordSpent(client, sighting, chain.adapter.native.address, { now, proveAt: now + PROVE_MS })
    })
  }

  async #impatient(
    lease: Lease,
    payout: StoredPayout,
    last: StoredAttempt,
    look: PayoutLook,
    height: bigint,
  ): Promise<void> {
    const { clock, chain } = this.#lane
    // Some chains make a block in seconds, some in many minutes.
    const options = { ...this.#lane.options, ...chain.adapter.lane.pace }
    const waited = clock.now() - (last.broadcastAt ?? 0)
    const since = clock.now() - (payout.firstBroadcastAt ?? clock.now())
    const missing = look.seen.every(({ state }) => state.status === 'missing')
    if (missing && waited > options.tickMs && (await this.#resolver.proveIfSpent(lease, payout, height))) return
    if (last.carried && !isGroundless(payout)) {
      // It is raised and cancelled with the payout that has its bytes; what is given up with that one is given up itself.
      const givenUp = last.kind === 'cancel' && since > options.inclusionWindowMs && payout.data.cancelled === undefined
      if (givenUp) await rememberWhy(this.#lane.pool, payout.id, 'TRANSACTION_NOT_INCLUDED')
    } else if (last.kind === 'cancel') {
      // As often as a payment: a cancellation that is too cheap would hold its guard for ever.
      const raised = payout.live.filter(({ kind }) => kind === 'cancel').length
      if (waited > options.bumpAfterMs && raised < options.maxVersions) await this.#bump(lease, payout, last, height)
      else if (waited > options.bumpAfterMs) await this.#resend(lease, payout)
    } else if (isGroundless(payout)) {
      await this.#cancel(lease, payout, last, 'DEPOSIT_REORGED', height)
    } else if (since > options.inclusionWindowMs) {
      const why = last.state === 'rejected' ? 'TRANSACTION_SUBMISSION_FAILED' : 'TRANSACTION_NOT_INCLUDED'
      await this.#cancel(lease, payout, last, why, height)
    } else if (waited > options.bumpAfterMs && last.version < options.maxVersions) {
      await this.#bump(lease, payout, last, height)
    } else if (missing && waited > options.tickMs * 4) {
      await this.#resend(lease, payout)
    }
  }

  async #resend(lease: Lease, payout: StoredPayout): Promise<void> {
    await this.#sender.resend(lease, await this.#shared.grounded([payout]))
  }

  async #cancel(
    lease: Lease,
    payout: StoredPayout,
    last: StoredAttempt,
    why: CancelReason,
    height: bigint,
  ): Promise<void> {
    const signed = await signCancel(this.#lane, payout, last, why)
    if (signed !== null) await this.#sender.sendVersion(lease, payout, signed, height)
  }

  async #bump(lease: Lease, payout: StoredPayout, last: StoredAttempt, height: bigint): Promise<void> {
    const { adapter } = this.#lane.chain
    if (last.raw === '0x') return
    // Not at a higher price for a deposit that left the chain: what is out may land.
    // Nor what an operator ordered: a raised fee is made of stored rows, and the order's signature covers none of them.
    if (last.kind === 'pay' && (isOrdered(payout) || payout.deposit?.onChain === false))
      return this.#resend(lease, payout)
    if ((await this.#shared.grounded([payout])).length === 0) return
    const prepared = await adapter.lane.replace(last, { version: last.version + 1 })
    if (prepared === null) return this.#resend(lease, payout)
    const signed = await trySign(this.#lane, prepared)
    if (signed !== null) await this.#sender.sendVersion(lease, payout, signed, height)
  }
}
