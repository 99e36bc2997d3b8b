import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../database/pool.js'
import { coreMigrations } from '../../database/schema/coreMigrations.js'
import { plainQuery } from '../../testing/plainQuery.js'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { expected, hexOf, insertMade, type Made, query, request, WALLETS } from '../recordModel.test.support.js'
import type { RecordCondition, RecordPosition, RecordQuery } from './recordQuery.js'
import { RecordSearch } from './recordSearch.js'
import { foldCounts } from './recordTotals.js'

let database: TestDatabase
let all: readonly Made[]

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  const drawn = fc.sample(request, { numRuns: 160, seed: 7 })
  const made: Made[] = []
  for (const [at, one] of drawn.entries()) {
    const parent = at % 4 === 3 ? (made[at % 7] ?? null) : null
    const orderId = at % 3 === 0 ? null : `0x${hexOf(at + 100_001)}`
    made.push({ ...one, n: at + 1, id: `0x${hexOf(at + 1)}`, orderId, parent })
  }
  all = made
  for (const one of all) await insertMade(database, one)
  // Half of the changes are folded into the counts, half are not: the total is the sum of both.
  await foldCounts(database.pool)
  await database.pool.query(`update requests set status = status, version = version + 1`)
})
afterAll(() => database.drop())

/** Every page, one after the other. */
const walk = async (search: RecordSearch, asked: RecordQuery): Promise<readonly string[]> => {
  const ids: string[] = []
  let after: RecordPosition | null = null
  do {
    const page = await search.page({ ...asked, after })
    expect(page.rows.length).toBeLessThanOrEqual(asked.limit)
    ids.push(...page.rows.map(({ id }) => id))
    after = page.next
  } while (after !== null)
  return ids
}

describe('the search of requests equals a plain filter over all of them (wire.md 3.1)', () => {
  it.each([
    ['in windows as large as in service', undefined],
    ['in windows so small that a page needs many', [2, 5] as const],
  ])(
    '%s: pages and totals',
    async (_name, windows) => {
      const search = new RecordSearch({
        pool: database.pool,
        ...(windows === undefined ? {} : { windows: [...windows] }),
      })
      await fc.assert(
        fc.asyncProperty(query, async (asked) => {
          const wanted = expected(all, asked)
          expect(await walk(search, asked)).toEqual(wanted)
          expect(await search.total(asked)).toBe(wanted.length)
        }),
        { numRuns: windows === undefined ? 250 : 60 },
      )
    },
    180_000,
  )

  it.each([
    [
      'a status beside a chain',
      [
        ['destinationChainId', ['1']],
        ['status', ['success', 'waiting']],
      ],
    ],
    ['more chains than there are walks', [['destinationChainId', Array.from({ length: 21 }, (_, n) => String(n))]]],
    [
      'more pairs of chains',
      [
        ['originChainId', ['1', '2', '3', '4', '5']],
        ['destinationChainId', ['1', '2', '3', '4', '5']],
      ],
    ],
  ] as const)('%s: no value is bound that the statement does not name', async (_name, conditions) => {
    const asked = plainQuery(
      conditions.map(([field, values]): RecordCondition => ({ field, not: false, values: [...values] })),
    )
    expect(await walk(new RecordSearch({ pool: database.pool }), asked)).toEqual(expected(all, asked))
  })

  it.each([true, false])(
    'what is written while a page is looked for neither doubles nor hides a request: newest first %s',
    async (descending) => {
      const other = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
      const still = all.filter(({ parent }) => parent === null).map((one) => ({ ...one, status: 'pending' }))
      for (const one of still) await insertMade(other, one)
      const [sample] = still
      if (sample === undefined) throw new Error('There are no requests')
      let n = 1_000
      const add = async (createdAt: number): Promise<void> => {
        n += 1
        const filler = { id: `0x${hexOf(n)}`, orderId: null, referrer: 'filler', failReason: null, createdAt, txs: [] }
        await insertMade(other, { ...sample, ...filler, n })
      }
      // One of each second.
      const leave = () =>
        other.pool.query(
          `update requests set status = 'submitted' where id in (select distinct on (created_at) id from requests
             where referrer = 'filler' and status = 'pending' order by created_at, seq)`,
        )
      if (!descending) for (let filler = 0; filler < 168; filler += 1) await add(100 + (filler % 21))
      // Before each statement one request comes in where the walk begins, or some leave it all along.
      const write = () => (descending ? add(120) : leave())
      const busy = new Proxy(other.pool, {
        get: (pool, name) =>
          name !== 'query'
            ? Reflect.get(pool, name)
            : async (...query: Parameters<typeof pool.query>) => {
                await write()
                return pool.query(...query)
              },
      })
      const pending: RecordCondition = { field: 'status', not: false, values: ['pending'] }
      const wantedOnes: RecordCondition = { field: 'referrer', not: true, values: ['filler'] }
      const asked = plainQuery([pending, wantedOnes], { ranges: { time: { from: 100, to: 120 } }, descending })
      try {
        const wanted = expected(still, asked)
        expect(wanted.length).toBeGreaterThan(4)
        expect(await walk(new RecordSearch({ pool: busy, windows: [3, 4] }), asked)).toEqual(wanted)
      } finally {
        await other.drop()
      }
    },
  )

  describe('what takes too long', () => {
    /** A pool whose statements of the places given, counted from 0, are ended by the server for taking too long. */
    const hurried = async (places: readonly number[]) => {
      const impatient = createPool({ connectionString: database.url, max: 1, applicationName: 'test', statementMs: 20 })
      let statements = 0
      const pool = new Proxy(database.pool, {
        get: (own, name) =>
          name !== 'query'
            ? Reflect.get(own, name)
            : (...asked: Parameters<typeof own.query>) =>
                places.includes(statements++) ? impatient.query('select pg_sleep(10)') : own.query(...asked),
      })
      // Each look at the clock is a hundredth of a millisecond later: however busy the machine, the large window is tried.
      let time = 0
      const now = () => (time += 0.01)
      return { search: new RecordSearch({ pool, windows: [5, 1_000], now }), end: () => impatient.end() }
    }
    const asked = plainQuery([{ field: 'failReason', not: false, values: ['SLIPPAGE'] }], { limit: 50 })

    it('a large window is looked at in small ones; later ones end the page early, with a way on', async () => {
      const { search, end } = await hurried([1, 3])
      const page = await search.page(asked)
      expect(page.rows.length).toBeLessThan(10)
      expect(page.next).not.toBeNull()
      const rest = await search.page({ ...asked, after: page.next })
      expect([...page.rows, ...rest.rows].map(({ id }) => id).slice(0, 50)).toEqual(expected(all, asked).slice(0, 50))
      await end()
    })

    it.each([[0], [1, 2]])('a search that finds nothing in time is SERVICE_UNAVAILABLE: %s', async (...places) => {
      const { search, end } = await hurried(places)
      await expect(search.page(asked)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      await end()
    })

    it('so is a total (wire.md K.3 4)', async () => {
      const holder = await database.pool.connect()
      try {
        await holder.query('begin')
        await holder.query('lock table requests in access exclusive mode')
        const counted = new RecordSearch({ pool: database.pool }).total(asked)
        await expect(counted).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      } finally {
        await holder.query('rollback')
        holder.release()
      }
    })
  })

  it('symbols compare without case, as the database folds them', async () => {
    const search = new RecordSearch({ pool: database.pool })
    const bySymbol = async (values: readonly string[]) =>
      search.total(plainQuery([{ field: 'currencyInSymbol', not: false, values }]))
    const stored = (symbol: string) => all.filter(({ symbolIn }) => symbolIn === symbol).length
    expect(stored('Ξth')).toBeGreaterThan(0)
    expect(await bySymbol(['ΞTH'])).toBe(stored('Ξth'))
    expect(await bySymbol(['Usdc', 'Ξth'])).toBe(stored('usdc') + stored('Ξth'))
  })

  it.each(['term', 'wallet', 'user'] as const)(
    '%s: a word that is found twice in a request ends no search early',
    async (field) => {
      const search = new RecordSearch({ pool: database.pool, windows: [2, 5] })
      for (const values of [...WALLETS.map((word) => [word]), WALLETS]) {
        const refunded: RecordCondition = { field: 'status', not: false, values: ['refund'] }
        const asked = plainQuery([{ field, not: false, values }, refunded], {
          ranges: { time: { from: 100, to: 118 } },
        })
        expect(await walk(search, asked)).toEqual(expected(all, asked))
      }
    },
  )
})
