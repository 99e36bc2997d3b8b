import { afterAll, beforeAll, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { serializeTerms } from '../quote/quoteTerms.js'
import { factsWith, ID } from '../record/build/recordFixture.test.support.js'
import { loadRecordFacts } from '../record/recordFacts.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { type MovedAmounts, saveMoved } from './movedAmounts.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

it('the record reads the moved amounts exactly as they were saved', async () => {
  const { pool } = database
  const id = Buffer.from(ID.slice(2), 'hex')
  await pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at)
     values ($1, 'success', 1, 2, 'a', 'b', 'u', 'r', 1, 1, $2, now(), now(), now())`,
    [id, serializeTerms(factsWith().terms)],
  )
  await pool.query(`insert into request_facts (request_id, quoted, body) values ($1, '{}', '{}')`, [id])
  const kept = async (amounts: Omit<MovedAmounts, 'requestId'>) => {
    await withTransaction(pool, (client) => saveMoved(client, [{ requestId: ID, ...amounts }]))
    const facts = (await loadRecordFacts(pool, [{ id: ID, unpaid: false }])).get(ID)
    return [facts?.given, facts?.received, facts?.refunded]
  }
  const huge = 10n ** 77n + 1n
  expect(await kept({ amountIn: 3n, amountOut: huge })).toEqual([3n, huge, null])
  expect(await kept({ refunded: huge })).toEqual([null, null, huge])
  expect(await kept({})).toEqual([null, null, null])
})
