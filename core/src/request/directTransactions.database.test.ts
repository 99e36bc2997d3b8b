import { afterAll, beforeAll, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import type { Hex } from '../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { noteDirectTransactions } from './directTransactions.js'

const CHAIN = 70_001
const REQUEST: Hex = `0x${'5d'.repeat(32)}`
const NOW = 1_750_000_000_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

const report = async (reporter: string | null, ...txIds: readonly string[]): Promise<void> => {
  for (const txId of txIds)
    await noteDirectTransactions(database.pool, { chainId: CHAIN, reporter }, [{ requestId: REQUEST, txId }], NOW)
}

const known = async (): Promise<readonly string[]> =>
  (await database.pool.query<{ tx_id: string }>('select tx_id from direct_transactions order by tx_id')).rows.map(
    ({ tx_id }) => tx_id,
  )

it('transactions that other callers report for a request use up no room of its user (faults.md F153)', async () => {
  await report('address 192.0.2.7', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6')
  expect(await known()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
  await report('address 198.51.100.1', 'own', 'replacement')
  await report(null, 'watched')
  expect(await known()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'own', 'replacement', 'watched'])
})
