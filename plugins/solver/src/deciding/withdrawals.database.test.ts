import { ServiceError } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import type { Chain } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { LaneTroubles } from '../running/laneTroubles.js'
import { Withdrawals } from './withdrawals.js'
import type { Testimony } from './witnesses.js'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

/** A settled deposit of 100 whose refund is final. */
beforeEach(async () => {
  await database.pool.query(
    `truncate payouts, deposits, ledger_transactions, ledger_entries restart identity cascade;
     insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height,
       state, outcome, parked_reason, created_at) values (9, 'tx', 0, '\\x00', '\\x01', 'd', 'd', 'c', 100, 5, 'included', 'refund', 'test', now());
     insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at)
       values ('refund', 'deposit:1', 1, 9, '0x5e', 'r', 'c', 99, 'final', now(), now());
     select post_ledger('deposit:1', 'included:1', now(), '[{"account":"depository","chainId":9,"currency":"c","amount":"100"},
       {"account":"owed","chainId":9,"currency":"c","amount":"-100"}]')`,
  )
})

let witnessed: Testimony = 'known'

const withdraw = async (adapter: Partial<Chain['adapter']>, providers = ['one', 'two']): Promise<string[]> => {
  const rpc = providers.map((provider) => ({ url: `http://${provider}.invalid`, provider }))
  const chain = {
    config: { id: 9, slug: 'nine', rpc, confirmations: { settle: 1 } },
    adapter: { lane: {}, ...adapter },
  }
  const observer = { failed: () => undefined }
  const native = { chainId: 9, address: 'c' }
  const currencies = { native: () => native, find: () => native }
  const clock = { now: () => 1_000 }
  const lane = { pool: database.pool, clock, chain, address: '0x5e', allocator: {}, observer, currencies }
  // CAST: withdrawals ask nothing else of their lane.
  const context = { ...lane, log: pino({ level: 'silent' }) } as unknown as LaneContext
  const withdrawals = new Withdrawals({
    lane: context,
    troubles: new LaneTroubles(context),
    witnesses: { ask: async () => witnessed },
  })
  await withdrawals.run(100n)
  const { rows } = await database.pool.query<{ amount: string }>(
    `select amount::text as amount from payouts where purpose = 'withdraw' and state = 'ready'`,
  )
  return rows.map(({ amount }) => amount)
}

const reference = { tx: { id: 'tx' }, position: 0, source: 'test', reason: 'test' }

it('F05: a deposit is withdrawn once two providers confirm it, where there are two', async () => {
  const asked: unknown[] = []
  const confirmDeposit: Chain['adapter']['confirmDeposit'] = async (claim, demand) => {
    asked.push({ amount: claim.money.amount, ...demand })
    return true
  }
  expect(await withdraw({ confirmDeposit })).toEqual(['100'])
  await database.pool.query(`delete from payouts where purpose = 'withdraw'`)
  expect(await withdraw({ confirmDeposit }, ['one'])).toEqual(['100'])
  expect(asked).toEqual([
    { amount: 100n, agreeing: 2 },
    { amount: 100n, agreeing: 1 },
  ])
})

it('a deposit is withdrawn once the payment for it is final, and not while that is only in a block', async () => {
  await database.pool.query(`update payouts set state = 'included', next_action = 'track', next_action_at = now()`)
  expect(await withdraw({ confirmDeposit: async () => true })).toEqual([])
  await database.pool.query(`update payouts set state = 'final', next_action = null, next_action_at = null`)
  expect(await withdraw({ confirmDeposit: async () => true })).toEqual(['100'])
})

it('F05: what one provider made up is never withdrawn: it is a loss, and the books say so', async () => {
  const gone = { ...reference, finding: 'missing' } as const
  expect(await withdraw({ confirmDeposit: async () => false, recheckDeposits: async () => [gone] })).toEqual([])
  const { rows } = await database.pool.query('select state from deposits')
  expect(rows).toEqual([{ state: 'reorged' }])
})

it('F05: no more is withdrawn than it brought, by what most providers show', async () => {
  // CAST: what is looked at of a deposit.
  const deposit = { tx: { id: 'tx' }, orderId: '0x01', money: { currency: 'c', amount: 60n }, block: null } as never
  const shown = { ...reference, finding: 'present', deposit } as const
  const confirmDeposit: Chain['adapter']['confirmDeposit'] = async ({ money }) => money.amount === 60n
  const adapter = { confirmDeposit, recheckDeposits: async () => [shown] }
  expect(await withdraw(adapter)).toEqual([])
  expect(await withdraw(adapter)).toEqual(['60'])
})

it('nothing is withdrawn while too few providers answer', async () => {
  const confirmDeposit = async () => {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few answer.')
  }
  expect(await withdraw({ confirmDeposit })).toEqual([])
})

it('F120: nothing is withdrawn while it is not known what payout keys of before took', async () => {
  witnessed = 'unknown'
  try {
    expect(await withdraw({ confirmDeposit: async () => true })).toEqual([])
  } finally {
    witnessed = 'known'
  }
})

it('F120: what a payout key of before took, unknown to an older database, is its withdrawal and not taken again', async () => {
  const take = (signer: string) =>
    database.pool.query(
      `insert into imported_transactions (chain_id, tx_id, signer, guard_keys, order_id, purpose, recipient, currency, amount, status,
         created_at) values (9, 'taken by ' || $1, $1, '["1"]', '\\x01', 'withdraw', $1, 'c', 100, 'success', now())`,
      [signer],
    )
  await take('0x01d')
  expect(await withdraw({ confirmDeposit: async () => true })).toEqual([])
  const { rows } = await database.pool.query(`select signer, recipient, state from payouts where purpose = 'withdraw'`)
  expect(rows).toEqual([{ signer: '0x01d', recipient: '0x01d', state: 'signed' }])
})

it('F120: two deposits of one order and amount, both taken in a lost time, have a payment each', async () => {
  await database.pool.query(
    `truncate imported_transactions cascade;
     insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height,
       state, outcome, parked_reason, created_at) values (9, 'tx again', 0, '\\x02', '\\x01', 'd', 'd', 'c', 100, 5, 'included', 'refund', 'test', now());
     insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at)
       values ('refund', 'deposit:2', 2, 9, '0x5e', 'r', 'c', 99, 'final', now(), now());
     select post_ledger('deposit:2', 'included:1', now(), '[{"account":"depository","chainId":9,"currency":"c","amount":"100"},
       {"account":"owed","chainId":9,"currency":"c","amount":"-100"}]');
     insert into imported_transactions (chain_id, tx_id, signer, guard_keys, order_id, purpose, recipient, currency, amount, status, created_at)
       select 9, 'taken ' || n, '0x5e', json_build_array(n::text), '\\x01', 'withdraw', '0x5e', 'c', 100, 'success', now() from generate_series(1, 2) n`,
  )
  expect(await withdraw({ confirmDeposit: async () => true })).toEqual([])
  const { rows } = await database.pool.query(
    `select p.deposit_id::text as deposit, i.tx_id from payouts p join imported_transactions i on i.payout_id = p.id
      where p.purpose = 'withdraw' order by p.deposit_id`,
  )
  expect(rows).toEqual([
    { deposit: '1', tx_id: 'taken 1' },
    { deposit: '2', tx_id: 'taken 2' },
  ])
})

/** A withdrawal takes so much for the network. */
const costing = (amount: bigint): Partial<Chain['adapter']> => ({
  confirmDeposit: async () => true,
  estimatePayoutFee: async ({ purpose }) => {
    expect(purpose).toBe('withdraw')
    return { validForMs: 1_000, network: { currency: 'c', amount } }
  },
})

it('what one payment cannot carry stays in the depository (chains.md xrpvm 10)', async () => {
  const payable: Chain['adapter']['payable'] = ({ amount }) => amount - (amount % 30n)
  const shown: bigint[] = []
  const confirmDeposit: Chain['adapter']['confirmDeposit'] = async ({ money }) => shown.push(money.amount) > 0
  expect(await withdraw({ confirmDeposit, payable })).toEqual(['90'])
  expect(shown).toEqual([100n])
})

it('F120: what was sent for a balance goes by its own id, since many have the marker of its wallet', async () => {
  const wallet = `0x${'f1'.repeat(20)}`
  await database.pool.query(
    `truncate payouts, imported_transactions cascade;
     delete from deposits;
     insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height, state, outcome, holder, created_at)
       values (9, 'tx', 0, '\\x0a', '\\x01', 'd', 'd', 'c', 100, 5, 'included', 'balance', '${wallet}', now());
     select post_ledger('deposit:2', 'included:1', now(), '[{"account":"depository","chainId":9,"currency":"c","amount":"100"},
       {"account":"owed","chainId":9,"currency":"c","amount":"-100"}]');
     insert into imported_transactions (chain_id, tx_id, signer, guard_keys, order_id, purpose, recipient, currency, amount, status, created_at)
       values (9, 'of another one', '0x5e', '["1"]', '\\x01', 'withdraw', '0x5e', 'c', 100, 'success', now())`,
  )
  const shown: unknown[] = []
  const confirmDeposit: Chain['adapter']['confirmDeposit'] = async ({ orderId }) => shown.push(orderId) > 0
  expect(await withdraw({ ...costing(1n), confirmDeposit })).toEqual(['100'])
  // Its chain shows the marker.
  expect(shown).toEqual(['0x01'])
  const { rows } = await database.pool.query(
    `select encode(order_id, 'hex') as id from payouts where purpose = 'withdraw'`,
  )
  expect(rows).toEqual([{ id: '0a' }])
})

it('F149: what became balance stays in the depository while its withdrawal costs more than it', async () => {
  await database.pool.query(
    `truncate payouts, imported_transactions cascade;
     delete from deposits;
     insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height, state, outcome, holder, created_at)
       values (9, 'tx', 0, '\\x0a', '\\x01', 'd', 'd', 'c', 100, 5, 'included', 'balance', '0x' || repeat('5a', 20), now());
     select post_ledger('deposit:2', 'included:1', now(), '[{"account":"depository","chainId":9,"currency":"c","amount":"100"},
       {"account":"owed","chainId":9,"currency":"c","amount":"-100"}]')`,
  )
  const away: Partial<Chain['adapter']> = {
    ...costing(1n),
    estimatePayoutFee: async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'away')
    },
  }
  expect([await withdraw(costing(101n)), await withdraw(away)]).toEqual([[], []])
  expect(await withdraw(costing(100n))).toEqual(['100'])
})
