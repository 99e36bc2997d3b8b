import { afterAll, beforeAll, expect, it } from 'vitest'
import { SqlLive } from '../../address/sqlLive.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import type { Hex } from '../../money/hex.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { DIRECT_KINDS, noteCandidates, removeEndedDirectQuotes } from './directQuotes.js'
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

it('a transaction that names a request counts where its user signed it, while the quote is live', async () => {
  const OTHER: Hex = `0x${'5e'.repeat(32)}`
  const live = `to_timestamp(${NOW + 1_000} / 1000.0)`
  await database.pool.query(`insert into direct_quotes (request_id, chain_id, sender, kind, live_until) values
    ('\\x${REQUEST.slice(2)}', ${CHAIN}, 'user', 'send', ${live}), ('\\x${OTHER.slice(2)}', ${CHAIN}, 'other', 'swap', ${live})`)
  await database.pool.query('delete from direct_transactions')
  const note = (requestId: Hex, id: string, senders: readonly string[], at = NOW, chainId = CHAIN) =>
    noteCandidates(database.pool, chainId, [{ requestId, tx: { id }, senders }], at)
  await note(REQUEST, 'of another sender', ['stranger'])
  await note(REQUEST, 'on another chain', ['user'], NOW, CHAIN + 1)
  await note(REQUEST, 'too late', ['user'], NOW + 1_000)
  await note(`0x${'5f'.repeat(32)}`, 'of no quote', ['user'])
  expect(await known()).toEqual([])
  await report('address 192.0.2.7', 'a1', 'a2', 'a3', 'a4', 'a5')
  await report(null, 'b1', 'b2', 'b3', 'b4', 'b5')
  for (const id of ['c1', 'c1', 'c2']) await note(REQUEST, id, ['fee payer', 'user'])
  expect((await known()).filter((id) => id.startsWith('c'))).toEqual(['c1', 'c2'])
  const liveKinds = async (chainId: number, now: number) => {
    const live = new SqlLive({ pool: database.pool, chainId, now: () => now })
    await live.refresh()
    return DIRECT_KINDS.filter((kind) => live.awaits([kind]))
  }
  expect(await liveKinds(CHAIN, NOW)).toEqual(['send', 'swap'])
  expect(await liveKinds(CHAIN + 1, NOW)).toEqual([])
  expect(await liveKinds(CHAIN, NOW + 1_000)).toEqual([])
  await removeEndedDirectQuotes(database.pool, NOW + 2_000)
  expect((await database.pool.query('select from direct_quotes')).rowCount).toBe(0)
})
