import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { SqlIdempotentCalls } from '../idempotency/idempotentCallsSql.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { bringFutureDatesBack, LONGEST_HOLD_MS } from './futureDates.js'

const NOW = Date.UTC(2026, 10, 21)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('truncate requests, payouts, deposits, hold_slots, lane_spending cascade'))

const at = (milliseconds: number): string => new Date(NOW + milliseconds).toISOString()

const addRequest = (id: number, action: string, dueIn: number) =>
  database.pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
     values (decode(lpad($1, 2, '0'), 'hex'), 'pending', 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', $4, $4, $4, $2, $3)`,
    [String(id), action, at(dueIn), at(0)],
  )

const addPayout = async (action: string, dueIn: number, broadcastIn: number | null = null): Promise<void> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `with d as (
       insert into deposits (chain_id, tx_id, position, onchain_id, depositor, depository, currency, amount, state, parked_reason, created_at)
       values (1, gen_random_uuid()::text, 0, '\\x00', 'd', 'd', 'c', 5, 'included', 'test', $1) returning id
     )
     insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, generation, created_at,
       updated_at, next_action, next_action_at, first_broadcast_at)
     select 'fill', 'deposit:' || id, id, 2, 's', 'r', 'c', 5, $2, 1, $1, $1, $3, $4, $5 from d returning id::text as id`,
    [at(0), action === 'sign' || action === 'await-limit' ? 'ready' : 'signed', action, at(dueIn), ahead(broadcastIn)],
  )
  if (broadcastIn === null) return
  await database.pool.query(`insert into payout_generations values ($1, 1, 'live', null)`, [rows[0]?.id])
  await database.pool.query(
    `insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, epoch, created_at, broadcast_at)
     values ($1, 1, 1, 'pay', 2, gen_random_uuid()::text, '0x', '{}', 0, 'broadcast', 0, $2, $3)`,
    [rows[0]?.id, at(0), ahead(broadcastIn)],
  )
}

const ahead = (milliseconds: number | null): string | null => (milliseconds === null ? null : at(milliseconds))

/** Minutes from now at which rows of a column lie, in the order of their ids. */
const minutesOf = async (table: string, column: string): Promise<number[]> => {
  const { rows } = await database.pool.query<{ at: Date }>(`select ${column} as at from ${table} order by ctid`)
  return rows.map((row) => Math.round((row.at.getTime() - NOW) / MINUTE)).sort((left, right) => left - right)
}

describe('F129: what was written while the clock was two hours ahead, once it is right again', () => {
  it('a decision and a payout are due now; what waits as long as it may goes on waiting', async () => {
    await addRequest(1, 'decide', 2 * HOUR)
    await addRequest(2, 'decide', MINUTE / 2)
    await addRequest(3, 'await-payout', 10 * MINUTE)
    await addRequest(4, 'await-block', 7 * 24 * HOUR)
    await addRequest(5, 'await-deposit', 8 * 24 * HOUR)
    await addPayout('sign', 2 * HOUR)
    await addPayout('sign', MINUTE / 2)
    await addPayout('await-limit', 60 * MINUTE)
    await addPayout('await-limit', 3 * HOUR)
    await bringFutureDatesBack(database.pool, NOW)
    expect(await minutesOf('requests', 'next_action_at')).toEqual([0, 0, 1, 10, 7 * 24 * 60])
    expect(await minutesOf('payouts', 'next_action_at')).toEqual([0, 0, 1, 60])
  })

  it('the patience with a payment that was sent begins now, not in two hours', async () => {
    await addPayout('track', 0, 2 * HOUR)
    await addPayout('track', 0, -MINUTE)
    await bringFutureDatesBack(database.pool, NOW)
    expect(await minutesOf('payouts', 'first_broadcast_at')).toEqual([-1, 0])
    expect(await minutesOf('payout_attempts', 'broadcast_at')).toEqual([-1, 0])
  })

  it('a hold ends that would last longer than any may; others stay', async () => {
    const slots = [30_000, LONGEST_HOLD_MS, 2 * HOUR].map((end) => Math.ceil((NOW + end) / 5_000))
    for (const slot of slots) await database.pool.query(`insert into hold_slots values (1, 'c', 0, $1, 7, 0)`, [slot])
    await bringFutureDatesBack(database.pool, NOW)
    const { rows } = await database.pool.query<{ slot: bigint }>('select slot from hold_slots order by slot')
    expect(rows.map(({ slot }) => Number(slot))).toEqual(slots.slice(0, 2))
  })

  it('what was signed away counts for an hour from now, and is neither lost nor counted for three', async () => {
    const spend = (minutes: number) =>
      database.pool.query(`insert into lane_spending values (2, 's', $1, 'c', 5)`, [at(minutes * MINUTE)])
    for (const minutes of [-10, 0, 120, 121]) await spend(minutes)
    await bringFutureDatesBack(database.pool, NOW)
    const { rows } = await database.pool.query<{ minute: Date; amount: string }>(
      'select minute, amount::text as amount from lane_spending order by minute',
    )
    expect(rows.map(({ minute, amount }) => [(minute.getTime() - NOW) / MINUTE, amount])).toEqual([
      [-10, '5'],
      [0, '15'],
    ])
  })
})

describe('F129: the server’s own clock was two hours ahead', () => {
  it('a call that a dead process began then may be repeated', async () => {
    const calls = new SqlIdempotentCalls({ pool: database.pool, clock: { now: () => NOW } })
    const call = { id: Buffer.from('01', 'hex'), body: Buffer.from('02', 'hex') }
    expect((await calls.begin(call, 60_000)).kind).toBe('run')
    expect((await calls.begin(call, 60_000)).kind).toBe('running')
    await database.pool.query(`update idempotent_calls set running_until = clock_timestamp() + interval '2 hours'`)
    expect((await calls.begin(call, 60_000)).kind).toBe('run')
  })
})
