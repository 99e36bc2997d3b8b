import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PayoutPurpose } from '../../chain/laneAdapter.js'
import { type Lease, LeaseLostError } from '../../database/leases.js'
import { withTransaction } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import type { Hex } from '../../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { type AttemptToStore, storeAttempts } from '../attempt/storeAttempts.js'
import type { StoredAttempt, StoredPayout } from '../payoutRecord.js'
import { findSpending, fitsAt, type SpendLimit, SpendLimitError, spentOf } from './laneSpending.js'

const LANE = { chainId: 9, signer: '0x5e' }
const START = Date.UTC(2026, 10, 21, 8, 0, 17)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIMIT: SpendLimit = { currency: 'usdc', amount: 100n }

let database: TestDatabase
let made = 0

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query(
    `insert into leases (name, holder, epoch, expires_at) values ('lane', gen_random_uuid(), 3, clock_timestamp() + interval '1 hour');
     insert into lanes (chain_id, signer, state, position, height, updated_at) values (9, '0x5e', 'open', '0', 0, now())`,
  )
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('delete from lane_spending'))

const lease = (epoch = 3n): Lease => ({ name: 'lane', epoch, signal: new AbortController().signal })

interface Spend {
  readonly amount: bigint
  readonly currency?: string
  readonly purpose?: PayoutPurpose
  readonly feeCap?: bigint
  readonly topup?: bigint
}

/** A payout as the solver would sign it; the deposit behind it is of no matter here. */
const createPayout = async ({ amount, currency = 'usdc', purpose = 'fill', topup }: Spend): Promise<StoredPayout> => {
  made += 1
  const { rows } = await database.pool.query<{ id: string; deposit: string }>(
    `with d as (
       insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, parked_reason,
         created_at) values (1, $1, 0, '\\x00', '\\x01', 'd', 'd', 'c', 5, 'included', 'test', now()) returning id)
     insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action,
       next_action_at) select $2, $1, id, 9, '0x5e', 'r', $3, $4, 'ready', now(), now(), 'sign', now() from d
     returning id::text as id, deposit_id::text as deposit`,
    [`tx${made}`, purpose, currency, amount.toString()],
  )
  const [row] = rows
  if (row === undefined) throw new Error('No payout was made.')
  // CAST: storing an attempt reads nothing else of a payout.
  return {
    id: row.id,
    purpose,
    currency,
    amount,
    generation: 0,
    data: topup === undefined ? {} : { topup: { currency: 'eth', amount: topup.toString() } },
    live: [],
  } as unknown as StoredPayout
}

const attemptOf = (payout: StoredPayout, version: number, feeCap: bigint): AttemptToStore => ({
  payout,
  generation: 1,
  version,
  signed: {
    kind: 'pay',
    transaction: null,
    guards: [`nonce:${payout.id}`],
    feeCap,
    txId: `0x${payout.id}${version}`,
    raw: `0x${payout.id}` as Hex,
  },
})

const storeAll = (attempts: readonly AttemptToStore[], now: number, limits = [LIMIT], epoch = 3n) =>
  withTransaction(database.pool, (client) =>
    storeAttempts(client, lease(epoch), { ...LANE, position: null, height: 1n, native: 'eth', limits }, attempts, now),
  )

const store = async (spends: readonly Spend[], now: number, limits = [LIMIT], epoch = 3n): Promise<void> => {
  const attempts = []
  for (const spend of spends) attempts.push(attemptOf(await createPayout(spend), 1, spend.feeCap ?? 1n))
  await storeAll(attempts, now, limits, epoch)
}

const stores = (spends: readonly Spend[], now: number): Promise<boolean> =>
  store(spends, now).then(
    () => true,
    (error: unknown) => {
      if (error instanceof SpendLimitError) return false
      throw error
    },
  )

describe('the hourly limit of a signer', () => {
  it('is never passed in any hour, whatever batches come when, and refuses nothing that fits in 61 minutes', async () => {
    const batch = fc.record({
      waited: fc.integer({ min: 0, max: 40 * MINUTE }),
      amounts: fc.array(fc.bigInt({ min: 1n, max: 60n }), { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12 }), async (batches) => {
        await database.pool.query('delete from lane_spending')
        const paid: { readonly at: number; readonly amount: bigint }[] = []
        const within = (from: number) => paid.reduce((sum, item) => (item.at > from ? sum + item.amount : sum), 0n)
        let now = START
        for (const { waited, amounts } of batches) {
          now += waited
          const wanted = amounts.reduce((sum, amount) => sum + amount, 0n)
          const stored = await stores(
            amounts.map((amount) => ({ amount })),
            now,
          )
          if (stored) paid.push({ at: now, amount: wanted })
          else expect(within(now - HOUR - MINUTE) + wanted).toBeGreaterThan(LIMIT.amount)
          expect(within(now - HOUR)).toBeLessThanOrEqual(LIMIT.amount)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('holds for two hosts that store at the same instant, and for one whose lease was taken nothing is stored', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => stores([{ amount: 40n }], START)))
    expect(results.filter(Boolean)).toHaveLength(2)
    expect(spentOf(await findSpending(database.pool, LANE, START), 'usdc')).toBe(80n)
    await expect(store([{ amount: 1n }], START, [LIMIT], 2n)).rejects.toBeInstanceOf(LeaseLostError)
    expect(spentOf(await findSpending(database.pool, LANE, START), 'usdc')).toBe(80n)
  })

  it('counts refunds and excess, not withdrawals, and each currency for itself', async () => {
    await store([{ amount: 90n, purpose: 'refund' }], START)
    expect(await stores([{ amount: 11n, purpose: 'excess' }], START)).toBe(false)
    expect(await stores([{ amount: 1_000n, purpose: 'withdraw' }], START)).toBe(true)
    expect(await stores([{ amount: 1_000n, currency: 'eth' }], START)).toBe(true)
    expect(await stores([{ amount: 10n, purpose: 'excess' }], START)).toBe(true)
  })

  it('F124: counts the most that each transaction can cost in the native currency, a raised fee by what it is more', async () => {
    const native: SpendLimit = { currency: 'eth', amount: 100n }
    await store([{ amount: 1_000n, feeCap: 60n }], START, [native])
    await expect(store([{ amount: 1n, feeCap: 41n }], START, [native])).rejects.toBeInstanceOf(SpendLimitError)
    await expect(store([{ amount: 1n, feeCap: 41n, purpose: 'withdraw' }], START, [native])).rejects.toBeInstanceOf(
      SpendLimitError,
    )
    await expect(store([{ amount: 30n, currency: 'eth', feeCap: 11n }], START, [native])).rejects.toBeInstanceOf(
      SpendLimitError,
    )
    await expect(store([{ amount: 30n, topup: 31n, feeCap: 10n }], START, [native])).rejects.toBeInstanceOf(
      SpendLimitError,
    )
    const payout = await createPayout({ amount: 1n })
    const first = attemptOf(payout, 1, 20n)
    await storeAll([first], START, [native])
    const raised = attemptOf({ ...payout, live: [first.signed as StoredAttempt] }, 2, 35n)
    await storeAll([raised], START, [])
    expect(spentOf(await findSpending(database.pool, LANE, START), 'eth')).toBe(95n)
    expect(spentOf(await findSpending(database.pool, LANE, START), 'usdc')).toBe(1_001n)
  })

  it('tells when more fits: when the minutes that stand in the way are over', async () => {
    await store([{ amount: 60n }], START)
    await store([{ amount: 30n }], START + 10 * MINUTE)
    const now = START + 20 * MINUTE
    const spending = await findSpending(database.pool, LANE, now)
    const minute = START - (START % MINUTE)
    expect(fitsAt(spending, LIMIT, 10n, now)).toBe(now)
    expect(fitsAt(spending, LIMIT, 11n, now)).toBe(minute + 61 * MINUTE)
    expect(fitsAt(spending, LIMIT, 71n, now)).toBe(minute + 71 * MINUTE)
    expect(fitsAt(spending, LIMIT, 101n, now)).toBeNull()
    expect(await stores([{ amount: 11n }], minute + 61 * MINUTE - 1)).toBe(false)
    expect(await stores([{ amount: 11n }], minute + 61 * MINUTE)).toBe(true)
  })

  it('keeps no minute longer than a day', async () => {
    await store([{ amount: 60n }], START)
    await store([{ amount: 60n }], START + 25 * HOUR)
    const { rows } = await database.pool.query(`select 1 from lane_spending where currency = 'usdc'`)
    expect(rows).toHaveLength(1)
  })
})
