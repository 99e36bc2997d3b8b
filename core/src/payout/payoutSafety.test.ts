import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SignedAttempt } from '../chain/laneAdapter.js'
import { type Lease, LeaseLostError } from '../database/leases.js'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import type { Hex } from '../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { createPayouts } from './createPayouts.js'
import { findReadyPayouts } from './payoutQueries.js'
import type { StoredPayout } from './payoutRecord.js'
import { storeAttempts } from './storeAttempts.js'

const CHAIN = 9
const SIGNER = '0x5e'
const NOW = Date.UTC(2026, 10, 21)
const LANE = { chainId: CHAIN, signer: SIGNER }

let database: TestDatabase
let deposits = 0

beforeEach(async () => {
  deposits = 0
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query(
    `insert into leases (name, holder, epoch, expires_at) values ('lane', gen_random_uuid(), 3, clock_timestamp() + interval '1 hour');
     insert into lanes (chain_id, signer, state, position, height, updated_at) values (${CHAIN}, '${SIGNER}', 'open', '0', 0, now())`,
  )
})
afterEach(() => database.drop())

const lease = (epoch: bigint): Lease => ({ name: 'lane', epoch, signal: new AbortController().signal })

const createFill = async (): Promise<StoredPayout> => {
  deposits += 1
  const order = deposits.toString(16).padStart(64, '0')
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, parked_reason, created_at)
     values (1, $1, 0, '\\x00', decode($2, 'hex'), 'd', 'd', 'c', 5, 'included', 'test', now()) returning id::text as id`,
    [`tx${deposits}`, order],
  )
  const depositId = rows[0]?.id ?? ''
  await withTransaction(database.pool, (client) =>
    createPayouts(
      client,
      [
        {
          purpose: 'fill',
          depositId,
          requestId: null,
          orderId: `0x${order}`,
          chainId: CHAIN,
          signer: SIGNER,
          recipient: 'r',
          currency: 'c',
          amount: 5n,
          fees: 0n,
          data: {},
          at: NOW,
        },
      ],
      NOW,
    ),
  )
  const found = (await findReadyPayouts(database.pool, LANE, NOW, 100)).find(({ deposit }) => deposit.id === depositId)
  if (found === undefined) throw new Error('The payout is not ready')
  return found
}

const signed = (nonce: number, tx: string): SignedAttempt => ({
  kind: 'pay',
  transaction: { nonce },
  guards: [`nonce:${SIGNER}:${nonce}`],
  feeCap: 1n,
  txId: tx,
  raw: tx as Hex,
})

const store = (payout: StoredPayout, attempt: SignedAttempt, epoch = 3n) =>
  withTransaction(database.pool, (client) =>
    storeAttempts(
      client,
      lease(epoch),
      { ...LANE, position: 1, height: 1n, limits: [] },
      [{ payout, generation: 1, version: 1, signed: attempt }],
      NOW,
    ),
  )

const stored = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from payout_attempts')
  return rows[0]?.count ?? -1
}

it('stores an attempt with its guard and the lane’s next position in one commit', async () => {
  await store(await createFill(), signed(0, '0xa0'))
  const { rows } = await database.pool.query('select position from lanes')
  expect([await stored(), rows]).toEqual([1, [{ position: '1' }]])
})

it('stores nothing for a holder whose lease another took: what it signed is never broadcast (invariant 2)', async () => {
  const payout = await createFill()
  await expect(store(payout, signed(0, '0xa0'), 2n)).rejects.toBeInstanceOf(LeaseLostError)
  expect(await stored()).toBe(0)
  const { rows } = await database.pool.query('select position from lanes')
  expect(rows).toEqual([{ position: '0' }])
})

it('refuses a guard that another payout holds, and stores nothing', async () => {
  const [first, second] = [await createFill(), await createFill()]
  await store(first, signed(7, '0xa1'))
  await expect(store(second, signed(7, '0xa2'))).rejects.toThrow('guard')
  expect(await stored()).toBe(1)
})

it('has at most one live generation per payout', async () => {
  const payout = await createFill()
  await store(payout, signed(0, '0xa0'))
  await expect(
    database.pool.query(`insert into payout_generations (payout_id, generation, state) values ($1, 2, 'live')`, [
      payout.id,
    ]),
  ).rejects.toThrow('payout_generations_live')
})

it('pays a cause once: the same purpose and deposit cannot have two payouts', async () => {
  const { id, deposit } = await createFill()
  await expect(
    database.pool.query(
      `insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
         next_action, next_action_at)
       select purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
         next_action, next_action_at from payouts where id = $1`,
      [id],
    ),
  ).rejects.toThrow('payouts_purpose_cause_key')
  expect(deposit.amount).toBe(5n)
})

it('sets an outcome once; a fill becomes a refund only when its payout is dead', async () => {
  const { id, deposit } = await createFill()
  const set = (outcome: string) =>
    database.pool.query('update deposits set outcome = $2 where id = $1', [deposit.id, outcome])
  await set('fill')
  await expect(set('refund')).rejects.toThrow('already fill')
  await database.pool.query(
    `update payouts set state = 'dead', next_action = null, next_action_at = null where id = $1`,
    [id],
  )
  await set('refund')
  await expect(set('fill')).rejects.toThrow('already refund')
})
