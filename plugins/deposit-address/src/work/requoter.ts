import { type Clock, ServiceError } from '@causeway/core'
import {
  type DatabasePool,
  type DueRequote,
  findDueRequotes,
  type Lease,
  type LeaseKeeper,
  LeaseLostError,
  type Notifier,
  putOffRequote,
  type QuoteEngine,
  REQUOTE_CHANNEL,
  recordRequote,
  refuseRequote,
  withLease,
} from '@causeway/core/plugin'
import type { Logger } from 'pino'
import { requoteDelay, requoteVerdict } from './requoteRefusals.js'
import { Wakeup } from './wakeup.js'

export interface RequoterDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly leases: LeaseKeeper
  readonly notifier: Notifier
  readonly engine: Pick<QuoteEngine, 'requote'>
  readonly log: Logger
  /** Option `requoteAttempts`. */
  readonly patience: number
}

const LEASE = 'deposit address requotes'
/** Made at the same time. */
const AT_ONCE = 16
/** What no notification told of is found by then. */
const TICK_MS = 5_000

/** Makes orders for payments that came to open addresses and fit no quote (wire.md E.3). */
export class Requoter {
  readonly #deps: RequoterDeps

  constructor(deps: RequoterDeps) {
    this.#deps = deps
  }

  /** Works while it holds the lease, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { leases, notifier } = this.#deps
    const wakeup = new Wakeup()
    // Of this run: after a failure another one listens anew.
    const over = new AbortController()
    notifier.on(REQUOTE_CHANNEL, () => wakeup.ring(), over.signal)
    await leases
      .run(LEASE, signal, async (lease) => {
        while (!lease.signal.aborted) {
          if ((await this.runOnce(lease)) === 0) await wakeup.wait(TICK_MS, lease.signal)
        }
      })
      .finally(() => over.abort())
  }

  /** One round; how many requests were due. */
  async runOnce(lease: Lease): Promise<number> {
    const { pool, clock } = this.#deps
    const due = await findDueRequotes(pool, clock.now(), AT_ONCE)
    const done = await Promise.allSettled(due.map((request) => this.#requote(request, lease)))
    // Each of them went on alone; a lost lease ends the round for all.
    const failure = done.find((item) => item.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    return due.length
  }

  async #requote(due: DueRequote, lease: Lease): Promise<void> {
    const { pool, clock, engine } = this.#deps
    try {
      const made = await engine.requote(due)
      const recorded = await withLease(pool, lease, (client) => recordRequote(client, due, made, clock.now()))
      if (!recorded) await this.#putOff(due, 'The request is not pending')
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      await this.#failed(due, lease, error)
    }
  }

  async #failed(due: DueRequote, lease: Lease, error: unknown): Promise<void> {
    const { pool, clock, log, patience } = this.#deps
    if (!ServiceError.is(error)) {
      log.error({ err: error, requestId: due.requestId }, 'no order could be made for a payment to an address')
      return this.#putOff(due, 'An error of this service; its log has it')
    }
    const verdict = requoteVerdict(error.code, due.attempts, patience)
    if (verdict === 'again') return this.#putOff(due, `${error.code}: ${error.message}`)
    await withLease(pool, lease, (client) => refuseRequote(client, due, verdict, clock.now()))
  }

  async #putOff(due: DueRequote, trouble: string): Promise<void> {
    const { pool, clock } = this.#deps
    const now = clock.now()
    await putOffRequote(pool, due, trouble, { now, at: now + requoteDelay(due.attempts) })
  }
}
