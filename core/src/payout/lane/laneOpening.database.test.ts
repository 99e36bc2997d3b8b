import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LaneReading } from '../../chain/laneAdapter.js'
import { withTransaction } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { openLane } from './laneJournal.js'
import { balanceBefore, findFormerLanes, openingEvent } from './laneOpening.js'
import { RESTORED_HISTORY_SQL } from './restoredHistory.js'

const NEXT = { chainId: 9, signer: '0x02' }

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('truncate lanes, payouts restart identity cascade'))

const quiet: LaneReading = { position: { nonce: 0 }, unknown: [], complete: true }

/** It sent something: to an order, or to nobody's. */
const busy = (orderId: `0x${string}` | null): LaneReading => ({
  ...quiet,
  unknown: [
    {
      tx: { id: 'tx' },
      guards: ['1'],
      orderId,
      purpose: 'fill',
      to: 'r',
      money: { currency: 'c', amount: 1n },
      status: 'success',
      block: null,
    },
  ],
})

const open = (signer: string, chainId = 9) =>
  withTransaction(database.pool, (client) => openLane(client, { chainId, signer }, quiet, 1n, 1_000))

const event = (forgotten: boolean, reading = quiet) =>
  withTransaction(database.pool, (client) => openingEvent(client, NEXT, { forgotten, reading }))

describe('what a lane begins with is booked as capital', () => {
  it('once for each lane of a chain, the first under the name that it always had', async () => {
    await open('0x01', 8)
    expect(await event(false)).toBe('opening')
    await open('0x01')
    expect(await event(false)).toBe('opening:0x02')
  })

  it('not where a database put back has it as the money of the key before', async () => {
    await open('0x01')
    await database.pool.query(RESTORED_HISTORY_SQL)
    expect(await event(true)).toBeNull()
  })

  it('not for a key that paid orders which a database put back does not know, where the key before it is known', async () => {
    const paid = busy(`0x${'01'.repeat(32)}`)
    expect(await event(true, paid)).toBe('opening')
    await open('0x01')
    await database.pool.query(RESTORED_HISTORY_SQL)
    await open('0x01')
    expect(await event(true, paid)).toBeNull()
    expect(await event(true, busy(null))).toBe('opening:0x02')
  })

  it('as ever for a key that is new long after a restore, once the one before was found in order', async () => {
    await open('0x01')
    await database.pool.query(RESTORED_HISTORY_SQL)
    await open('0x01')
    expect(await event(true)).toBe('opening:0x02')
    await database.pool.query(`update lanes set state = 'quarantined'`)
    expect(await event(true)).toBeNull()
  })
})

it('what a forgotten lane had is what it has, what left it since, and fees; less what came to it; sweeps moved the money of others', () => {
  const [paid] = busy(`0x${'01'.repeat(32)}`).unknown
  if (paid === undefined) throw new Error('nothing was sent')
  const money = (amount: bigint, currency = 'c') => ({ money: { currency, amount } })
  const unknown = [
    { ...paid, ...money(5n), fee: 2n },
    { ...paid, ...money(7n), status: 'reverted' as const, fee: 3n },
    { ...paid, ...money(11n), purpose: 'approve' as const },
    { ...paid, ...money(19n), purpose: 'sweep' as const, to: 'depository' },
    // Allowances that `contracts deploy` had the key give before its lane opened: no booking of them ever comes.
    { ...paid, ...money(0n), orderId: null, purpose: 'approve' as const, fee: 23n },
    { ...paid, ...money(29n, 'coin'), orderId: null, purpose: null, fee: 31n },
    { ...paid, ...money(13n), purpose: 'withdraw' as const, to: 'own' },
    { ...paid, ...money(17n, 'coin'), status: 'pending' as const },
  ]
  const wallet = { native: 'coin', isOwn: (to: string) => to === 'own' }
  expect(balanceBefore({ currency: 'c', balance: 100n }, unknown, wallet)).toBe(92n)
  expect(balanceBefore({ currency: 'coin', balance: 100n }, unknown, wallet)).toBe(105n)
})

describe('the lane of a former payout key is followed', () => {
  const former = () => findFormerLanes(database.pool, NEXT)

  it('while something that it sent is not final, once the present lane was open', async () => {
    await open('0x01')
    await database.pool.query(
      `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
         next_action, next_action_at) values ('send', 'wallet:1', '\\x01', 9, '0x01', 'r', 'c', 5, 'included', now(), now(), 'settle', now())`,
    )
    expect(await former()).toEqual([])
    await open(NEXT.signer)
    expect(await former()).toEqual([{ chainId: 9, signer: '0x01' }])
    await database.pool.query(`update payouts set state = 'final', next_action = null, next_action_at = null`)
    expect(await former()).toEqual([])
  })

  it('while it is shut, so that it is read again', async () => {
    for (const signer of ['0x01', NEXT.signer]) await open(signer)
    await database.pool.query(`update lanes set state = 'quarantined' where signer = '0x01'`)
    expect(await former()).toEqual([{ chainId: 9, signer: '0x01' }])
  })
})
