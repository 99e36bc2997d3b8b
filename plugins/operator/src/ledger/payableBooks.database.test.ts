import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BookWorld, HAPPENINGS, type Happening } from './bookWorld.test.support.js'
import { runBookChecks } from './runBookChecks.js'

let database: TestDatabase
let world: BookWorld

/** Payments of two significant digits, so that hardly any deposit can be paid back as it is (chains.md xrpvm 10). */
const cut = (amount: bigint): bigint => {
  const unit = 10n ** BigInt(Math.max(amount.toString().length - 2, 0))
  return (amount / unit) * unit
}

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  world = new BookWorld(database.pool, cut)
  await world.open()
})
afterAll(() => database.drop())

const happen = async (...story: readonly (readonly [Happening, number])[]): Promise<void> => {
  for (const [what, pick] of story) await world.happen(what, pick)
}
const payouts = async () => {
  const { rows } = await database.pool.query<Record<'purpose' | 'state' | 'amount' | 'fees' | 'deposit', string>>(
    `select p.purpose, p.state, p.amount::text as amount, p.fees::text as fees, d.amount::text as deposit
     from payouts p join deposits d on d.id = p.deposit_id order by p.id`,
  )
  return rows
}

it('of a deposit with more digits than a payment carries, fill, excess, refund and withdrawal are booked to the unit', async () => {
  // 1234, of which a fill needs 1000; its excess; 1235, which goes back; what remains of both is taken out of the depository.
  await happen(['deposit', 1_234], ['fill', 0], ['sign', 1], ['include', 0], ['finish', 0])
  await happen(['sign', 0], ['include', 0], ['finish', 0], ['withdraw', 0], ['sign', 0], ['include', 0], ['finish', 0])
  await happen(['deposit', 1_235], ['refund', 0], ['sign', 0], ['include', 0], ['finish', 0])
  const deposit = (await payouts()).map((row) => ({ ...row, deposit: BigInt(row.deposit) }))
  expect(deposit.map(({ purpose, state }) => `${purpose} ${state}`)).toEqual([
    'fill final',
    'excess final',
    'withdraw final',
    'refund final',
  ])
  for (const { amount } of deposit) expect(cut(BigInt(amount)).toString()).toBe(amount)
  for (const row of deposit.filter(({ purpose }) => purpose === 'refund'))
    expect(BigInt(row.amount) + BigInt(row.fees)).toBe(row.deposit)
  expect(await runBookChecks(database.pool)).toEqual([])
  const { rows } = await database.pool.query<{ sum: string; owed: string; kept: string }>(
    `select sum(amount)::text as sum, (sum(amount) filter (where account = 'owed'))::text as owed,
       (sum(amount) filter (where account = 'depository'))::text as kept from ledger_entries where chain_id = 1`,
  )
  const [taken] = deposit.filter(({ purpose }) => purpose === 'withdraw')
  const whole = deposit.filter(({ purpose }) => purpose === 'fill' || purpose === 'refund')
  const kept = whole.reduce((sum, row) => sum + row.deposit, 0n) - BigInt(taken?.amount ?? 0)
  expect(rows).toEqual([{ sum: '0', owed: '0', kept: kept.toString() }])
})

it('the ledger check stays silent whatever the money path does with such amounts, in any order (invariants 1 and 5)', async () => {
  const happening = fc.record({ what: fc.constantFrom(...HAPPENINGS), pick: fc.nat({ max: 10_000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 20, maxLength: 60 }), async (story) => {
      await happen(...story.map(({ what, pick }) => [what, pick] as const))
      expect(await runBookChecks(database.pool)).toEqual([])
    }),
    { numRuns: 10 },
  )
})
