import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failOver } from '../testing/failOver.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { assertLeaseHeld, type Lease, LeaseKeeper, LeaseLostError, pause } from './leases.js'
import { createPool, withTransaction } from './pool.js'
import { coreMigrations } from './schema/coreMigrations.js'

const TTL_MS = 600
/** Of a lease that must not be lost, however long a busy machine keeps its renewals waiting. */
const SAFE_TTL_MS = 3_000

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  pool = database.pool
})
afterAll(() => database.drop())

const keeper = (ttlMs = TTL_MS, from = pool) => new LeaseKeeper({ pool: from, ttlMs })

/** Runs one keeper until it holds the lease; `stop` gives it back. */
const holdBy = async (by: LeaseKeeper, name: string): Promise<{ lease: Lease; stop(): Promise<void> }> => {
  const over = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const lease = await new Promise<Lease>((resolve, reject) => {
    running = by.run(name, over.signal, async (held) => {
      resolve(held)
      await ended(held.signal)
    })
    running.catch(reject)
  })
  return {
    lease,
    async stop() {
      over.abort()
      await running
    },
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })

const write = (lease: Lease) => withTransaction(pool, (client) => assertLeaseHeld(client, lease))
const forget = (name: string) =>
  pool.query(`update leases set expires_at = clock_timestamp() - interval '1 second' where name = $1`, [name])

it('gives a lease to one keeper at a time and renews it past its time to live', async () => {
  let atOnce = 0
  let most = 0
  const over = new AbortController()
  const terms: bigint[] = []
  const work = async (lease: Lease) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    terms.push(lease.epoch)
    await pause(SAFE_TTL_MS * 1.2, lease.signal)
    await write(lease)
    atOnce -= 1
    if (terms.length === 3) over.abort()
  }
  await Promise.all([1, 2, 3].map(() => keeper(SAFE_TTL_MS).run('one', over.signal, work)))
  expect(most).toBe(1)
  expect(terms).toEqual([1n, 2n, 3n])
})

it('lets the next keeper in as soon as the lease is given back', async () => {
  const first = await holdBy(keeper(60_000), 'returned')
  await first.stop()
  const second = await holdBy(keeper(60_000), 'returned')
  expect(second.lease.epoch).toBe(2n)
  await second.stop()
})

it('refuses the write of a holder whose lease ran out and was taken over, and tells it by the signal', async () => {
  const stale = await holdBy(keeper(SAFE_TTL_MS), 'fenced')
  await write(stale.lease)
  await forget('fenced')
  const next = await holdBy(keeper(SAFE_TTL_MS), 'fenced')
  expect(next.lease.epoch).toBeGreaterThan(stale.lease.epoch)
  await expect(write(stale.lease)).rejects.toThrow(LeaseLostError)
  await write(next.lease)
  await ended(stale.lease.signal)
  await Promise.all([stale.stop(), next.stop()])
})

it('refuses the write of a holder whose lease ran out though nobody took it', async () => {
  const alone = await holdBy(keeper(), 'alone')
  await forget('alone')
  await expect(write(alone.lease)).rejects.toThrow(LeaseLostError)
  await alone.stop()
})

it('makes a takeover wait for a fenced transaction in flight', async () => {
  const holder = await holdBy(keeper(60_000), 'waiting')
  const order: string[] = []
  let taking: Promise<unknown> = Promise.resolve()
  await withTransaction(pool, async (client) => {
    await assertLeaseHeld(client, holder.lease)
    taking = pool
      .query(`update leases set epoch = epoch + 1 where name = 'waiting'`)
      .then(() => order.push('taken over'))
    await untilWaiting()
    order.push('written')
  })
  await taking
  expect(order).toEqual(['written', 'taken over'])
  await holder.stop()
})

const untilWaiting = async (): Promise<void> => {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like 'update leases set epoch%'`,
    )
    if (rowCount === 1) return
  }
  throw new Error('Nobody waits.')
}

it('ends a lease by its own clock when the database no longer answers', async () => {
  const cut = createPool({ connectionString: database.url, max: 1, applicationName: 'cut off' })
  const holder = await holdBy(keeper(SAFE_TTL_MS, cut), 'silent')
  // The only connection is kept busy: renewals get no answer, not even a refusal.
  const busy = await cut.connect()
  await ended(holder.lease.signal)
  busy.release()
  await holder.stop()
  await cut.end()
})

it('hands on what the work throws, after the lease is given back', async () => {
  const failing = keeper(60_000).run('failing', new AbortController().signal, () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  const next = await holdBy(keeper(60_000), 'failing')
  expect(next.lease.epoch).toBe(2n)
  await next.stop()
})

it('F121: a lease ends when the database fails over, its holder writes nothing, and no epoch that was lost is given again', async () => {
  const own = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  const before = await holdBy(keeper(TTL_MS, own.pool), 'lane')
  await failOver(own.pool)
  await expect(withTransaction(own.pool, (client) => assertLeaseHeld(client, before.lease))).rejects.toThrow(
    LeaseLostError,
  )
  await ended(before.lease.signal)
  // It would seek the lease again.
  await before.stop()
  const after = await holdBy(keeper(SAFE_TTL_MS, own.pool), 'lane')
  expect(after.lease.epoch).toBeGreaterThan(1n << 40n)
  await withTransaction(own.pool, (client) => assertLeaseHeld(client, after.lease))
  await after.stop()
  await own.drop()
})

it('F121: an ordinary owner of the database reads cluster and timeline; one who may not sees a dash and works on', async () => {
  const read = async (prepare: string): Promise<string | undefined> => {
    const client = await pool.connect()
    try {
      await client.query(`begin; create role plain_owner nologin; ${prepare}; set local role plain_owner`)
      const { rows } = await client.query<{ history: string }>('select server_history() as history')
      return rows[0]?.history
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  expect(await read('select 1')).toMatch(/^[0-9]+\/[0-9A-F]{8}$/)
  expect(await read('revoke execute on function pg_control_system() from public')).toMatch(/^-\/[0-9A-F]{8}$/)
  expect(await read('revoke execute on function pg_walfile_name(pg_lsn) from public')).toMatch(/^[0-9]+\/-$/)
})

it('takes a lease that lasts longer than any can: its holder died while the server’s clock was ahead (F129)', async () => {
  await pool.query(
    `insert into leases (name, holder, epoch, expires_at) values ('ahead', gen_random_uuid(), 4, clock_timestamp() + interval '2 hours')`,
  )
  const { lease, stop } = await holdBy(keeper(), 'ahead')
  expect(lease.epoch).toBe(5n)
  await stop()
})
