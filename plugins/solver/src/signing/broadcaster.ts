import { ServiceError } from '@causeway/core'
import type { BroadcastResult } from '@causeway/core/chain'
import { type PayoutAttempt, recordBroadcasts, type StoredAttempt, troubleOf } from '@causeway/core/money-path'
import { isLeaseOver, type Lease, LeaseLostError, traceTime, withRetries } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'
import { passEach } from './passEach.js'

/** Next look at a transaction that was just sent, should no head come. */
const TRACK_MS = 1_000
const NO_ANSWER: BroadcastResult = { outcome: 'unknown', message: 'no answer' }

/** Broadcasts what is stored, as often as it is asked to. */
export class Broadcaster {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /**
   * Sends, and records what the nodes said. Not once the lease is over: whoever holds it next sends what is stored, and where the
   * database lost it nobody may (F121). The lease ends by a clock of this process, so that the next holder knows when nothing more
   * comes from here.
   */
  async broadcast(lease: Lease, items: readonly PayoutAttempt[]): Promise<void> {
    const { pool, clock, chain, log, observer } = this.#lane
    if (isLeaseOver(lease)) throw new LeaseLostError(lease.name)
    const startedAt = traceTime()
    const results = await this.#submitEach(items.map(({ attempt }) => attempt))
    const payouts = items.map(({ payout }) => payout)
    await passEach(payouts, 'broadcast.after')
    await passEach(payouts, 'submitted.before')
    const now = clock.now()
    // Where blocks are far apart, a payment without one is not late for long.
    const trackMs = chain.adapter.lane.pace?.bumpAfterMs ?? TRACK_MS
    await withRetries(pool, (client) =>
      recordBroadcasts(
        client,
        items.map(({ payout, attempt }, index) => ({
          payout,
          attempt,
          result: results[index] ?? NO_ANSWER,
          nextAt: now + trackMs,
        })),
        now,
      ),
    )
    await passEach(payouts, 'submitted.after')
    const txIds = items.map(({ attempt }) => attempt.txId)
    observer.payouts('broadcast', chain.config.id, payouts, startedAt, txIds)
    results.forEach((result, index) => {
      if (result.outcome === 'known') return
      log.warn(
        { payout: payouts[index]?.id, outcome: result.outcome, answer: result.message },
        'A broadcast was not accepted at once',
      )
    })
  }

  /** What several payouts share is sent once; results in the order given. */
  async #submitEach(attempts: readonly StoredAttempt[]): Promise<readonly BroadcastResult[]> {
    const once = [...new Map(attempts.map((attempt) => [attempt.txId, attempt])).values()]
    const results = await this.#submit(once)
    const resultOf = new Map(once.map(({ txId }, at) => [txId, results[at] ?? NO_ANSWER]))
    return attempts.map(({ txId }) => resultOf.get(txId) ?? NO_ANSWER)
  }

  /** One batch; where that fails, each alone. What gives no answer may have been sent all the same: it is followed like the others. */
  async #submit(attempts: readonly StoredAttempt[]): Promise<readonly BroadcastResult[]> {
    const { lane } = this.#lane.chain.adapter
    try {
      return await lane.broadcast(attempts)
    } catch (error) {
      const none: BroadcastResult = { outcome: 'unknown', message: troubleOf(error) }
      // Each would take as long again: those that are on no node are sent again one by one, as any that got lost.
      if (attempts.length === 1 || isLate(error)) return attempts.map(() => none)
      return (await Promise.all(attempts.map((attempt) => this.#submit([attempt])))).flat()
    }
  }
}

const isLate = (error: unknown): boolean => ServiceError.is(error) && error.code === 'REQUEST_TIMED_OUT'
