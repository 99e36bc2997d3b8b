import type { AttemptState } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import type { Lease } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { FillRefunds } from '../deciding/fillRefunds.js'
import type { LaneContext } from '../laneContext.js'
import { ReadAgain } from '../running/foreignSpend.js'
import { LaneTroubles } from '../running/laneTroubles.js'
import type { Sender } from '../signing/sender.js'
import { GenerationResolver } from './generationResolver.js'
import { Tracker } from './tracker.js'

const CHAIN = 9
const SETTLE = 3
const HASH = '0xb10c'
const LEASE: Lease = { name: 'lane', epoch: 1n, signal: new AbortController().signal }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query(
    `insert into leases (name, holder, epoch, expires_at) values ('lane', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour')`,
  )
})
afterAll(() => database.drop())

/** A fill in block 5 that left 3 of its deposit of 100. */
beforeEach(async () => {
  await database.pool.query(
    `truncate payouts, deposits, ledger_transactions, ledger_entries restart identity cascade;
     insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height,
       state, outcome, parked_reason, created_at) values (1, 'tx', 0, '\\x00', '\\x01', 'd', 'd', 'c', 100, 5, 'included', 'fill', 'test', now());
     insert into payouts (purpose, cause, deposit_id, order_id, chain_id, signer, recipient, currency, amount, fees, data, state, generation, inclusions,
       included_height, created_at, updated_at, next_action, next_action_at)
       values ('fill', 'deposit:1', 1, '\\x01', ${CHAIN}, '0x5e', 'r', 'c', 90, 7, '{"excess":"3"}', 'included', 1, 1, 5, now(), now(), 'track', now());
     insert into payout_generations values (1, 1, 'live');
     insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, block_height, block_hash,
       epoch, created_at) values (1, 1, 1, 'pay', ${CHAIN}, 'paid', '0x01', '{"transaction":null,"guards":["1"]}', 1, 'included', 5, '${HASH}', 1, now())`,
  )
})

interface TrackerParts {
  readonly pool: Pick<Pool, 'query'>
  readonly sender: { stored: number }
}

/** A tracker of the lane, while a node shows so many confirmations of the fill. */
const trackerOf = (
  confirmations: number,
  { pool = database.pool, sender = { stored: 0 } }: Partial<TrackerParts> = {},
) => {
  const block = { height: 5n, hash: HASH, time: 1 }
  const state: AttemptState = {
    ...{ status: 'success', block, confirmations, fee: 1n },
    ...{ paid: null, revert: null, txData: null },
  }
  const config = { id: CHAIN, slug: 'nine', rpc: [], confirmations: { fill: 1, success: 1, settle: SETTLE } }
  const adapter = { capabilities: {}, native: { address: 'c' }, lane: { states: async () => [state] } }
  const lane = {
    chain: { config, adapter },
    chains: { get: () => ({ config }) },
    currencies: { find: () => undefined },
    observer: { payouts: () => undefined, failed: () => undefined },
    ...{ pool, clock: { now: () => Date.now() }, address: '0x5e', kind: 'payout', options: { tickMs: 60_000 } },
    log: pino({ level: 'silent' }),
  }
  // CAST: a tracker reads no other member of its lane.
  const context = lane as unknown as LaneContext
  const refunds = new FillRefunds(context)
  return new Tracker({
    lane: context,
    // CAST: no payout is sent.
    sender: Object.assign(sender, { inFlight: new Set<string>(), resend: async () => undefined }) as unknown as Sender,
    resolver: new GenerationResolver({ lane: context, refunds, again: new ReadAgain() }),
    refunds,
    troubles: new LaneTroubles(context),
    onLate: () => undefined,
  })
}

/** Tracks every included payout; returns its state and the parked amount. */
const trackAll = async (confirmations: number, height = 4n + BigInt(confirmations)) => {
  await trackerOf(confirmations).track(LEASE, height, true)
  const { rows } = await database.pool.query<{ state: string; parked: string | null }>(
    `select state, (select sum(-amount)::text from ledger_entries where account = 'parked') as parked from payouts`,
  )
  return rows[0]
}

it('a payment is final only beyond the depth of settlement, also where all are checked after a reorg', async () => {
  expect(await trackAll(SETTLE)).toEqual({ state: 'included', parked: null })
  expect(await trackAll(SETTLE + 1)).toMatchObject({ state: 'final' })
})

it('F131: the depth that one node shows alone makes no payment final', async () => {
  expect(await trackAll(SETTLE + 30, 5n)).toEqual({ state: 'included', parked: null })
})

it('F12: the excess of a final fill is parked where it is too small to be paid back', async () => {
  expect(await trackAll(SETTLE + 1)).toMatchObject({ parked: '3' })
})

it('a lane with nothing open is asked for once a tick, and at once when something was stored or blocks were replaced', async () => {
  await database.pool.query('truncate payouts cascade')
  const asked: unknown[] = []
  const query = (...args: Parameters<Pool['query']>) => {
    asked.push(args)
    return database.pool.query(...args)
  }
  const sender = { stored: 0 }
  // CAST: of the pool nothing else is used.
  const tracker = trackerOf(1, { sender, pool: { query } as unknown as Pool })
  const questionsOf = async (all: boolean) => {
    asked.length = 0
    await tracker.track(LEASE, 5n, all)
    return asked.length
  }
  const questions = await questionsOf(false)
  expect(questions).toBeGreaterThan(0)
  expect(await questionsOf(false)).toBe(0)
  sender.stored += 1
  expect(await questionsOf(false)).toBe(questions)
  expect(await questionsOf(false)).toBe(0)
  expect(await questionsOf(true)).toBe(questions)
})
