import { fromBytea, loadRecordFacts, type RecordFacts, RecordSearch } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageOf } from './pageShapes.js'
import { SEEDED_CHAINS } from './seededChains.js'
import { seededRequest } from './seededRequest.js'
import { checkSeeded, SEEDED_PACKAGES, SEEDED_TEXTS, seedRequests } from './seedRequests.js'

const PLAN = { requests: 1_500, seed: 7 }
const packages = SEEDED_PACKAGES

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages })
  await seedRequests(database.url, PLAN)
})
afterAll(() => database.drop())

it('what the tables tell of a seeded request is what was made, and the n-th is the same each time', async () => {
  const made = Array.from({ length: PLAN.requests }, (_, n) => seededRequest(PLAN, n))
  const found = await loadRecordFacts(
    database.pool,
    made.map(({ id }) => ({ id, unpaid: false })),
  )
  const plain = (facts: RecordFacts | undefined) =>
    facts && { ...facts, txs: [...facts.txs].sort((a, b) => (a.direction < b.direction ? -1 : 1)) }
  for (const facts of made) expect(plain(found.get(facts.id))).toEqual(facts)
})

it('the stored records are current, and those that would be built of the facts', async () => {
  const page = await new RecordSearch({ pool: database.pool }).page(pageOf([], { limit: 200 }), SEEDED_TEXTS.columns)
  const built = await SEEDED_TEXTS.build(database.pool, page.rows)
  expect(page.rows).toHaveLength(200)
  expect(page.rows.filter(({ columns: { made, stale } }) => typeof made !== 'string' || stale !== false)).toEqual([])
  // The second time they are here already.
  for (const _time of [1, 2]) {
    const read = await SEEDED_TEXTS.ofPage(database.pool, page.rows)
    expect(new Map(read.map(({ row, text }) => [row.id, text]))).toEqual(built)
  }
})

it('every status and VM is there, and the triggers kept counts and terms of all', async () => {
  const { rows } = await database.pool.query<{ statuses: number; chains: number }>(
    `select count(distinct status)::int as statuses, count(distinct origin_chain_id)::int as chains from requests`,
  )
  expect(rows).toEqual([{ statuses: 7, chains: SEEDED_CHAINS.length }])
  expect(new Set(SEEDED_CHAINS.map(({ vmType }) => vmType)).size).toBe(9)
  expect((await checkSeeded(database.pool)).requests).toBe(PLAN.requests)
})

it('the searched columns are those that the service would have written', async () => {
  const { rows } = await database.pool.query<{ id: Buffer }>(`select r.id from requests r
    join request_facts f on f.request_id = r.id, lateral search_columns(f.quoted::jsonb, r.terms::jsonb, false) s
    where (r.currency_in, r.currency_out, r.symbol_in, r.symbol_out, r.request_type, r.features, r.amount_usd, r.app_fees_usd)
      is distinct from (s.currency_in, s.currency_out, s.symbol_in, s.symbol_out, s.request_type, s.features, s.amount_usd, s.app_fees_usd)`)
  expect(rows.map(({ id }) => fromBytea(id))).toEqual([])
})

it('indexes are the same as before', async () => {
  const fresh = await createTestDatabase({ packages })
  const indexes = async ({ pool }: TestDatabase) =>
    (await pool.query(`select indexdef from pg_indexes where schemaname = 'public' order by 1`)).rows
  expect(await indexes(database)).toEqual(await indexes(fresh))
  await fresh.drop()
})

it('a database with requests is refused, and left as it was', async () => {
  await expect(seedRequests(database.url, { requests: 10, seed: 8 })).rejects.toThrow(/holds requests/)
  expect((await checkSeeded(database.pool)).requests).toBe(PLAN.requests)
  await seedRequests(database.url, { requests: 10, seed: 8, force: true })
  expect((await checkSeeded(database.pool)).requests).toBe(PLAN.requests + 10)
})
