import {
  assertLeaseHeld,
  type BlockRef,
  capitalPosting,
  findLane,
  LANE_CHANNEL,
  type LaneJournal,
  type Lease,
  LeaseLostError,
  openLane,
  pause,
  postLedger,
  saveInventory,
  withTransaction,
} from '@causeway/core'
import { Decider } from './decider.js'
import { type LaneContext, laneKey } from './laneContext.js'
import { Mortician } from './mortician.js'
import { OverdueFills } from './overdueFills.js'
import { Sender } from './sender.js'
import { Tracker } from './tracker.js'
import { Wakeup } from './wakeup.js'
import { Withdrawals } from './withdrawals.js'

const RETRY_MS = 1_000
const QUARANTINE_POLL_MS = 3_000

/** One lane, held by one process at a time: decides, signs, broadcasts and follows everything that leaves by its key. */
export class LaneRunner {
  readonly #lane: LaneContext

  constructor(lane: LaneContext) {
    this.#lane = lane
  }

  /** Runs until the signal aborts. Whatever fails drops what was in memory and begins again from the database and the chain. */
  async run(signal: AbortSignal): Promise<void> {
    const { leases, chain, address, log } = this.#lane
    while (!signal.aborted) {
      try {
        await leases.run(`lane:${chain.config.id}:${address}`, signal, (lease) => this.#hold(lease))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ chainId: chain.config.id, err: error }, 'The lane stopped and opens again')
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #hold(lease: Lease): Promise<void> {
    const wakeup = this.#wakeup(lease)
    let told: string | null = null
    while (!lease.signal.aborted) {
      const journal = await this.#open(lease)
      if (journal.state === 'open') return this.#work(lease, journal, wakeup)
      if (journal.reason !== told) this.#tellQuarantine(journal.reason)
      told = journal.reason
      await wakeup.wait(QUARANTINE_POLL_MS, lease.signal)
    }
  }

  #tellQuarantine(reason: string | null): void {
    const { chain, log, address } = this.#lane
    log.error(
      { chainId: chain.config.id, signer: address, reason },
      'The signing lane is quarantined: nothing is paid by this key until an operator has looked (causeway lanes inspect)',
    )
  }

  /** Rings when another part or process has work for this lane. */
  #wakeup(lease: Lease): Wakeup {
    const { chain, notifier } = this.#lane
    const wakeup = new Wakeup()
    notifier.on(
      LANE_CHANNEL,
      (payload) => {
        if (payload === null || payload === String(chain.config.id)) wakeup.ring()
      },
      lease.signal,
    )
    return wakeup
  }

  /** Compares the journal with the chain before anything is signed (design 3). */
  async #open(lease: Lease): Promise<LaneJournal> {
    const { pool, chain, clock, address } = this.#lane
    const stored = await findLane(pool, laneKey(this.#lane))
    const tip = await chain.adapter.tip()
    const reading = await chain.adapter.lane.read(
      address,
      stored === null || stored.position === null ? null : { position: stored.position, sinceHeight: stored.height },
    )
    const balances = await this.#balances()
    const journal = await withTransaction(pool, async (client) => {
      await assertLeaseHeld(client, lease)
      const now = clock.now()
      if (stored === null) {
        await postLedger(
          client,
          balances.map((item) => capitalPosting({ ...item, amount: item.balance, event: 'opening' })),
          now,
        )
      }
      return openLane(client, laneKey(this.#lane), reading, tip.height, now)
    })
    await saveInventory(pool, balances, clock.now())
    return journal
  }

  async #work(lease: Lease, journal: LaneJournal, wakeup: Wakeup): Promise<void> {
    const { chain, options } = this.#lane
    const heads = new HeadWatch()
    chain.adapter.onHead((head) => {
      heads.see(head)
      wakeup.ring()
    }, lease.signal)
    const withdrawals = new Withdrawals(this.#lane)
    const mortician = new Mortician(this.#lane)
    const overdue = new OverdueFills(this.#lane, mortician)
    const sender = new Sender(this.#lane, withdrawals, overdue, journal.position)
    const tracker = new Tracker(this.#lane, sender, mortician)
    const decider = new Decider(this.#lane)
    heads.see(await chain.adapter.tip())
    let nextInventory = 0
    let nextWithdrawals = 0
    let nextTracking = 0
    while (!lease.signal.aborted) {
      const tip = heads.tip()
      const reorged = heads.takeReorg()
      const decided = await decider.run(lease)
      const sent = await sender.sendReady(lease, tip)
      if (heads.takeNew() || performance.now() >= nextTracking) {
        await tracker.trackSigned(lease, tip)
        await tracker.settle(lease, tip, reorged)
        nextTracking = performance.now() + options.tickMs
      }
      if (performance.now() >= nextInventory) {
        await this.#observe()
        nextInventory = performance.now() + options.inventoryMs
      }
      if (performance.now() >= nextWithdrawals) {
        await withdrawals.run(tip.height)
        nextWithdrawals = performance.now() + options.withdrawMs
      }
      if (decided + sent === 0) await wakeup.wait(options.tickMs, lease.signal)
    }
    throw new LeaseLostError(lease.name)
  }

  async #observe(): Promise<void> {
    await saveInventory(this.#lane.pool, await this.#balances(), this.#lane.clock.now())
  }

  async #balances() {
    const { chain, currencies, address } = this.#lane
    const held = currencies.ofChain(chain.config.id)
    const { amounts, height } = await chain.adapter.getBalances(
      held.map((currency) => ({ address, currency: currency.address })),
    )
    return held.map((currency, index) => ({
      chainId: chain.config.id,
      currency: currency.address,
      balance: amounts[index] ?? 0n,
      height,
    }))
  }
}

const KEPT_HEADS = 128

/** Remembers recent heads; one that does not grow on the highest seen means that blocks were replaced. */
class HeadWatch {
  readonly #hashes = new Map<bigint, string>()
  #tip: BlockRef | null = null
  #reorg = false
  #new = false

  see(head: BlockRef): void {
    const known = this.#hashes.get(head.height)
    if (known !== undefined && known !== head.hash) this.#reorg = true
    if (this.#tip !== null && head.height < this.#tip.height) this.#reorg = true
    this.#hashes.set(head.height, head.hash)
    this.#hashes.delete(head.height - BigInt(KEPT_HEADS))
    this.#tip = head
    this.#new = true
  }

  tip(): BlockRef {
    if (this.#tip === null) throw new Error('No head was seen yet.')
    return this.#tip
  }

  /** Whether a head came since the last call. */
  takeNew(): boolean {
    const fresh = this.#new
    this.#new = false
    return fresh
  }

  takeReorg(): boolean {
    const reorg = this.#reorg
    this.#reorg = false
    return reorg
  }
}
