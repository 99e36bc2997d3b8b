import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { token } from '../container/tokens.js'
import { RETRIES, withTransaction } from './pool.js'

/** The right to do one named piece of work. Writes made under it are conditional on its epoch. */
export interface Lease {
  readonly name: string
  readonly epoch: bigint
  /** Aborts when the lease is lost or may be: renewal failed for as long as it lives. */
  readonly signal: AbortSignal
  /** Until when it surely lives, by this process's monotonic clock; absent: until the signal aborts. */
  readonly until?: () => number
}

/**
 * Whether nothing may be done under it any more that no statement fences. A process that was frozen goes on wherever it was, before the
 * timer that ends its lease: the time itself has to be asked (faults.md F121).
 */
export const isLeaseOver = ({ signal, until }: Lease): boolean =>
  signal.aborted || (until !== undefined && performance.now() >= until())

/** Another host holds the work now, or another database has it; whoever meets this must drop what it had in memory. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  constructor(name: string) {
    super(`The lease "${name}" is held by another process now, or was taken before the database failed over.`)
  }
}

/**
 * Fences a transaction: the lease row stays share-locked until it ends, so a takeover waits for it, and a holder that slept past
 * its time is refused. So is one that took it in another history of the data: a server that was promoted may lack the last commits
 * before (faults.md F121). Uses database time only.
 */
export const assertLeaseHeld = async (client: PoolClient, lease: Lease): Promise<void> => {
  const { rowCount } = await client.query({
    name: 'lease_assert',
    text: `select 1 from leases where name = $1 and epoch = $2 and expires_at > clock_timestamp()
      and history = server_history() for share`,
    values: [lease.name, lease.epoch.toString()],
  })
  if (rowCount !== 1) throw new LeaseLostError(lease.name)
}

/**
 * `withTransaction` under a lease, run again after a deadlock: `work` must have no effect besides those on the database. Throws
 * LeaseLostError, and nothing is done, when another process holds the lease now.
 */
export const withLease = <T>(pool: Pool, lease: Lease, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  withTransaction(pool, work, { opening: (client) => assertLeaseHeld(client, lease), retries: RETRIES })

interface LeaseKeeperDeps {
  readonly pool: Pool
  /** Milliseconds a lease lives without renewal: how long a dead host's work waits. */
  readonly ttlMs?: number
}

/** What an acquired lease starts from: its epoch, and until when (monotonic, this process's) it surely lives. */
interface Held {
  readonly epoch: bigint
  readonly deadline: number
}

const DEFAULT_TTL_MS = 5_000
/**
 * No lease lives longer (host/README.md, `database.leaseSeconds`): one that does was taken while the server's clock was ahead. A
 * holder that still works is fenced by its epoch, as after any takeover.
 */
const LONGEST_LEASE_MS = 180_000
/** Before the same process takes a lease again whose work has ended. */
const RETAKE_MS = 100

/**
 * Takes, renews and gives back leases for one process. A renewal waits for transactions that hold the row by
 * `assertLeaseHeld`: those must be short against the life of a lease, else it ends under them.
 */
export class LeaseKeeper {
  readonly holder = randomUUID()
  /** Milliseconds after which nobody works any more under a lease that was not renewed. */
  readonly ttlMs: number
  readonly #pool: Pool
  readonly #held = new Set<string>()

  constructor(deps: LeaseKeeperDeps) {
    this.#pool = deps.pool
    this.ttlMs = deps.ttlMs ?? DEFAULT_TTL_MS
  }

  /** Names of the leases this process holds now. */
  held(): readonly string[] {
    return [...this.#held]
  }

  /**
   * Runs `work` whenever this process can get the lease, until `signal` aborts. `work` is to go on until `lease.signal` aborts;
   * what it throws is handed to the caller after the lease is given back, but for LeaseLostError, after which the lease is
   * sought again.
   */
  async run(name: string, signal: AbortSignal, work: (lease: Lease) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const held = await this.#acquire(name).catch(() => null)
      if (held !== null) await this.#hold(name, held, signal, work)
      await pause(held === null ? this.ttlMs / 4 : RETAKE_MS, signal)
    }
  }

  async #hold(name: string, held: Held, signal: AbortSignal, work: (lease: Lease) => Promise<void>): Promise<void> {
    const lost = new AbortController()
    const life = { deadline: held.deadline }
    const over = AbortSignal.any([signal, lost.signal])
    const lease: Lease = { name, epoch: held.epoch, signal: over, until: () => life.deadline }
    const renewing = this.#renewUntil(lease, lost, life)
    this.#held.add(name)
    try {
      await work(lease)
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      this.#held.delete(name)
      lost.abort()
      await renewing
      await this.#release(lease)
    }
  }

  async #acquire(name: string): Promise<Held | null> {
    const asked = performance.now()
    const { rows } = await this.#pool.query<{ epoch: string | bigint }>({
      name: 'lease_acquire',
      text: `insert into leases as l (name, holder, epoch, expires_at)
        values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
        on conflict (name) do update set holder = excluded.holder,
          -- Beyond any that was given where commits were lost since: those are not known here.
          epoch = case when l.history = server_history() then l.epoch + 1
            else (((l.epoch >> 40) + 1) << 40) + ((random() * 1000000)::bigint << 20) end,
          expires_at = clock_timestamp() + $3 * interval '1 millisecond', history = server_history()
        where l.expires_at <= clock_timestamp() or l.expires_at > clock_timestamp() + $4 * interval '1 millisecond'
        returning epoch`,
      values: [name, this.holder, this.ttlMs, LONGEST_LEASE_MS],
    })
    const row = rows[0]
    return row === undefined ? null : { epoch: BigInt(row.epoch), deadline: asked + this.ttlMs }
  }

  /** Its own timer ends the lease, so that a renewal that gets no answer cannot keep it alive here. */
  async #renewUntil(lease: Lease, lost: AbortController, life: { deadline: number }): Promise<void> {
    const end = () => setTimeout(() => lost.abort(), life.deadline - performance.now())
    let ending = end()
    while (!lease.signal.aborted) {
      await pause(this.ttlMs / 3, lease.signal)
      if (lease.signal.aborted) break
      const asked = performance.now()
      const renewed = await orAborted(this.#renew(lease), lease.signal)
      if (renewed === false) lost.abort()
      if (renewed === true) {
        clearTimeout(ending)
        life.deadline = asked + this.ttlMs
        ending = end()
      }
    }
    clearTimeout(ending)
  }

  async #renew(lease: Lease): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: 'lease_renew',
      text: `update leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
        where name = $1 and epoch = $2 and expires_at > clock_timestamp() and history = server_history()`,
      values: [lease.name, lease.epoch.toString(), this.ttlMs],
    })
    return rowCount === 1
  }

  /** Best effort: a lease that is not given back runs out by itself. */
  async #release(lease: Lease): Promise<void> {
    const released = this.#pool.query({
      name: 'lease_release',
      text: 'update leases set expires_at = clock_timestamp() where name = $1 and epoch = $2',
      values: [lease.name, lease.epoch.toString()],
    })
    await orAborted(released, AbortSignal.timeout(this.ttlMs))
  }
}

/** The answer; null when it failed or the signal aborted first. */
const orAborted = <T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> =>
  new Promise((resolve) => {
    const end = () => resolve(null)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    answer.then(resolve, end).finally(() => signal.removeEventListener('abort', end))
  })

/** Waits, or returns at once when the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })

export const LEASES = token<LeaseKeeper>('core/LeaseKeeper')
