import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { coreMigrations } from './coreMigrations.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

const entries = (amounts: readonly number[]) =>
  JSON.stringify(amounts.map((amount) => ({ account: 'wallet', chainId: 1, currency: 'x', amount: String(amount) })))

it('refuses a ledger transaction that does not sum to zero per currency (invariant 5)', async () => {
  await expect(
    database.pool.query(`select post_ledger('a', 'b', now(), $1::jsonb)`, [entries([1, -2])]),
  ).rejects.toThrow('do not sum to zero')
})

it('posts a cause and event once', async () => {
  const post = () =>
    database.pool.query<{ done: boolean }>(`select post_ledger('c', 'd', now(), $1::jsonb) as done`, [entries([5, -5])])
  expect((await post()).rows[0]?.done).toBe(true)
  expect((await post()).rows[0]?.done).toBe(false)
})

it('lets nobody write or change the ledger but post_ledger', async () => {
  await expect(
    database.pool.query(
      `insert into ledger_entries select transaction_id, account, chain_id, currency, amount from ledger_entries`,
    ),
  ).rejects.toThrow('post_ledger only')
  await expect(database.pool.query('update ledger_entries set amount = 1')).rejects.toThrow('never change')
})
