import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { token } from '../container/tokens.js'

/** The right to do one named piece of work. Writes made under it are conditional on its epoch. */
export interface Lease {
  readonly name: string
  readonly epoch: bigint
  /** Aborts when the lease is lost or may be: renewal failed for as long as it lives. */
  readonly signal: AbortSignal
}

/** Another host holds the work now; whoever meets this must drop what it had in memory. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  constructor(name: string) {
    super(`The lease "${name}" is held by another process now.`)
  }
}

/**
 * Fences a transaction: the lease row stays share-locked until it ends, so a takeover waits for it, and a holder that slept past
 * its time is refused. Uses database time only.
 */
export const assertLeaseHeld = async (client: PoolClient, lease: Lease): Promise<void> => {
  const { rowCount } = await client.query({
    name: 'lease_assert',
    text: 'select 1 from leases where name = $1 and epoch = $2 and expires_at > clock_timestamp() for share',
    values: [lease.name, lease.epoch.toString()],
  })
  if (rowCount !== 1) throw new LeaseLostError(lease.name)
}

interface LeaseKeeperDeps {
  readonly pool: Pool
  /** Milliseconds a lease lives without renewal: how long a dead host's work waits. */
  readonly ttlMs?: number
}

/** Takes, renews and gives back leases for one process. */
export class LeaseKeeper {
  readonly holder = randomUUID()
  readonly #pool: Pool
  readonly #ttlMs: number

  constructor(deps: LeaseKeeperDeps) {
    this.#pool = deps.pool
    this.#ttlMs = deps.ttlMs ?? 5_000
  }

  /**
   * Runs `work` whenever this process can get the lease, until `signal` aborts. `work` ends when `lease.signal` aborts; what it
   * throws is handed to the caller after the lease is given back.
   */
  async run(name: string, signal: AbortSignal, work: (lease: Lease) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const epoch = await this.#acquire(name).catch(() => null)
      if (epoch === null) {
        await pause(this.#ttlMs / 4, signal)
        continue
      }
      await this.#hold(name, epoch, signal, work)
    }
  }

  async #hold(name: string, epoch: bigint, signal: AbortSignal, work: (lease: Lease) => Promise<void>): Promise<void> {
    const lost = new AbortController()
    const lease: Lease = { name, epoch, signal: AbortSignal.any([signal, lost.signal]) }
    const renewing = this.#renewUntil(lease, lost)
    try {
      await work(lease)
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      lost.abort()
      await renewing
      await this.#release(lease).catch(() => undefined)
    }
  }

  async #acquire(name: string): Promise<bigint | null> {
    const { rows } = await this.#pool.query<{ epoch: bigint }>({
      name: 'lease_acquire',
      text: `insert into leases as l (name, holder, epoch, expires_at)
        values ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
        on conflict (name) do update set holder = excluded.holder, epoch = l.epoch + 1, expires_at = excluded.expires_at
        where l.expires_at <= clock_timestamp() returning epoch`,
      values: [name, this.holder, this.#ttlMs],
    })
    return rows[0]?.epoch ?? null
  }

  async #renewUntil(lease: Lease, lost: AbortController): Promise<void> {
    let deadline = performance.now() + this.#ttlMs
    while (!lease.signal.aborted) {
      await pause(this.#ttlMs / 3, lease.signal)
      if (lease.signal.aborted) return
      const renewed = await this.#renew(lease).catch(() => null)
      if (renewed === true) deadline = performance.now() + this.#ttlMs
      else if (renewed === false || performance.now() > deadline) lost.abort()
    }
  }

  async #renew(lease: Lease): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: 'lease_renew',
      text: `update leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
        where name = $1 and epoch = $2 and expires_at > clock_timestamp()`,
      values: [lease.name, lease.epoch.toString(), this.#ttlMs],
    })
    return rowCount === 1
  }

  async #release(lease: Lease): Promise<void> {
    await this.#pool.query('update leases set expires_at = clock_timestamp() where name = $1 and epoch = $2', [
      lease.name,
      lease.epoch.toString(),
    ])
  }
}

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
