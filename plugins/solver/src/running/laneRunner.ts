import { smaller } from '@causeway/core'
import {
  findForgottenSince,
  findLane,
  findLaneDue,
  type LaneJournal,
  type LaneOpening,
  openLane,
  type StoredLane,
  saveInventory,
  witnessedHeight,
} from '@causeway/core/money-path'
import { LANE_CHANNEL, type Lease, LeaseLostError, pause, withLease } from '@causeway/core/plugin'
import { Decider } from '../deciding/decider.js'
import { FastFills } from '../deciding/fastFills.js'
import { FillPlanner } from '../deciding/fillPlanner.js'
import { FillRefunds } from '../deciding/fillRefunds.js'
import { Sweeps } from '../deciding/sweeps.js'
import { Withdrawals } from '../deciding/withdrawals.js'
import { Witnesses } from '../deciding/witnesses.js'
import { type LaneContext, laneKey, walletOf } from '../laneContext.js'
import { Sender } from '../signing/sender.js'
import { GenerationResolver } from '../tracking/generationResolver.js'
import { Tracker } from '../tracking/tracker.js'
import { ForeignSpend, ReadAgain } from './foreignSpend.js'
import { HeadWatch } from './headWatch.js'
import { bookOpening, readBalances, requireAll, requireStill } from './laneBalances.js'
import { LaneTroubles } from './laneTroubles.js'
import { LaneUpkeep } from './laneUpkeep.js'
import { Wakeup } from './wakeup.js'

const RETRY_MS = 1_000
const SHUT_POLL_MS = 3_000
/** How often a lane checks whether its chain is released. */
const HELD_POLL_MS = 1_000

/** What the two loops of an open lane share. */
interface LaneWork {
  readonly lease: Lease
  /** Aborts with the lease, or when the other loop has ended. */
  readonly signal: AbortSignal
  readonly witnesses: Witnesses
  readonly sender: Sender
  readonly refunds: FillRefunds
  readonly resolver: GenerationResolver
  readonly withdrawals: Withdrawals
  readonly troubles: LaneTroubles
  readonly heads: HeadWatch
  readonly paying: Wakeup
  readonly following: Wakeup
}

/** While money is expected that no node shows yet. */
const EXPECTED_POLL_MS = 50

/** Why the lane of a key that this database never saw is not opened; the same while nothing changes. */
const USED =
  'this key sent transactions before this database knew it: another deployment may pay by it. Stop that one, then release the lane with --all'

/** Why a lane that has no journal is not opened; the same while nothing changes. */
const FORGOTTEN =
  'this database was put back, or failed over, since it was made and has no journal of this key, which was used before'

/** One lane, held by one process at a time: decides, signs, broadcasts and follows everything that leaves by its key. */
export class LaneRunner {
  readonly #lane: LaneContext
  readonly #again = new ReadAgain()
  /** The key was used before this database knew it: that stays so. */
  #isUsed = false

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
    const witnesses = new Witnesses(this.#lane)
    let told: string | null = null
    let foreign: ForeignSpend | null = null
    while (!lease.signal.aborted) {
      const journal = await this.#open(lease, foreign)
      if (this.#works(journal)) {
        if (foreign !== null) this.#again.add(foreign.payout)
        foreign = await this.#workUntilForeign(lease, journal, wakeup)
        told = null
      } else {
        if (journal.reason !== told) this.#tellShut(journal)
        told = journal.reason
        // Whoever has to find out why sees what former keys paid, too.
        if (this.#isWallet() && !witnesses.knowsOwnChain) await witnesses.ask(this.#lane.chain.config.id)
        await wakeup.wait(SHUT_POLL_MS, lease.signal)
      }
    }
  }

  /** What a key of before sent is followed whatever else it paid: nothing is signed for it. */
  #works({ state }: LaneJournal): boolean {
    return state === 'open' || (state === 'quarantined' && this.#lane.signer === null)
  }

  /** Works until the lane must be read again: returns why. */
  async #workUntilForeign(lease: Lease, journal: LaneJournal, wakeup: Wakeup): Promise<ForeignSpend> {
    const { chain, log } = this.#lane
    try {
      return await this.#work(lease, journal, wakeup)
    } catch (error) {
      if (!(error instanceof ForeignSpend)) throw error
      log.warn({ chainId: chain.config.id, payout: error.payout.id }, error.message)
      return error
    }
  }

  #tellShut({ state, reason }: LaneJournal): void {
    const { chain, log, address } = this.#lane
    const shut = { chainId: chain.config.id, signer: address, reason }
    if (state === 'settling') log.warn(shut, 'The signing lane waits and opens by itself')
    else
      log.error(
        shut,
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

  /** Compares the journal with the chain before anything is signed (architecture.md 3). */
  async #open(lease: Lease, foreign: ForeignSpend | null): Promise<LaneJournal> {
    const { pool, chain, clock } = this.#lane
    const stored = await findLane(pool, laneKey(this.#lane))
    const settlesAfter = stored === null ? null : await this.#settlesAfter(lease, stored)
    const tip = witnessedHeight(chain.adapter, (await chain.adapter.tip()).height)
    const { reading, forgotten } = await this.#read(stored, foreign)
    const balances = await readBalances(this.#lane)
    const begins = stored === null || (stored.position === null && !forgotten)
    if (begins) requireAll(this.#lane, balances)
    if (forgotten) requireStill(reading, (await this.#readFirst()).reading)
    const journal = await withLease(pool, lease, async (client) => {
      const now = clock.now()
      // The lower of two answers: one that a node invented would hide what comes below it (F131).
      const height = balances.reduce((least, item) => smaller(least, item.height), tip)
      const opened = await openLane(client, laneKey(this.#lane), reading, height, now, settlesAfter)
      // While an operator is waited for, another deployment may still move what the wallet holds.
      if (begins && (forgotten || opened.position !== null))
        await bookOpening(this.#lane, client, balances, { reading, forgotten })
      return opened
    })
    // What the books call the wallet is that of the chain's present key.
    if (this.#isWallet()) await saveInventory(pool, balances, walletOf(this.#lane), clock.now())
    return journal
  }

  /** `forgotten`: the lane has no journal, and the database may have forgotten it. */
  async #read(
    stored: StoredLane | null,
    foreign: ForeignSpend | null,
  ): Promise<{ readonly reading: LaneOpening; readonly forgotten: boolean }> {
    const { chain, address } = this.#lane
    const { lane } = chain.adapter
    if (stored === null || stored.position === null) return this.#readFirst()
    const place = { position: stored.position, sinceHeight: stored.height }
    const reading =
      foreign === null || lane.readAgain === undefined
        ? await lane.read(address, place)
        : await lane.readAgain(address, place, foreign.payout.live[0]?.guards ?? [])
    return { reading, forgotten: false }
  }

  /**
   * A lane without a journal goes on from where its key is. Where the database may have forgotten the journal, the key may have paid
   * orders that nobody knows of: all that it sent since is read, and where that cannot be told an operator decides (faults.md F120).
   */
  async #readFirst(): Promise<{ readonly reading: LaneOpening; readonly forgotten: boolean }> {
    const { pool, chain, address } = this.#lane
    const { lane } = chain.adapter
    const since = await findForgottenSince(pool, chain.config.id)
    if (since === null) return { reading: await this.#readUnseen(), forgotten: false }
    const reading =
      lane.beginning === undefined
        ? { ...(await lane.read(address, null)), complete: false }
        : await lane.read(address, { position: lane.beginning(since), sinceHeight: since })
    return { reading: reading.complete ? reading : { ...reading, gap: FORGOTTEN }, forgotten: true }
  }

  /** A key that this database never saw goes on from where it is; one that was used waits until an operator has said that it is ours alone. */
  async #readUnseen(): Promise<LaneOpening> {
    const { chain, address, options } = this.#lane
    const { lane } = chain.adapter
    this.#isUsed ||= options.usedKeys === 'wait' && (await lane.hasSent?.(address)) === true
    const reading = await lane.read(address, null)
    return this.#isUsed ? { ...reading, used: USED } : reading
  }

  /**
   * Until when something may land that no node shows and that the database forgot when it failed over; null when nothing may. First
   * every host is given the time in which it may still send what it stored before.
   */
  async #settlesAfter(lease: Lease, stored: StoredLane): Promise<bigint | null> {
    const { chain, address, leases, log } = this.#lane
    const { validity } = chain.adapter.lane
    if (stored.moved) {
      log.warn(
        { chainId: chain.config.id, signer: address },
        'The database failed over since this lane was open: the lane is read from the chain before it pays',
      )
      await pause(leases.ttlMs, lease.signal)
      return (await validity?.until()) ?? null
    }
    if (stored.settlesAfter === null || validity === undefined) return null
    return (await validity.isOver(stored.settlesAfter)) ? null : stored.settlesAfter
  }

  async #work(lease: Lease, journal: LaneJournal, paying: Wakeup): Promise<never> {
    const lane = this.#lane
    const stop = new AbortController()
    const signal = AbortSignal.any([lease.signal, stop.signal])
    const troubles = new LaneTroubles(lane)
    const witnesses = new Witnesses(lane)
    const withdrawals = new Withdrawals({ lane, troubles, witnesses })
    const refunds = new FillRefunds(lane)
    const parts = { withdrawals, refunds, troubles, witnesses }
    const work: LaneWork = {
      lease,
      signal,
      sender: new Sender({ lane, ...parts, position: journal.position, onLate: () => paying.ring() }),
      resolver: new GenerationResolver({ lane, refunds, again: this.#again }),
      ...parts,
      heads: new HeadWatch(lane.chain.adapter),
      paying,
      following: new Wakeup(),
    }
    lane.chain.adapter.onHead((head) => {
      work.heads.see(head)
      work.following.ring()
    }, signal)
    work.heads.see(await lane.chain.adapter.tip())
    const pays = this.#isWallet()
    // So that the first payments need not wait for it, and operators see what former keys paid.
    if (pays) await witnesses.ask(lane.chain.config.id)
    // All end before the lane may open again: whoever fails stops the others.
    const signs = lane.signer === null ? [] : [this.#pay(work)]
    const sweeps = pays && Sweeps.isOn(lane) ? [this.#sweep(work)] : []
    const loops = [...signs, ...sweeps, this.#follow(work, pays)].map((loop) => loop.finally(() => stop.abort()))
    for (const end of await Promise.allSettled(loops)) if (end.status === 'rejected') throw end.reason
    throw new LeaseLostError(lease.name)
  }

  /** Decides and sends: nothing else stands between a deposit and its fill. */
  async #pay(work: LaneWork): Promise<void> {
    const { lease, signal, sender, troubles, witnesses, heads, paying, following } = work
    const lane = this.#lane
    const parts = { lane, troubles, witnesses, planner: new FillPlanner(lane), onLate: () => paying.ring() }
    const [decider, fastFills] = [new Decider(parts), new FastFills(parts)]
    while (!signal.aborted) {
      if (this.#isHeld()) {
        await paying.wait(HELD_POLL_MS, signal)
        continue
      }
      const due = await findLaneDue(lane.pool, laneKey(lane), lane.clock.now())
      const decided = this.#isWallet()
        ? (await decider.run(lease, due.requests)) + (await fastFills.run(lease, due.fastFills))
        : 0
      const { latest } = heads
      const sent = await sender.sendReady(lease, heads.height, due.payouts || decided > 0)
      // A block that came while payouts were in flight may hold them; a later one rings by itself.
      if (sent > 0 && heads.latest !== latest) following.ring()
      if (decided + sent === 0) await paying.wait(this.#lane.options.tickMs, signal)
    }
  }

  /** Looks at addresses that money came to, and orders their sweeps. */
  async #sweep({ lease, signal, troubles }: LaneWork): Promise<void> {
    const sweeps = new Sweeps({ lane: this.#lane, troubles })
    const sweeping = this.#wakeup(lease)
    while (!signal.aborted) {
      if (this.#isHeld()) await sweeping.wait(HELD_POLL_MS, signal)
      else if ((await sweeps.run(lease)) === 0) await sweeping.wait(this.#lane.options.tickMs, signal)
      else await sweeping.wait(EXPECTED_POLL_MS, signal)
    }
  }

  /** Follows what was sent and, where the lane pays, what the solver owns. */
  async #follow(work: LaneWork, pays: boolean): Promise<void> {
    const { lease, signal, sender, resolver, refunds, troubles, heads, following, withdrawals, witnesses } = work
    const tracker = new Tracker({
      lane: this.#lane,
      sender,
      resolver,
      refunds,
      troubles,
      onLate: () => following.ring(),
    })
    const upkeep = new LaneUpkeep({ lane: this.#lane, troubles, witnesses, withdrawals, pays })
    while (!signal.aborted) {
      await tracker.track(lease, heads.height, heads.takeReorg())
      await upkeep.run({ lease, height: heads.height, isHeld: this.#isHeld() })
      await following.wait(this.#lane.options.tickMs, signal)
    }
  }

  /** Whether the chain is still to be compared with the configuration: nothing is decided, signed or withdrawn before. */
  #isHeld(): boolean {
    return this.#lane.chains.holdOf(this.#lane.chain.config.id) !== null
  }

  /** Whether it holds the funds of the chain: it decides, and what it holds is the inventory. */
  #isWallet(): boolean {
    return this.#lane.signer !== null && this.#lane.kind === 'payout'
  }
}
