import {
  type AttemptToStore,
  abandonPayout,
  type BlockRef,
  type BroadcastResult,
  createPayouts,
  failpoint,
  findReadyPayouts,
  type Json,
  type Lease,
  latestAttempt,
  type PreparedAttempt,
  recordBroadcasts,
  recordWithdrawnByOthers,
  type SignedAttempt,
  type StoredAttempt,
  type StoredPayout,
  storeAttempts,
  toChainPayout,
  traceTime,
  withTransaction,
} from '@causeway/core'
import { backoffMs, type LaneContext, laneKey } from './laneContext.js'
import type { OverdueFills } from './overdueFills.js'
import { SpendGate } from './spendLimits.js'
import { trySign } from './trySign.js'
import type { Withdrawals } from './withdrawals.js'

interface Signable {
  readonly payout: StoredPayout
  readonly gas: bigint | null
}

interface Unsigned {
  readonly payout: StoredPayout
  readonly item: PreparedAttempt
}

/** Next look at a transaction that was just sent, should no head come. */
const TRACK_MS = 1_000
/** What depositories call a request that ran before. */
const ALREADY_USED = 'RequestAlreadyUsed'

/** Signs, stores and only then broadcasts (the rule that protects the money). Holds the lane's position in memory. */
export class Sender {
  /** Payouts between their first store and the record of their broadcast: nobody else looks at them meanwhile. */
  readonly inFlight = new Set<string>()
  readonly #lane: LaneContext
  readonly #withdrawals: Withdrawals
  readonly #overdue: OverdueFills
  readonly #gate: SpendGate
  #position: Json

  constructor(lane: LaneContext, withdrawals: Withdrawals, overdue: OverdueFills, position: Json) {
    this.#lane = lane
    this.#withdrawals = withdrawals
    this.#overdue = overdue
    this.#gate = new SpendGate(lane)
    this.#position = position
  }

  /** Pays what is ready, in one commit and one batch; returns how many payouts it took. */
  async sendReady(lease: Lease, tip: BlockRef): Promise<number> {
    const { pool, clock, options } = this.#lane
    const ready = await findReadyPayouts(pool, laneKey(this.#lane), clock.now(), options.batch)
    const inTime = await this.#overdue.refund(lease, ready)
    const payable = (await Promise.all(inTime.map((payout) => this.#check(payout)))).filter((item) => item !== null)
    const signable = await this.#gate.admit(payable)
    if (signable.length === 0) return 0
    const { adapter, config } = this.#lane.chain
    const startedAt = traceTime()
    const { prepared, position } = await adapter.lane.prepare(
      signable.map(({ payout, gas }) => ({ payout: toChainPayout(payout), gas })),
      this.#position,
    )
    const attempts = await this.#sign(await this.#affordable(signable, prepared))
    if (attempts === null || attempts.length === 0) return ready.length
    const signed = attempts.map(({ payout }) => payout)
    this.#lane.observer.payouts('sign', config.id, signed, startedAt)
    for (const { id } of signed) this.inFlight.add(id)
    try {
      await this.#store(lease, attempts, position, tip)
      this.#position = position
      await this.#broadcast(attempts.map(toBroadcast))
    } finally {
      for (const { id } of signed) this.inFlight.delete(id)
    }
    return ready.length
  }

  /** Those that the chain could prepare; the others wait for what payouts before them hold. */
  async #affordable(
    signable: readonly Signable[],
    prepared: readonly (PreparedAttempt | null)[],
  ): Promise<readonly Unsigned[]> {
    if (prepared.length !== signable.length)
      throw new Error('The chain prepared fewer transactions than it was asked for.')
    const items = signable.map(({ payout }, index) => ({ payout, item: prepared[index] ?? null }))
    await Promise.all(items.filter(({ item }) => item === null).map(({ payout }) => this.#putOff(payout)))
    return items.flatMap(({ payout, item }) => (item === null ? [] : [{ payout, item }]))
  }

  /** All of them, or null: those whose signature could not be had are put off, the others are taken up again at once. */
  async #sign(unsigned: readonly Unsigned[]): Promise<readonly AttemptToStore[] | null> {
    const signed = await Promise.all(
      unsigned.map(async ({ payout, item }) => ({ payout, attempt: await trySign(this.#lane, item) })),
    )
    const failed = signed.filter(({ attempt }) => attempt === null)
    await Promise.all(failed.map(({ payout }) => this.#putOff(payout)))
    if (failed.length > 0) return null
    return signed.flatMap(({ payout, attempt }) =>
      attempt === null ? [] : [{ payout, generation: payout.generation + 1, version: 1, signed: attempt }],
    )
  }

  /** Sends stored bytes again: after a crash, a reorg, or because no node seems to know them. */
  async resend(payouts: readonly StoredPayout[]): Promise<void> {
    const items = payouts.flatMap((payout) => {
      const attempt = latestAttempt(payout)
      return attempt === undefined || attempt.raw === '0x' ? [] : [{ payout, attempt }]
    })
    if (items.length > 0) await this.#broadcast(items)
  }

  /** A further version under the same guards, stored before it is sent: a higher fee, or a cancel. */
  async sendVersion(lease: Lease, payout: StoredPayout, signed: SignedAttempt, tip: BlockRef): Promise<void> {
    const version = (latestAttempt(payout)?.version ?? 0) + 1
    const attempt: AttemptToStore = { payout, generation: payout.generation, version, signed }
    await this.#store(lease, [attempt], null, tip)
    await this.#broadcast([toBroadcast(attempt)])
  }

  async #store(lease: Lease, attempts: readonly AttemptToStore[], position: Json | null, tip: BlockRef): Promise<void> {
    const { pool, clock, chain, observer } = this.#lane
    const startedAt = traceTime()
    const payouts = attempts.map(({ payout }) => payout)
    await passEach(payouts, 'store.before')
    await withTransaction(pool, (client) =>
      storeAttempts(
        client,
        lease,
        { ...laneKey(this.#lane), position, height: tip.height, limits: this.#lane.limits },
        attempts,
        clock.now(),
      ),
    )
    await passEach(payouts, 'store.after')
    observer.payouts('store', chain.config.id, payouts, startedAt)
  }

  async #broadcast(items: readonly { payout: StoredPayout; attempt: StoredAttempt }[]): Promise<void> {
    const { pool, clock, chain, log, observer } = this.#lane
    const startedAt = traceTime()
    const results = await chain.adapter.lane.broadcast(items.map(({ attempt }) => attempt))
    const payouts = items.map(({ payout }) => payout)
    await passEach(payouts, 'broadcast.after')
    await passEach(payouts, 'submitted.before')
    const now = clock.now()
    // Where blocks are far apart, a payment without one is not late for long.
    const trackMs = chain.adapter.lane.pace?.bumpAfterMs ?? TRACK_MS
    await withTransaction(pool, (client) =>
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
    observer.payouts('broadcast', chain.config.id, payouts, startedAt)
    results.forEach((result, index) => {
      if (result.outcome === 'known') return
      log.warn(
        { payout: payouts[index]?.id, outcome: result.outcome, answer: result.message },
        'A broadcast was not accepted at once',
      )
    })
  }

  /** Payouts decided earlier, or by another process, are simulated now; those that cannot be paid yet are put off. */
  async #check(payout: StoredPayout): Promise<Signable | null> {
    const { gas } = payout.data
    if (gas !== undefined && payout.attempts === 0) return { payout, gas: BigInt(gas) }
    const simulation = await this.#lane.chain.adapter.simulate(toChainPayout(payout), 'bound')
    if (simulation.ok) return { payout, gas: simulation.gas }
    if (payout.purpose === 'withdraw' && simulation.message.includes(ALREADY_USED))
      return this.#withdrawnByOthers(payout)
    if (payout.purpose === 'withdraw' || payout.purpose === 'fill' || simulation.kind === 'transient') {
      return this.#putOff(payout)
    }
    if (simulation.kind === 'insufficient-funds') return this.#withdrawFirst(payout)
    await withTransaction(this.#lane.pool, (client) =>
      abandonPayout(
        client,
        { ...payout, depositId: payout.deposit.id, amount: payout.amount + payout.fees },
        { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: simulation.message },
        this.#lane.clock.now(),
      ),
    )
    return null
  }

  /** Anyone may submit the allocator's request: the money is in the wallet, our transaction is not needed. */
  async #withdrawnByOthers(payout: StoredPayout): Promise<null> {
    const { pool, clock } = this.#lane
    await withTransaction(pool, (client) => recordWithdrawnByOthers(client, payout, clock.now()))
    return null
  }

  /** Missing inventory alone never makes a refund fail: its own deposit is taken out of the depository for it. */
  async #withdrawFirst(payout: StoredPayout): Promise<null> {
    const { pool, clock, allocator } = this.#lane
    if (allocator !== null) {
      const { rows } = await pool.query<{ onchain_id: string }>(
        `select encode(onchain_id, 'hex') as onchain_id from deposits where id = $1`,
        [payout.deposit.id],
      )
      const withdrawal = await this.#withdrawals.tryPlan({
        ...payout.deposit,
        requestId: payout.requestId,
        orderId: payout.orderId,
        onchainId: `0x${rows[0]?.onchain_id ?? ''}`,
      })
      if (withdrawal !== null) await withTransaction(pool, (client) => createPayouts(client, [withdrawal], clock.now()))
    }
    return this.#putOff(payout)
  }

  async #putOff(payout: StoredPayout): Promise<null> {
    const { pool, clock } = this.#lane
    await pool.query(
      `update payouts set attempts = attempts + 1, next_action = 'sign', next_action_at = to_timestamp($2 / 1000.0) where id = $1 and state = 'ready'`,
      [payout.id, clock.now() + backoffMs(payout.attempts)],
    )
    return null
  }
}

const NO_ANSWER: BroadcastResult = { outcome: 'unknown', message: 'no answer' }

const toBroadcast = ({ payout, generation, version, signed }: AttemptToStore) => ({
  payout,
  attempt: {
    ...signed,
    generation,
    version,
    state: 'stored' as const,
    broadcastAt: null,
    blockHeight: null,
    blockHash: null,
    fee: null,
    currencyFee: null,
  },
})

/** Passes the failpoint of each purpose among the payouts. */
export const passEach = async (payouts: readonly StoredPayout[], place: string): Promise<void> => {
  for (const purpose of new Set(payouts.map((payout) => payout.purpose))) await failpoint(`${purpose}.${place}`)
}
