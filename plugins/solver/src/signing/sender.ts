import type { Json } from '@causeway/core'
import type { PreparedAttempt, SignedAttempt } from '@causeway/core/chain'
import {
  type AttemptLane,
  type AttemptToStore,
  findReadyPayouts,
  GroundlessPayoutError,
  latestAttempt,
  type PayoutAttempt,
  type StoredPayout,
  storeAttempts,
  toChainPayout,
} from '@causeway/core/money-path'
import { type FailReason, type Lease, traceTime, withRetries } from '@causeway/core/plugin'
import type { FillRefunds } from '../deciding/fillRefunds.js'
import type { Withdrawals } from '../deciding/withdrawals.js'
import type { Witnesses } from '../deciding/witnesses.js'
import { type LaneContext, laneKey } from '../laneContext.js'
import { SpendGate } from '../limits/spendLimits.js'
import { endsTheLane, UnsureStoreError } from '../running/endsTheLane.js'
import { ItemTasks } from '../running/itemTasks.js'
import type { LaneTroubles } from '../running/laneTroubles.js'
import { isOrdered, OrderCheck } from '../wallet/orderCheck.js'
import { Broadcaster } from './broadcaster.js'
import { OverdueFills } from './overdueFills.js'
import { passEach } from './passEach.js'
import { PayoutCheck, type Signable } from './payoutCheck.js'
import { SetAside } from './setAside.js'
import { SharedTransactions } from './sharedTransactions.js'
import { trySign } from './trySign.js'
import { UnsettledChains } from './unsettledChains.js'

interface Unsigned {
  readonly payout: StoredPayout
  readonly item: PreparedAttempt
}

export interface SenderDeps {
  readonly lane: LaneContext
  readonly withdrawals: Withdrawals
  readonly refunds: FillRefunds
  readonly troubles: LaneTroubles
  readonly witnesses: Witnesses
  /** Where the lane goes on, as it was opened. */
  readonly position: Json
  /** Called when a payout is ready for which the last round did not wait. */
  readonly onLate: () => void
}

/** Payouts looked at at once: those that hang must leave room for others. */
const MOST_AT_ONCE = 512
/** Payouts that could not be prepared, signed or stored one after another, none between them going well. */
const REOPEN_AFTER = 3

/** Signs, stores and only then broadcasts (the rule that protects the money). Holds the lane's position in memory. */
export class Sender {
  /** Payouts between their first store and the record of their broadcast: nobody else looks at them meanwhile. */
  readonly inFlight = new Set<string>()
  #stored = 0
  readonly #lane: LaneContext
  readonly #overdue: OverdueFills
  readonly #check: PayoutCheck
  readonly #aside: SetAside
  readonly #orders: OrderCheck
  readonly #broadcaster: Broadcaster
  readonly #gate: SpendGate
  readonly #unsettled: UnsettledChains
  readonly #tasks: ItemTasks<Signable | null>
  readonly #shared: SharedTransactions
  /** Transactions of which a further version is on its way. */
  readonly #replacing = new Set<string>()
  #failedInRow = 0
  #position: Json

  constructor({ lane, withdrawals, refunds, troubles, witnesses, position, onLate }: SenderDeps) {
    this.#lane = lane
    this.#overdue = new OverdueFills(lane)
    this.#aside = new SetAside({ lane, troubles })
    this.#orders = new OrderCheck({ lane, aside: this.#aside })
    this.#check = new PayoutCheck({ lane, withdrawals, refunds, witnesses, aside: this.#aside, orders: this.#orders })
    this.#broadcaster = new Broadcaster(lane)
    this.#gate = new SpendGate(lane)
    this.#unsettled = new UnsettledChains(lane)
    this.#tasks = new ItemTasks({ most: MOST_AT_ONCE, onLate })
    this.#shared = new SharedTransactions(lane)
    this.#position = position
  }

  /** How many attempts it has stored. */
  get stored(): number {
    return this.#stored
  }

  /** Pays what is ready, if something is due, in one commit and one batch; returns how many payouts it dealt with. */
  async sendReady(lease: Lease, height: bigint, isDue: boolean): Promise<number> {
    const { pool, clock, options } = this.#lane
    const find = async () =>
      findReadyPayouts(pool, laneKey(this.#lane), clock.now(), options.batch, {
        unsettled: await this.#unsettled.find(),
        except: this.#tasks.busy(),
      })
    const ready = isDue ? await find() : []
    const reasons = await this.#overdue.reasons(ready)
    for (const payout of ready) {
      const begun = await this.#tasks.start(payout.id, () =>
        this.#consider(lease, payout, reasons.get(payout.id) ?? null),
      )
      if (!begun) break
    }
    const considered = await this.#tasks.take()
    const signable = considered.filter((item) => item !== null)
    const ordered = signable.filter(({ payout }) => isOrdered(payout))
    const owed = signable.filter(({ payout }) => !isOrdered(payout))
    const together = owed.filter(({ payout }) => !this.#aside.isAlone(payout))
    await this.#sendTogether(lease, together, height)
    for (const item of owed) if (this.#aside.isAlone(item.payout)) await this.#sendTogether(lease, [item], height)
    for (const item of ordered) await this.#sendOrdered(lease, item, height)
    return considered.length
  }

  /** What an operator ordered shares a transaction with nothing, and each sees what was signed for the one before it. */
  async #sendOrdered(lease: Lease, item: Signable, height: bigint): Promise<void> {
    const payout = await this.#admit(item.payout)
    if (payout !== null) await this.#sendTogether(lease, [{ ...item, payout }], height)
  }

  async #admit(payout: StoredPayout): Promise<StoredPayout | null> {
    try {
      return await this.#orders.admit(payout)
    } catch (error) {
      if (endsTheLane(error)) throw error
      return this.#aside.inTrouble('check', payout, error)
    }
  }

  /** What is to be signed of a payout that is due. Null: it was refunded or put off. */
  async #consider(lease: Lease, payout: StoredPayout, overdue: FailReason | null): Promise<Signable | null> {
    try {
      const signable = await this.#check.check(lease, payout, overdue)
      // What broke a batch is tried by itself first, where it keeps nobody waiting; the result is not used.
      if (signable !== null && this.#aside.isAlone(payout)) await this.#prepareAll([signable])
      return signable
    } catch (error) {
      if (endsTheLane(error)) throw error
      return this.#aside.inTrouble('check', payout, error)
    }
  }

  /** One commit and one batch. Where that fails, each is sent alone from now on, so that only the one that breaks it waits. */
  async #sendTogether(lease: Lease, signable: readonly Signable[], height: bigint): Promise<void> {
    if (signable.length === 0) return
    try {
      await this.#send(lease, signable, height)
    } catch (error) {
      if (endsTheLane(error)) throw error
      const [only] = signable
      if (signable.length > 1 || only === undefined) {
        this.#aside.sendAlone(signable.map(({ payout }) => payout))
        return
      }
      await this.#aside.inTrouble('send', only.payout, error)
      this.#failedInRow += 1
      // Perhaps it is not the payouts: the lane opens again and reads its position anew.
      if (this.#failedInRow >= REOPEN_AFTER) throw error
    }
  }

  async #send(lease: Lease, payable: readonly Signable[], height: bigint): Promise<void> {
    const startedAt = traceTime()
    const { signable, prepared, position } = await this.#prepare(payable)
    if (signable.length === 0) return
    const attempts = await this.#sign(await this.#affordable(signable, prepared))
    if (attempts === null || attempts.length === 0) return
    const signed = attempts.map(({ payout }) => payout)
    const txIds = attempts.map((attempt) => attempt.signed.txId)
    this.#lane.observer.payouts('sign', this.#lane.chain.config.id, signed, startedAt, txIds)
    for (const { id } of signed) this.inFlight.add(id)
    try {
      const stored = await this.#store(lease, attempts, { from: this.#position, to: position }, height)
      if (stored === null) return
      for (const attempt of attempts) if (isOrdered(attempt.payout)) this.#orders.remember(attempt)
      this.#position = position
      this.#failedInRow = 0
      for (const { id } of signed) this.#aside.forget(id)
      await this.#broadcaster.broadcast(lease, stored)
    } finally {
      for (const { id } of signed) this.inFlight.delete(id)
    }
  }

  /** Prepared within the hourly limits, fees included: those that do not fit take no place in the lane. */
  async #prepare(payable: readonly Signable[]) {
    let signable = await this.#gate.admit(payable.map((item) => ({ ...item, feeCap: 0n })))
    for (;;) {
      if (signable.length === 0) return { signable, prepared: [], position: this.#position }
      const { prepared, position } = await this.#prepareAll(signable)
      const within = await this.#gate.admitPrepared(signable, prepared)
      if (within.length === signable.length) return { signable, prepared, position }
      signable = within
    }
  }

  #prepareAll(signable: readonly Signable[]) {
    return this.#lane.chain.adapter.lane.prepare(
      signable.map(({ payout, gas }) => ({ payout: toChainPayout(payout), gas })),
      this.#position,
    )
  }

  /** Those that the chain could prepare; the others wait for what payouts before them hold. */
  async #affordable(
    signable: readonly Signable[],
    prepared: readonly (PreparedAttempt | null)[],
  ): Promise<readonly Unsigned[]> {
    if (prepared.length !== signable.length)
      throw new Error('The chain prepared fewer transactions than it was asked for.')
    const items = signable.map(({ payout }, index) => ({ payout, item: prepared[index] ?? null }))
    await Promise.all(items.filter(({ item }) => item === null).map(({ payout }) => this.#aside.putOff(payout, null)))
    return items.flatMap(({ payout, item }) => (item === null ? [] : [{ payout, item }]))
  }

  /** All of them, or null: those whose signature could not be had are put off, the others are taken up again at once. */
  async #sign(unsigned: readonly Unsigned[]): Promise<readonly AttemptToStore[] | null> {
    const once = new Map<PreparedAttempt, Promise<SignedAttempt | null>>()
    for (const { item } of unsigned) if (!once.has(item)) once.set(item, trySign(this.#lane, item))
    const signed = await Promise.all(
      unsigned.map(async ({ payout, item }) => ({ payout, attempt: (await once.get(item)) ?? null })),
    )
    const failed = signed.filter(({ attempt }) => attempt === null)
    await Promise.all(failed.map(({ payout }) => this.#aside.putOff(payout, 'The signer gave no signature.')))
    if (failed.length > 0) return null
    return signed.flatMap(({ payout, attempt }) =>
      attempt === null ? [] : [{ payout, generation: payout.generation + 1, version: 1, signed: attempt }],
    )
  }

  /** Sends stored bytes again: after a crash, a reorg, or because no node seems to know them. */
  async resend(lease: Lease, payouts: readonly StoredPayout[]): Promise<void> {
    const items = payouts.flatMap((payout) => {
      const attempt = latestAttempt(payout)
      return attempt === undefined || attempt.raw === '0x' ? [] : [{ payout, attempt }]
    })
    if (items.length > 0) await this.#broadcaster.broadcast(lease, items)
  }

  /**
   * A further version under the same guards, stored before it is sent: a higher fee, or a cancel. It takes the place of the whole
   * transaction, so it is one of every payout that shares it; nothing is sent once one of them has another version, or is paid.
   */
  async sendVersion(lease: Lease, payout: StoredPayout, signed: SignedAttempt, height: bigint): Promise<void> {
    const last = latestAttempt(payout)
    if (last === undefined || this.#replacing.has(last.txId)) return
    this.#replacing.add(last.txId)
    try {
      const sharing = await this.#shared.of([payout])
      if (!sharing.every((item) => item.state === 'signed' && latestAttempt(item)?.txId === last.txId)) return
      const attempts = sharing.map(
        (item): AttemptToStore => ({ payout: item, generation: item.generation, version: last.version + 1, signed }),
      )
      const stored = await this.#store(lease, attempts, null, height)
      if (stored !== null) await this.#broadcaster.broadcast(lease, stored)
    } finally {
      this.#replacing.delete(last.txId)
    }
  }

  /**
   * What was stored, to be sent. Null, and nothing stored, when a deposit left its chain while its payout was signed: the others are
   * taken up again at once.
   */
  async #store(
    lease: Lease,
    attempts: readonly AttemptToStore[],
    position: AttemptLane['position'],
    height: bigint,
  ): Promise<readonly PayoutAttempt[] | null> {
    const { pool, clock, chain, log, observer } = this.#lane
    const startedAt = traceTime()
    const payouts = attempts.map(({ payout }) => payout)
    // What was signed must land, or it blocks the lane: a raised fee counts for those that come later.
    const limits = attempts.some(({ version }) => version > 1) ? [] : this.#lane.limits
    await passEach(payouts, 'store.before')
    const { address: native } = chain.adapter.native
    const where = { ...laneKey(this.#lane), position, height, native, limits }
    let committing = false
    let stored: readonly PayoutAttempt[]
    try {
      stored = await withRetries(pool, async (client) => {
        committing = false
        const made = await storeAttempts(client, lease, where, attempts, clock.now())
        committing = true
        return made
      })
      this.#stored += stored.length
      await passEach(payouts, 'store.after')
    } catch (error) {
      if (error instanceof GroundlessPayoutError) {
        log.warn(
          { chainId: chain.config.id, payouts: error.payoutIds },
          'What was signed rests on nothing and is dropped',
        )
        return null
      }
      throw committing ? new UnsureStoreError({ cause: error }) : error
    }
    observer.payouts('store', chain.config.id, payouts, startedAt)
    return stored
  }
}
