import type { PreparedAttempt } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import type { StoredPayout } from '@causeway/core/money-path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { SpendGate } from './spendLimits.js'

const NATIVE = '0x00'
const NOW = Date.UTC(2026, 10, 21, 8)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

const createPayout = async (name: string, purpose: 'fill' | 'withdraw'): Promise<StoredPayout> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `with d as (
       insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, parked_reason,
         created_at) values (1, $1, 0, '\\x00', '\\x01', 'd', 'd', 'c', 5, 'included', 'test', now()) returning id)
     insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action,
       next_action_at) select $2, $1, id, 9, '0x5e', 'r', 'usdc', 1000, 'ready', now(), now(), 'sign', now() from d returning id::text as id`,
    [name, purpose],
  )
  // CAST: the gate reads nothing else of a payout.
  return { id: rows[0]?.id, purpose, currency: 'usdc', amount: 1_000n, data: {} } as StoredPayout
}

const gateOf = (limits: LaneContext['limits']) => {
  const chain = { config: { id: 9 }, adapter: { native: { address: NATIVE } } }
  const lane = { pool: database.pool, clock: { now: () => NOW }, limits, chain, address: '0x5e' }
  // CAST: the gate asks nothing else of its lane.
  return new SpendGate({ ...lane, log: pino({ level: 'silent' }) } as unknown as LaneContext)
}

it('F124: what transactions can cost waits for the limit of the native currency, once they are prepared', async () => {
  const payouts = [await createPayout('first', 'fill'), await createPayout('second', 'withdraw')]
  const items = payouts.map((payout) => ({ payout, feeCap: 0n }))
  // CAST: of what was prepared only the cap counts.
  const prepared = [{ feeCap: 60n }, { feeCap: 41n }] as unknown as readonly PreparedAttempt[]
  const gate = gateOf([{ currency: NATIVE, amount: 100n }])
  expect(await gate.admit(items)).toHaveLength(2)
  expect(await gate.admitPrepared(items, prepared)).toEqual([items[0]])
  const { rows } = await database.pool.query('select next_action from payouts order by id')
  expect(rows).toEqual([{ next_action: 'sign' }, { next_action: 'await-limit' }])
  expect(await gateOf([{ currency: 'usdc', amount: 2_000n }]).admitPrepared(items, prepared)).toHaveLength(2)
})
