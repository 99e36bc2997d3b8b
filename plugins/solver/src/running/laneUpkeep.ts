import { findSettledWork, moveLaneOn, saveInventory, settledHeight, settleEarnings } from '@causeway/core/money-path'
import type { Lease } from '@causeway/core/plugin'
import { BalanceDeposits } from '../deciding/balanceDeposits.js'
import type { Withdrawals } from '../deciding/withdrawals.js'
import type { Witnesses } from '../deciding/witnesses.js'
import { type LaneContext, laneKey, walletOf } from '../laneContext.js'
import { endsTheLane } from './endsTheLane.js'
import { ItemTasks } from './itemTasks.js'
import { readBalances } from './laneBalances.js'
import type { LaneTroubles } from './laneTroubles.js'

/** How often an open lane is read on, so that the next opening has little to read. */
const JOURNAL_MS = 60_000

/** Between two tries to read what other keys of the chain paid. */
const WITNESS_MS = 5_000

/** One of each step, and the scan of other keys. */
const MOST_AT_ONCE = 7

type Step = 'inventory' | 'journal' | 'settle' | 'withdraw' | 'balances' | 'earnings'

export interface LaneUpkeepDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
  readonly witnesses: Witnesses
  readonly withdrawals: Withdrawals
  /** Whether the lane decides payments, and its balances are the inventory. */
  readonly pays: boolean
}

export interface UpkeepRound {
  readonly lease: Lease
  readonly height: bigint
  /** Whether the chain is still to be compared with the configuration: nothing is withdrawn before. */
  readonly isHeld: boolean
}

/**
 * The lane's work beside payments: inventory, journal, settled deposits. Each step runs beside the others, so that one that hangs delays no
 * other, and a step that fails is tried again.
 */
export class LaneUpkeep {
  readonly #deps: LaneUpkeepDeps
  readonly #balances: BalanceDeposits
  readonly #steps = new ItemTasks<void>({ most: MOST_AT_ONCE, onLate: () => undefined })
  readonly #inventory: Timer
  readonly #settling: Timer
  readonly #witnessing = new Timer(WITNESS_MS)
  readonly #reading = new Timer(JOURNAL_MS, JOURNAL_MS)

  constructor(deps: LaneUpkeepDeps) {
    const { lane, troubles } = deps
    this.#deps = deps
    this.#balances = new BalanceDeposits({ lane, troubles })
    this.#inventory = new Timer(lane.options.inventoryMs)
    this.#settling = new Timer(lane.options.withdrawMs)
  }

  /** Starts the steps that are due and waits for them for a limited time. @throws errors that end the lane */
  async run({ lease, height, isHeld }: UpkeepRound): Promise<void> {
    const { lane, witnesses, pays } = this.#deps
    if (pays && this.#inventory.due()) await this.#start('inventory', () => this.#observe())
    if (this.#reading.due())
      await this.#start('journal', () => moveLaneOn({ pool: lane.pool, lease }, lane.chain, laneKey(lane), height))
    if (pays && !witnesses.knowsOwnChain && this.#witnessing.due())
      await this.#steps.start('witness', () => witnesses.ask(lane.chain.config.id).then(() => undefined))
    if (pays && !isHeld && this.#settling.due()) await this.#start('settle', () => this.#useSettled(height))
    await this.#steps.take()
  }

  async #observe(): Promise<void> {
    const { lane } = this.#deps
    await saveInventory(lane.pool, await readBalances(lane), walletOf(lane), lane.clock.now())
  }

  async #useSettled(tip: bigint): Promise<void> {
    const { lane, withdrawals } = this.#deps
    const { pool, chain, clock } = lane
    const settled = { chainId: chain.config.id, height: await settledHeight(chain, tip) }
    const work = await findSettledWork(pool, settled)
    if (work.withdrawals) await this.#start('withdraw', () => withdrawals.run(settled.height))
    if (work.balances) await this.#start('balances', () => this.#balances.run(settled.height))
    // Wallets may use what they earned by deposits of this chain once these are settled.
    if (work.earnings) await this.#start('earnings', () => settleEarnings(pool, settled, clock.now()))
  }

  /** Starts a step unless it still runs. */
  async #start(step: Step, work: () => Promise<unknown>): Promise<void> {
    const { troubles } = this.#deps
    await this.#steps.start(step, async () => {
      try {
        await work()
        troubles.over(step)
      } catch (error) {
        if (endsTheLane(error)) throw error
        troubles.note(step, step, { requestId: null }, error)
      }
    })
  }
}

/** Something to do at most once in so many milliseconds. */
class Timer {
  #next: number

  /** @param first - milliseconds until the first time; absent: at once */
  constructor(
    readonly milliseconds: number,
    first = 0,
  ) {
    this.#next = performance.now() + first
  }

  due(): boolean {
    const now = performance.now()
    if (now < this.#next) return false
    this.#next = now + this.milliseconds
    return true
  }
}
