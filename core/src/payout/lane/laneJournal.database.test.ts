import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LaneReading } from '../../chain/laneAdapter.js'
import { withTransaction } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { failOver } from '../../testing/failOver.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { findLane, findUnsettledChains, openLane } from './laneJournal.js'

const LANE = { chainId: 9, signer: '0x5e' }

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
