import { SqlTrackedRequests } from '@causeway/core/host'
import { type ChainRegistry, RecordSearch, withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { boundedPages, commonPages, firstPaid, lookups } from '../seed/pageShapes.js'
import { SEEDED_CHAINS } from '../seed/seededChains.js'
import { SEEDED_PACKAGES, SEEDED_TEXTS, seedRequests } from '../seed/seedRequests.js'

const PLAN = { requests: 15_000, seed: 3 }
/** As small a part of these tables as a search's windows are of large ones. */
const WINDOWS = [300, 600] as const
/** None of them is ever read from end to end. */
const LARGE = new Set([
  'requests',
  'request_terms',
  'request_txs',
  'request_facts',
  'record_texts',
  'deposits',
  'payouts',
  'quote_rows',
  'deposit_arrivals',
])

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: SEEDED_PACKAGES })
  await seedRequests(database.url, PLAN)
}, 400_000)
afterAll(() => database.drop())

/** A pool that notes the statements which go through it. */
const listening = (pool: Pool, heard: Statement[]): Pool =>
  new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (query: string | Statement, values: readonly unknown[] = []) => {
        heard.push(typeof query === 'string' ? { text: query, values } : { text: query.text, values: query.values })
        return typeof query === 'string'
          ? target.query(query, [...values])
          : target.query({ ...query, values: [...query.values] })
      }
    },
  })

const sequentialScans = (node: PlanNode): readonly string[] => [
  ...(node['Node Type'] === 'Seq Scan' && LARGE.has(node['Relation Name'] ?? '') ? [node['Relation Name'] ?? ''] : []),
  ...(node.Plans ?? []).flatMap(sequentialScans),
]

/** The tables read from end to end by the plan for these values, and by the one that is kept for any. */
const scansOf = async ({ text, values }: Statement): Promise<readonly string[]> =>
  withTransaction(database.pool, async (client) => {
    const scans = async (what: string, given: readonly unknown[]) => {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
        `explain (format json) ${what}`,
        [...given],
      )
      return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => sequentialScans(Plan)))
    }
    const ofValues = await scans(text, values)
    await client.query(`set local plan_cache_mode = force_generic_plan; prepare page as ${text}`)
    const kept = await scans(
      values.length === 0 ? 'execute page' : `execute page(${values.map(() => 'null').join(', ')})`,
      [],
    )
    await client.query('deallocate page')
    return [...ofValues, ...kept]
  })

const fullReads = async (statements: readonly Statement[]) => {
  const found: { text: string; scans: readonly string[] }[] = []
  for (const statement of statements) found.push({ text: statement.text, scans: await scansOf(statement) })
  return found.filter(({ scans }) => scans.length > 0)
}

it.each(Object.entries({ ...commonPages(PLAN), ...lookups(PLAN), ...boundedPages(PLAN) }))(
  'no statement of a page reads a whole table, first page and later ones: %s',
  async (_name, query) => {
    const heard: Statement[] = []
    const search = new RecordSearch({ pool: listening(database.pool, heard), windows: WINDOWS })
    const first = await search.page(query, SEEDED_TEXTS.columns)
    if (first.next !== null) await search.page({ ...query, after: first.next }, SEEDED_TEXTS.columns)
    expect(heard.length).toBeGreaterThan(0)
    expect(await fullReads(heard)).toEqual([])
  },
)

it('a transfer is found by any id of it in one statement that reads no whole table', async () => {
  const heard: Statement[] = []
  const chains = SEEDED_CHAINS.map(({ id }) => ({ config: { id } }))
  // CAST: ids and whether a chain is private are all that is read.
  const registry = { all: () => chains } as unknown as ChainRegistry
  const tracked = new SqlTrackedRequests({ pool: listening(database.pool, heard), chains: registry })
  const { id, txs } = firstPaid(PLAN)
  for (const named of [id, txs[0]?.txId ?? '', `0x${'12'.repeat(32)}`, 'nothing']) {
    heard.length = 0
    const found = await tracked.find(named)
    expect([named, found?.requestId]).toEqual([named, named === id || named === txs[0]?.txId ? id : undefined])
    expect(heard).toHaveLength(1)
    expect(await fullReads(heard)).toEqual([])
  }
})

it('kept totals read no request', async () => {
  const heard: Statement[] = []
  const search = new RecordSearch({ pool: listening(database.pool, heard) })
  const { unfiltered, 'status failure': failed } = commonPages(PLAN)
  if (unfiltered === undefined || failed === undefined) throw new Error('No such pages')
  expect(await search.total(unfiltered)).toBe(PLAN.requests)
  await search.total(failed)
  expect(heard).toHaveLength(2)
  for (const { text } of heard) expect(text).not.toMatch(/from requests\b/)
})
