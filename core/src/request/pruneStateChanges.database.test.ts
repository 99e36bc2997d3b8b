import { afterAll, beforeAll, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { pruneStateChanges } from './pruneStateChanges.js'

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400_000

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

it('H.3: what transactions moved is forgotten after 90 days, however many they are; the transactions stay', async () => {
  const { pool } = database
  await pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at)
     values ('\\x01', 'success', 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now())`,
  )
  await pool.query(
    `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, status, state_changes, created_at)
     select '\\x01', 'in', 'deposit', 1, n::text, 'success', '[{}]', to_timestamp($1 / 1000.0) - n * interval '1 day' * 90 / 2500
     from generate_series(1, 5001) n`,
    [NOW],
  )
  await pruneStateChanges(pool, NOW)
  const { rows } = await pool.query<{ all: number; kept: number; oldest: Date }>(
    `select count(*)::int as all, count(state_changes)::int as kept, min(created_at) filter (where state_changes is not null) as oldest
     from request_txs`,
  )
  expect(rows[0]).toMatchObject({ all: 5001, kept: 2500 })
  expect(NOW - (rows[0]?.oldest.getTime() ?? 0)).toBe(90 * DAY)
})
