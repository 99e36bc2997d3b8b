import {
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
  withLease,
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

/** What the two loops of an open lane share. */
interface LaneWork {
  readonly lease: Lease
  /** Aborts with the lease, or when the other loop has ended. */
  readonly signal: AbortSignal
  readonly sender: Sender
  readonly mortician: Mortician
  readonly withdrawals: Withdrawals
  readonly heads: HeadWatch
  readonly paying: Wakeup
  readonly following: Wakeup
}

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
    const journal = await withLease(pool, lease, async (client) => {
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

  async #work(lease: Lease, journal: LaneJournal, paying: Wakeup): Promise<void> {
    const { chain } = this.#lane
    const stop = new AbortController()
    const signal = AbortSignal.any([lease.signal, stop.signal])
    const withdrawals = new Withdrawals(this.#lane)
    const mortician = new Mortician(this.#lane)
    const overdue = new OverdueFills(this.#lane, mortician)
    const work: LaneWork = {
      lease,
      signal,
      sender: new Sender(this.#lane, withdrawals, overdue, journal.position),
      mortician,
      withdrawals,
      heads: new HeadWatch(),
      paying,
      following: new Wakeup(),
    }
    chain.adapter.onHead((head) => {
      work.heads.see(head)
      work.following.ring()
    }, signal)
    work.heads.see(await chain.adapter.tip())
    // Both end before the lane may open again: whoever fails stops the other.
    const loops = [this.#pay(work), this.#follow(work)].map((loop) => loop.finally(() => stop.abort()))
    for (const end of await Promise.allSettled(loops)) if (end.status === 'rejected') throw end.reason
    throw new LeaseLostError(lease.name)
  }

  /** Decides and sends: nothing else stands between a deposit and its fill. */
  async #pay({ lease, signal, sender, heads, paying, following }: LaneWork): Promise<void> {
    const decider = new Decider(this.#lane)
    while (!signal.aborted) {
      const decided = await decider.run(lease)
      const tip = heads.tip()
      const sent = await sender.sendReady(lease, tip)
      // A block that came while payouts were in flight may hold them; a later one rings by itself.
      if (sent > 0 && heads.tip() !== tip) following.ring()
      if (decided + sent === 0) await paying.wait(this.#lane.options.tickMs, signal)
    }
  }

  /** Follows what was sent, and what the solver owns. */
  async #follow({ lease, signal, sender, mortician, withdrawals, heads, following }: LaneWork): Promise<void> {
    const { options } = this.#lane
    const tracker = new Tracker(this.#lane, sender, mortician)
    const inventory = new Timer(options.inventoryMs)
    const withdrawing = new Timer(options.withdrawMs)
    while (!signal.aborted) {
      await tracker.track(lease, heads.tip(), heads.takeReorg())
      if (inventory.due()) await this.#observe()
      if (withdrawing.due()) await withdrawals.run(heads.tip().height)
      await following.wait(options.tickMs, signal)
    }
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

/** Something to do at most once in so many milliseconds. */
class Timer {
  #next = 0

  constructor(readonly milliseconds: number) {}

  due(): boolean {
    const now = performance.now()
    if (now < this.#next) return false
    this.#next = now + this.milliseconds
    return true
  }
}

const KEPT_HEADS = 128

/** Remembers recent heads; one that does not grow on the highest seen means that blocks were replaced. */
class HeadWatch {
  readonly #hashes = new Map<bigint, string>()
  #tip: BlockRef | null = null
  #reorg = false

  see(head: BlockRef): void {
    const known = this.#hashes.get(head.height)
    if (known !== undefined && known !== head.hash) this.#reorg = true
    if (this.#tip !== null && head.height < this.#tip.height) this.#reorg = true
    this.#hashes.set(head.height, head.hash)
    this.#hashes.delete(head.height - BigInt(KEPT_HEADS))
    this.#tip = head
  }

  tip(): BlockRef {
    if (this.#tip === null) throw new Error('No head was seen yet.')
    return this.#tip
  }

  takeReorg(): boolean {
    const reorg = this.#reorg
    this.#reorg = false
    return reorg
  }
}
