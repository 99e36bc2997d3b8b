import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Chain } from '../../chain/chainRegistry.js'
import type { LanePlace, LaneReading } from '../../chain/laneAdapter.js'
import type { Lease } from '../../database/leases.js'
import { withTransaction } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { failOver } from '../../testing/failOver.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { findLane, findUnsettledChains, openLane } from './laneJournal.js'
import { moveLaneOn } from './laneProgress.js'

const LANE = { chainId: 9, signer: '0x5e' }
const LEASE: Lease = { name: 'lane', epoch: 1n, signal: new AbortController().signal }

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('delete from lanes'))

const reading = (nonce: number, complete: boolean): LaneReading => ({ position: { nonce }, unknown: [], complete })

const open = (read: LaneReading, height: bigint, settlesAfter: bigint | null = null) =>
  withTransaction(database.pool, (client) => openLane(client, LANE, read, height, 1_000, settlesAfter))

const accept = (nonce: number) =>
  database.pool.query('update lanes set accepted_position = $1', [JSON.stringify({ nonce })])

describe('a lane whose transactions could not all be read (F118)', () => {
  it('keeps its journal where it was, however often it is read, so that the gap is not forgotten', async () => {
    await open(reading(3, true), 10n)
    for (const height of [20n, 30n]) {
      const journal = await open(reading(8, false), height)
      expect(journal).toMatchObject({ state: 'quarantined', position: { nonce: 3 }, height: 10n })
      expect(journal.reason).toContain('could not all be read')
    }
  })

  it('has no position to go on from when its first reading was not complete', async () => {
    expect(await open(reading(8, false), 20n)).toMatchObject({ state: 'quarantined', position: null })
    expect(await findLane(database.pool, LANE)).toMatchObject({ position: null })
  })

  it('opens once an operator accepted the gap, and goes on behind it', async () => {
    await open(reading(3, true), 10n)
    await open(reading(8, false), 20n)
    await accept(8)
    expect(await open(reading(8, false), 30n)).toMatchObject({ state: 'open', position: { nonce: 8 }, height: 30n })
  })

  it('stays shut when the key was used again after the gap was accepted', async () => {
    await open(reading(3, true), 10n)
    await open(reading(8, false), 20n)
    await accept(8)
    expect(await open(reading(9, false), 30n)).toMatchObject({ state: 'quarantined', position: { nonce: 3 } })
  })

  it('opens by itself when a node shows everything', async () => {
    await open(reading(3, true), 10n)
    await open(reading(8, false), 20n)
    expect(await open(reading(8, true), 30n)).toMatchObject({ state: 'open', position: { nonce: 8 }, height: 30n })
  })
})

describe('a lane of a database that failed over (F121)', () => {
  const unsettled = (lane = LANE) => findUnsettledChains(database.pool, [lane])

  it('says that its journal is of another history, until it is read again', async () => {
    const unused = { chainId: 10, signer: '0x5e' }
    await open(reading(3, true), 10n)
    expect([(await findLane(database.pool, LANE))?.moved, await unsettled()]).toEqual([false, []])
    expect(await unsettled(unused)).toEqual([])
    await failOver(database.pool)
    // Its journal may be what was lost.
    expect(await unsettled(unused)).toEqual([10])
    expect([(await findLane(database.pool, LANE))?.moved, await unsettled()]).toEqual([true, [9]])
    await open(reading(5, true), 20n)
    expect([(await findLane(database.pool, LANE))?.moved, await unsettled()]).toEqual([false, []])
  })

  it('stays shut, and keeps its journal where it was, until nothing that was lost can land any more', async () => {
    await open(reading(3, true), 10n)
    for (const height of [20n, 30n]) {
      const journal = await open(reading(5, true), height, 40n)
      expect(journal).toMatchObject({ state: 'settling', position: { nonce: 3 }, height: 10n })
      expect(journal.reason).toContain('until block 40')
    }
    expect([await unsettled(), (await findLane(database.pool, LANE))?.settlesAfter]).toEqual([[9], 40n])
    expect(await open(reading(6, true), 50n)).toMatchObject({ state: 'open', position: { nonce: 6 }, height: 50n })
    expect(await unsettled()).toEqual([])
  })
})

describe('transactions of orders that nobody knows (F120)', () => {
  const ORDER = `decode('${'ab'.repeat(32)}', 'hex')`
  const found = (txId: string, purpose: string) =>
    database.pool.query(
      `insert into imported_transactions (chain_id, tx_id, signer, guard_keys, order_id, purpose, recipient, currency, amount, status, created_at)
       values ($1, $2, $3, '[]', ${ORDER}, $4, '0x1', '0x0', 1, 'success', now())`,
      [LANE.chainId, txId, LANE.signer, purpose],
    )
  const state = async () => (await open(reading(3, true), 10n)).state

  it('keep the lane shut; a sweep, which pays nobody, never; a withdrawal until its deposit is closed, a payment also then', async () => {
    await found('0xsweep', 'sweep')
    expect(await state()).toBe('open')
    await found('0xwithdraw', 'withdraw')
    await database.pool.query(
      `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, parked_reason, created_at)
       values ($1, '0xd', 0, ${ORDER}, ${ORDER}, '0x2', '0x3', '0x0', 1, 'included', 'UNKNOWN_ORDER', now())`,
      [LANE.chainId],
    )
    expect(await state()).toBe('quarantined')
    await database.pool.query(`update deposits set outcome = 'fill', outcome_at = now()`)
    expect(await state()).toBe('open')
    await found('0xfill', 'fill')
    expect(await state()).toBe('quarantined')
  })
})

describe('an open lane that is read on (F155)', () => {
  const read: LanePlace[] = []
  const moveOn = async (height: bigint, found: Partial<LaneReading> = {}) => {
    read.length = 0
    // CAST: a lane is asked for nothing else here.
    const lane = {
      read: async (_: string, place: LanePlace) => {
        read.push(place)
        return { ...reading(3, true), ...found }
      },
    } as unknown as Chain['adapter']['lane']
    const chain = { adapter: { lane } } as Pick<Chain, 'adapter'>
    return moveLaneOn({ pool: database.pool, lease: LEASE }, chain, LANE, height)
  }
  const height = async () => (await findLane(database.pool, LANE))?.height
  const money = { currency: 'coin', amount: 1n }
  const unknown: LaneReading['unknown'] = [
    { tx: { id: 'x' }, guards: [], orderId: null, to: '', money, purpose: null, status: 'success', block: null },
  ]

  beforeAll(async () => {
    await database.pool.query('delete from imported_transactions')
    await database.pool.query(
      `insert into leases (name, holder, epoch, expires_at) values ('lane', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour')`,
    )
  })

  it('moves its block on, so that the next opening reads from there, and its position stays', async () => {
    await open(reading(3, true), 10n)
    expect([await moveOn(73n), read]).toEqual([false, []])
    expect(await moveOn(100n)).toBe(true)
    expect(read).toEqual([{ position: { nonce: 3 }, sinceHeight: 10n }])
    expect(await findLane(database.pool, LANE)).toMatchObject({ state: 'open', position: { nonce: 3 }, height: 100n })
    expect([await moveOn(90n), await height()]).toEqual([false, 100n])
  })

  it('stays where something is unknown, could not be read, or may have been lost', async () => {
    await open(reading(3, true), 10n)
    expect(await moveOn(100n, { unknown })).toBe(false)
    expect(await moveOn(100n, { complete: false })).toBe(false)
    await database.pool.query("update lanes set state = 'quarantined'")
    expect(await moveOn(100n)).toBe(false)
    await database.pool.query("update lanes set state = 'open', history = 'before'")
    expect(await moveOn(100n)).toBe(false)
    expect(await height()).toBe(10n)
    await database.pool.query('update lanes set history = server_history()')
    expect(await moveOn(100n)).toBe(true)
  })

  it('stays where it was signed on meanwhile', async () => {
    await open(reading(3, true), 10n)
    const lane = {
      read: async () => {
        await database.pool.query(`update lanes set position = '{"nonce":4}', height = 90`)
        return reading(3, true)
      },
    }
    // CAST: a lane is asked for nothing else here.
    const chain = { adapter: { lane } } as unknown as Pick<Chain, 'adapter'>
    expect(await moveLaneOn({ pool: database.pool, lease: LEASE }, chain, LANE, 200n)).toBe(false)
    expect(await height()).toBe(90n)
  })
})
