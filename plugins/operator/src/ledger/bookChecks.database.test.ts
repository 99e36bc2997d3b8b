import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookChecks } from './bookChecks.js'
import { BookWorld, HAPPENINGS, type Happening } from './bookWorld.test.support.js'
import { checkBooks, runBookChecks } from './runBookChecks.js'

let database: TestDatabase
let world: BookWorld

const happening = fc.record({ what: fc.constantFrom(...HAPPENINGS), pick: fc.nat({ max: 10_000 }) })

/** A story in which everything a check looks at exists: something parked, a fill and a refund that are final, a fill that is not. */
const FULL_STORY: readonly (readonly [Happening, number])[] = [
  ['top up', 80],
  ['stray deposit', 0],
  ...(['fill', 'refund'] as const).flatMap((outcome): [Happening, number][] => [
    ['deposit', 1],
    // Wallets earn by the fill.
    [outcome, 5],
    // Odd is the lane of the destination, which fills; even that of the origin, which refunds.
    ['sign', outcome === 'fill' ? 1 : 0],
    ['include', 0],
    ['finish', 0],
  ]),
  ['deposit', 1],
  // It has a sponsor.
  ['fill', 3],
  // One payment in a deposit, another that waits.
  ['address payment', 1],
  ['look', 1],
  ['swept', 0],
  ['address payment', 7],
]

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  world = new BookWorld(database.pool)
  await world.open()
  for (const [what, pick] of FULL_STORY) await world.happen(what, pick)
})
afterAll(() => database.drop())

describe('the ledger check', () => {
  /** Each writes past every trigger and constraint what the check of that name must find. */
  const corruptions: Readonly<Record<string, string>> = {
    unbalanced: 'update ledger_entries set amount = amount + 1 where ctid = (select max(ctid) from ledger_entries)',
    'empty-transaction': `delete from ledger_entries where transaction_id = (select max(id) from ledger_transactions)`,
    'wallet-sum': 'update wallet_books set amount = amount + 1 where ctid = (select max(ctid) from wallet_books)',
    'posting-without-event': `update ledger_transactions set cause = 'payout:999999' where id = (select max(id) from ledger_transactions where cause like 'payout:%')`,
    'deposit-belongs': `alter table deposits drop constraint deposits_belong; update deposits set request_id = null where id = (select min(id) from deposits where request_id is not null)`,
    'deposit-booking': `update deposits set amount = amount + 1 where id = (select min(id) from deposits where state = 'included')`,
    'payout-booking': `update payouts set amount = amount - 1 where id = (select min(id) from payouts where state = 'final')`,
    'payout-debt': `update payouts set fees = fees + 1 where id = (select min(id) from payouts where purpose <> 'fill' and purpose <> 'withdraw' and state in ('included', 'final'))`,
    'integrator-fee': `update ledger_entries set holder = 'another' where holder is not null`,
    'gas-booking': `update payout_attempts set fee = fee + 1 where tx_id = (select min(tx_id) from payout_attempts where state = 'included')`,
    'deposit-overspent': `update payouts set fees = fees + 1 where id = (select min(id) from payouts where purpose in ('refund', 'excess') and state <> 'abandoned')`,
    'paid-twice': `insert into payouts (purpose, cause, deposit_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action, next_action_at)
      select 'refund', cause || ' again', deposit_id, chain_id, signer, recipient, currency, 1, 'ready', now(), now(), 'sign', now() from payouts where purpose = 'fill' and state = 'final' limit 1`,
    'outcome-payout': `update deposits set outcome = case outcome when 'fill' then 'refund' else 'fill' end where id = (select min(id) from deposits where outcome is not null)`,
    'status-payout': `update requests set status = 'refund' where status = 'success'`,
    'debt-without-action': `update ledger_entries set account = 'owed' where ctid in (
        select e.ctid from ledger_entries e join ledger_transactions t on t.id = e.transaction_id join deposits d on t.cause = 'deposit:' || d.id
        where e.account = 'parked' and d.request_id is null and d.outcome is null and d.state = 'included')`,
    'next-action': `alter table payouts drop constraint payouts_next_action; update payouts set next_action = null where id = (select max(id) from payouts where next_action is not null)`,
    'address-accounts': `update ledger_entries set account = 'capital' where account = 'unswept'`,
    'address-ledger': `update deposit_address_books set gone = gone + 1, arrived = arrived + 2`,
    'address-books': `update deposit_arrivals set amount = amount + 1`,
    'arrival-deposit': `update deposits set currency = 'other' where id = (select min(taken_by) from deposit_arrivals)`,
    'balance-sum': 'update app_balances set amount = amount + 1 where ctid = (select max(ctid) from app_balances)',
    'balance-negative': `update ledger_entries set amount = amount + 1000000 where account = 'app' and amount < 0`,
    'sponsored-fill': `update payouts set data = replace(data, '"amount":"16"', '"amount":"17"') where data like '%"sponsorship"%'`,
    'open-earning': `update payouts set earning = 'settled' where earning = 'open'`,
    'open-claim': `update ledger_entries set account = 'claimed' where account = 'app' and amount < 0`,
    'fast-fill-collateral': `update ledger_entries set account = 'collateral' where account = 'app' and amount < 0`,
    'fast-fill-exposure': `update ledger_entries set account = 'exposure', amount = -amount where account = 'app' and amount < 0`,
    'order-owner': `update orders set consumed_by = (select min(id) from deposits where request_id is null) where order_id = (select min(order_id) from orders where consumed_by is not null)`,
  }

  it.each(bookChecks.map(({ name }) => name))('finds a planted case of %s, with its ids', async (name) => {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`set local session_replication_role = 'replica'`)
      await client.query(corruptions[name] ?? '')
      const found = (await checkBooks(client)).find(({ check }) => check === name)
      expect(found?.count, name).toBeGreaterThan(0)
      expect(found?.cases[0]?.ids[0]).toMatch(/^(ledger transaction|deposit|payout|request|order|wallet) \S+/)
      expect(found?.remedy).not.toBe('')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('stays silent whatever the money path does, in any order (invariants 1, 4 and 5)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 20, maxLength: 60 }), async (story) => {
        for (const { what, pick } of story) await world.happen(what, pick)
        expect(await runBookChecks(database.pool)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })
})
