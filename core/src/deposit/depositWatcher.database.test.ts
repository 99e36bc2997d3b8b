import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DepositEvent, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { LeaseKeeper } from '../database/leases.js'
import type { Notifier } from '../database/notifier.js'
import { ServiceError } from '../errors/serviceError.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import {
  FORMER_SOLVER,
  GroundWorld,
  gone,
  NOW,
  ORIGIN,
  originChain,
  SOLVER,
} from '../payout/groundWorld.test.support.js'
import { balanceMarker } from './balanceMarker.js'
import { DepositIngest } from './depositIngest.js'
import { DepositWatcher } from './depositWatcher.js'

let world: GroundWorld
let leases: LeaseKeeper

beforeAll(async () => {
  world = await GroundWorld.open()
  leases = new LeaseKeeper({ pool: world.pool, ttlMs: 5_000 })
})
afterAll(() => world?.database.drop())

const pageOf = (deposits: readonly DepositEvent[], again?: WatchPage['again']): WatchPage => ({
  deposits,
  cursor: 0,
  height: 200n,
  tip: 200n,
  rewoundTo: null,
  ...(again === undefined ? {} : { again }),
})

/** Watches these pages, with what all providers say of what is looked up. */
const watch = async (
  pages: readonly WatchPage[],
  adapter: Partial<Chain['adapter']>,
  onBegun: (cursor: unknown) => void = () => undefined,
): Promise<void> => {
  const stop = new AbortController()
  const clock = { now: () => NOW }
  // CAST: the ingest asks only whether a currency is held.
  const currencies = { find: () => ({}) } as unknown as CurrencyRegistry
  // CAST: nobody gives hints here.
  const notifier = { on: () => undefined } as unknown as Notifier
  const ingest = new DepositIngest({ quoteDays: 30, pool: world.pool, clock, currencies })
  const watcher = new DepositWatcher({
    pool: world.pool,
    leases,
    ingest,
    clock,
    notifier,
    log: pino({ level: 'silent' }),
  })
  const told = async function* (cursor: unknown) {
    onBegun(cursor)
    yield* pages
    stop.abort()
  }
  // CAST: of the adapter only these are asked.
  const chain = { ...originChain, adapter: { ...originChain.adapter, ...adapter, watch: told } } as unknown as Chain
  await watcher.run(chain, stop.signal)
}

it.each([
  { name: 'of this version', arrivals: '200', old: null, from: 'stored' },
  { name: 'of before, which knew no addresses', arrivals: null, old: null, from: 'stored' },
  { name: 'of before, which read addresses less far', arrivals: null, old: 150, from: 'at 151' },
  { name: 'of before, which read addresses further', arrivals: null, old: 220, from: 'stored' },
  { name: 'of before, after one of this version', arrivals: '120', old: 90, from: 'at 121' },
  {
    name: 'of before, after one of this version, with its watcher of addresses',
    arrivals: '120',
    old: 199,
    from: 'at 200',
  },
])(
  'reads on where neither deposits nor what came to addresses were read by a host $name',
  async ({ arrivals, old, from }) => {
    await world.pool.query('truncate chain_cursors, address_cursors')
    await world.pool.query(
      `insert into chain_cursors (chain_id, cursor, height, arrivals_height, tip, updated_at) values ($1, '"stored"', 200, $2, 200, now())`,
      [ORIGIN, arrivals],
    )
    if (old !== null)
      await world.pool.query(`insert into address_cursors values ($1, '{}', $2, 200, now())`, [ORIGIN, old])
    const begun: unknown[] = []
    const adapter = { cursorAt: async (height: bigint) => `at ${height}`, recheckDeposits: async () => [] }
    await watch([], adapter, (cursor) => begun.push(cursor))
    expect(begun).toEqual([from])
    await watch([pageOf([])], { cursorAt: async (height) => `at ${height}` })
    await watch([], { cursorAt: async (height) => `at ${height}` }, (cursor) => begun.push(cursor))
    expect(begun).toEqual([from, 0])
  },
)

it('looks up the deposits above where it reads on for what came to addresses', async () => {
  const lost = await world.deposit(1_000n, 180n)
  await world.pool.query('truncate address_cursors')
  await world.pool.query(`update chain_cursors set height = 200, arrivals_height = 150 where chain_id = $1`, [ORIGIN])
  const adapter: Partial<Chain['adapter']> = {
    cursorAt: async (height) => `at ${height}`,
    recheckDeposits: async (references) => references.map(({ tx }) => ({ ...gone(lost), tx })),
  }
  await watch([], adapter)
  expect(await world.books(lost)).toEqual({})
})

const withAmount = (event: DepositEvent, amount: bigint): DepositEvent => ({
  ...event,
  money: { ...event.money, amount },
})

const AGAIN = { after: 90n, upTo: 110n }

it('F05, F107: what a second provider shows otherwise is looked up at all, and again while they do not agree', async () => {
  const [altered, invented, right] = [await world.deposit(1_500n), await world.deposit(), await world.deposit()]
  const asked: string[][] = []
  const recheckDeposits: Chain['adapter']['recheckDeposits'] = async (references) => {
    asked.push(references.map(({ tx }) => tx.id))
    if (asked.length === 1) throw new ServiceError('SERVICE_UNAVAILABLE', 'They differ.')
    const deposit = withAmount(altered, 1_000n)
    return [
      { tx: altered.tx, position: 0, finding: 'present', source: 'test', reason: 'in a block', deposit },
      gone(invented),
    ]
  }
  const shown = [withAmount(altered, 1_000n), right]
  const page = pageOf(shown, AGAIN)
  await watch([page, pageOf([]), pageOf([], { after: 110n, upTo: 120n })], { recheckDeposits })
  const doubted = [altered.tx.id, invented.tx.id]
  expect(asked.map((ids) => ids.sort())).toEqual([doubted, doubted])
  expect((await world.open(altered)).deposit.amount).toBe(1_000n)
  expect(await world.books(invented)).toEqual({})
  expect(await world.books(right)).toEqual({ depository: '1000', owed: '-1000' })
})

const parked = async (event: DepositEvent): Promise<string | null> => {
  const { rows } = await world.pool.query<{ reason: string | null }>(
    'select parked_reason as reason from deposits where tx_id = $1 and request_id is null',
    [event.tx.id],
  )
  return rows[0]?.reason ?? null
}

it.each([
  ['whose depositor is the solver', { depositor: SOLVER }],
  ['whose depositor is a tag of the solver', { depositor: `${SOLVER}?tag=0` }],
  ['whose depositor is an account that paid before', { depositor: FORMER_SOLVER }],
  ['that the depository paid', { source: 'depository' }],
])(
  'a deposit %s pays no order: it is parked with the reason, and a deposit of the user pays the order',
  async (_, parties) => {
    const { orderId } = await world.quote()
    const own = { ...world.event(orderId, 1_000n), ...parties }
    await world.see(own)
    expect(await parked(own)).toBe('sent by an account of this deployment')
    const users = world.event(orderId, 1_000n)
    await world.see(users)
    expect((await world.open(users)).deposit.amount).toBe(1_000n)
  },
)

it('a sweep from a deposit address, a swap by a router and a top-up of a balance by the solver stay what they are', async () => {
  const [swept, swapped] = [(await world.quote()).orderId, (await world.quote()).orderId]
  const events = [
    {
      ...world.event(swept, 1_000n),
      source: 'deposit address',
      txData: { ...world.event(null, 1n).txData, from: SOLVER },
    },
    { ...world.event(swapped, 1_000n), source: 'router' },
  ]
  await world.see(...events)
  for (const event of events) expect((await world.open(event)).deposit.amount).toBe(1_000n)
  const topUp = { ...world.event(balanceMarker(`0x${'ab'.repeat(20)}`), 500n), depositor: SOLVER, source: SOLVER }
  await world.see(topUp)
  expect(await parked(topUp)).toBeNull()
  expect(await world.books(topUp)).toMatchObject({ depository: '500' })
})

it('a request is as old as its quote, and begins with its deposit', async () => {
  const { orderId, requestId } = await world.quote({ quotedAt: NOW - 300_000 })
  await world.see(world.event(orderId, 1_000n))
  const { rows } = await world.pool.query('select created_at, begun_at from requests where id = $1', [
    Buffer.from(requestId.slice(2), 'hex'),
  ])
  expect(rows).toEqual([{ created_at: new Date(NOW - 300_000), begun_at: new Date(NOW) }])
})
