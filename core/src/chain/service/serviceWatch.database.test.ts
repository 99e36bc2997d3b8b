import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { LeaseKeeper } from '../../database/leases.js'
import { PostgresNotifier } from '../../database/notifier.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { createLogger } from '../../http/logging/logger.js'
import type { Role } from '../../plugin/plugin.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { type Chain, ChainRegistry } from '../chainRegistry.js'
import { ServiceWatch } from './serviceWatch.js'

const LIMIT_MS = 30_000
const WATCHER = 'No watcher of this service has read chain 7 for more than 30 s.'
const SOLVER = 'No solver of this service has worked on chain 7 for more than 30 s.'

let database: TestDatabase
let elapsed = 0

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())
beforeEach(async () => {
  elapsed = 0
  await database.pool.query(
    'delete from lanes; delete from leases; delete from chain_halts; delete from inventory; delete from chain_cursors',
  )
  await begin()
})

const run = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const begin = () =>
  run(
    `insert into chain_cursors (chain_id, cursor, height, arrivals_height, tip, updated_at) values (7, '{}', 1, 1, 1, now())`,
  )
const lane = (state: string, signer = '0x5e', kind = 'payout') =>
  run(
    `insert into lanes (chain_id, signer, state, position, height, reason, updated_at, kind) values (7, $1, $2, '{}', 1, null, now(), $3)
     on conflict (chain_id, signer) do update set state = excluded.state`,
    [signer, state, kind],
  )
/** A lease that ends so many seconds from now. */
const lease = (name: string, seconds: number) =>
  run(`insert into leases values ($1, gen_random_uuid(), 1, clock_timestamp() + $2 * interval '1 second')`, [
    name,
    seconds,
  ])

const watchOf = ({
  solver = '0x5E',
  roles = [],
}: {
  readonly solver?: string
  readonly roles?: readonly Role[]
} = {}) => {
  // CAST: nothing else of a chain is read.
  const chains = new ChainRegistry([{ config: { id: 7, slug: 'c7', solver } } as unknown as Chain])
  const notifier = new PostgresNotifier({ connectionString: database.url })
  const log = createLogger({ level: 'silent' })
  const deps = {
    pool: database.pool,
    chains,
    notifier,
    log,
    limitMs: LIMIT_MS,
    pollMs: 600_000,
    roles,
    now: () => elapsed,
  }
  return { chains, notifier, watch: new ServiceWatch(deps) }
}

const gapOf = async (options: Parameters<typeof watchOf>[0] = {}, after = 0) => {
  const { chains, watch } = watchOf(options)
  elapsed += after
  await watch.read()
  return chains.gapOf(7)
}

it('finds no gap while a watcher and a solver are alive, or were within the limit', async () => {
  await lane('open')
  await lease('watch:7', 5)
  await lease('lane:7:0x5e', -25)
  expect(await gapOf()).toBeNull()
})

it('names each role that has been missing for longer, whatever else holds leases', async () => {
  await lane('open')
  await lane('open', '0xbb', 'origin')
  await lease('watch:7', -31)
  await lease('lane:7:0x5e', -31)
  await lease('lane:7:0xbb', 5)
  await lease('lane:8:0x5e', 5)
  const both = `${WATCHER} ${SOLVER}`
  expect(await gapOf()).toEqual({ from: both, to: both })
  // An address that is not configured is that of the lane.
  expect(await gapOf({ solver: '' })).toEqual({ from: both, to: both })
})

it('gives roles of its own process, and roles that never ran, the limit from its start', async () => {
  await lease('watch:7', -600)
  expect(await gapOf({ roles: ['watcher', 'solver'] }, LIMIT_MS)).toBeNull()
  expect(await gapOf({ roles: ['solver'] }, LIMIT_MS)).toEqual({ from: WATCHER, to: WATCHER })
  const both = `${WATCHER} ${SOLVER}`
  expect(await gapOf({ roles: ['watcher', 'solver'] }, LIMIT_MS + 1)).toEqual({ from: both, to: both })
})

it.each([
  ['quarantined', 'Payouts on chain 7 are paused until the operator has checked them.'],
  ['settling', 'Payouts on chain 7 are paused while earlier ones are compared with the chain.'],
])('closes a chain as a destination while its lane is %s', async (state, to) => {
  await lease('watch:7', 5)
  await lease('lane:7:0x5e', 5)
  await lane(state)
  expect(await gapOf()).toEqual({ from: null, to })
  // A lane of another key does not count.
  await run(`update lanes set signer = '0xaa'`)
  expect(await gapOf()).toBeNull()
})

it('closes a halted chain as an origin', async () => {
  await lease('watch:7', 5)
  await lease('lane:7:0x5e', 5)
  await run(`insert into chain_halts values (7, 1, 20, 10, now())`)
  expect(await gapOf()).toEqual({
    from: 'Final blocks of chain 7 were replaced, and the operator has not checked them yet.',
    to: null,
  })
})

it('closes a chain as an origin until a watcher has begun to read it', async () => {
  await run('delete from chain_cursors')
  await lease('watch:7', 5)
  await lease('lane:7:0x5e', 5)
  await lane('open')
  expect(await gapOf()).toEqual({ from: 'No watcher of this service has begun to read chain 7.', to: null })
  await begin()
  expect(await gapOf()).toBeNull()
})

it('is notified when a lane closes and opens, and when a process takes up its work', async () => {
  const { chains, notifier, watch } = watchOf()
  const stop = new AbortController()
  const running = [notifier.run(stop.signal), watch.run(stop.signal)]
  const until = (isSo: () => boolean) => vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 20_000 })
  try {
    elapsed = LIMIT_MS + 1
    await lane('open')
    await until(() => chains.gapOf(7)?.to === `${WATCHER} ${SOLVER}`)
    const over = new AbortController()
    const leases = new LeaseKeeper({ pool: database.pool, ttlMs: 60_000 })
    const held = ['watch:7', 'lane:7:0x5e'].map((name) =>
      leases.run(
        name,
        over.signal,
        ({ signal }) => new Promise((end) => signal.addEventListener('abort', () => end())),
      ),
    )
    await until(() => chains.gapOf(7) === null)
    await lane('quarantined')
    await until(() => chains.gapOf(7)?.to?.startsWith('Payouts') === true)
    await lane('open')
    await until(() => chains.gapOf(7) === null)
    over.abort()
    await Promise.all(held)
  } finally {
    stop.abort()
    await Promise.all(running)
  }
})
