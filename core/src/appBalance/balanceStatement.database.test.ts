import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { type HolderAccount, type LedgerEntry, postLedger } from '../ledger/ledger.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { readAppBalances } from './appBalances.js'
import { NEWEST, readMovements } from './balanceMovements.js'
import { readStatement, StatementTooLongError } from './balanceStatement.js'
import { statementCsv, statementJson } from './statementText.js'

const WALLET = `0x${'5a'.repeat(20)}`
const OTHER = `0x${'0b'.repeat(20)}`
const START = Date.UTC(2026, 10, 1)
const HOUR = 3_600_000
const MANY = 10_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.pool.query(`
    alter table ledger_entries disable trigger user; alter table ledger_transactions disable trigger user;
    truncate ledger_transactions, ledger_entries, app_balances restart identity cascade;
    alter table ledger_entries enable trigger user; alter table ledger_transactions enable trigger user`)
})

// CAST: the texts look for no more than this.
const currencies = {
  find: (_chainId: number, address: string) => (address === 'usd' ? { symbol: 'USD', decimals: 2 } : undefined),
} as unknown as CurrencyRegistry

/** From which account to which; `books` is the deployment's own. */
const WAYS = [
  ['books', 'app'],
  ['books', 'earned'],
  ['books', 'exposure'],
  ['app', 'books'],
  ['app', 'sponsored'],
  ['sponsored', 'app'],
  ['sponsored', 'books'],
  ['earned', 'app'],
  ['app', 'collateral'],
  ['collateral', 'app'],
  ['app', 'claimed'],
  ['claimed', 'books'],
  ['exposure', 'books'],
] as const

const postings = fc.array(
  fc.record({
    way: fc.constantFrom(...WAYS),
    cause: fc.nat({ max: 3 }),
    amount: fc.bigInt({ min: 1n, max: 500n }),
    hour: fc.nat({ max: 48 }),
    currency: fc.constantFrom('usd', 'eur'),
    wallet: fc.constantFrom(WALLET, WALLET, OTHER),
  }),
  { minLength: 1, maxLength: 60 },
)
type Posting = typeof postings extends fc.Arbitrary<readonly (infer Item)[]> ? Item : never

/** More in a wallet's account by so much; in the books that is less, but for what the wallet owes. */
const more = (account: HolderAccount | 'books', amount: bigint, { currency, wallet }: Posting): LedgerEntry =>
  account === 'books'
    ? { account: 'capital', chainId: 7, currency, amount: -amount }
    : { account, chainId: 7, currency, amount: account === 'exposure' ? amount : -amount, holder: wallet }

/** Posts what the balances allow. */
const post = async (list: readonly Posting[]): Promise<void> => {
  for (const [number, posting] of list.entries()) {
    const [from, to] = posting.way
    const entries = [more(from, -posting.amount, posting), more(to, posting.amount, posting)]
    const sum = entries.reduce((total, { amount }) => total + amount, 0n)
    const balanced = [...entries, { account: 'loss' as const, chainId: 7, currency: posting.currency, amount: -sum }]
    const event = `${number}:${Math.random()}`
    await withTransaction(database.pool, (client) =>
      postLedger(client, [{ cause: `payout:${posting.cause}`, event, entries: balanced }], START + posting.hour * HOUR),
    ).catch((error: unknown) => {
      if (!['CW004', 'CW005', '23514'].includes(Reflect.get(Object(error), 'code'))) throw error
    })
  }
}

const ends = ({ accounts }: { readonly accounts: readonly object[] }, end: 'opening' | 'closing') =>
  accounts
    .map((item) => {
      const { account, currency } = item as { account: string; currency: string }
      return [`${account} ${currency}`, BigInt(Reflect.get(item, end))] as const
    })
    .filter(([, amount]) => amount !== 0n)
    .sort(([left], [right]) => (left < right ? -1 : 1))

describe('a statement', () => {
  it('opens where the one before closes, its movements make the difference, and what is closed last is the balance', async () => {
    let told = 0
    await fc.assert(
      fc.asyncProperty(postings, fc.nat({ max: 48 }), fc.nat({ max: 48 }), async (list, one, two) => {
        await post(list)
        const [from, to] = [Math.min(one, two), Math.max(one, two)].map((hour) => START + hour * HOUR) as [
          number,
          number,
        ]
        const read = (start: number, end: number) =>
          readStatement(database.pool, { wallet: WALLET, from: start, to: end, entries: MANY })
        const [before, within, after] = [
          await read(0, from),
          await read(from, to),
          await read(to, START + 1_000 * HOUR),
        ] as const
        expect(ends(within, 'opening')).toEqual(ends(before, 'closing'))
        expect(ends(after, 'opening')).toEqual(ends(within, 'closing'))
        for (const statement of [before, within, after]) {
          const sums = new Map(ends(statement, 'opening'))
          for (const { changes, currency } of statement.movements)
            for (const [account, delta] of Object.entries(changes))
              sums.set(`${account} ${currency}`, (sums.get(`${account} ${currency}`) ?? 0n) + delta)
          const left = [...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
          expect(left).toEqual(ends(statement, 'closing'))
          told += statement.movements.length
        }
        const held = (await readAppBalances(database.pool, WALLET)).flatMap(({ chainId: _, currency, ...accounts }) =>
          Object.entries(accounts).map(([account, amount]) => [`${account} ${currency}`, amount] as const),
        )
        const balances = held.filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
        expect(ends(after, 'closing')).toEqual(balances)
        const lines = statementCsv(after, currencies).trimEnd().split('\r\n')
        for (const closing of lines.filter((line) => line.startsWith('closing,'))) {
          const [, , account, , balance, , , , currency] = closing.split(',')
          const last = lines.filter((line) => {
            const cells = line.split(',')
            return cells[0] !== 'closing' && cells[2] === account && cells[8] === currency
          })
          expect(last.at(-1)?.split(',')[4]).toBe(balance)
        }
      }),
      { numRuns: 25 },
    )
    expect(told).toBeGreaterThan(100)
  })

  it('pages hold each movement once, newest first, whatever number of entries is read at a time', async () => {
    await fc.assert(
      fc.asyncProperty(postings, fc.integer({ min: 1, max: 9 }), async (list, entries) => {
        await post(list)
        const { movements: all } = await readMovements(database.pool, { wallet: WALLET, entries: MANY })
        const paged = []
        for (let before: string | null | undefined; before !== null; ) {
          const page = await readMovements(database.pool, {
            wallet: WALLET,
            entries,
            ...(before === undefined ? {} : { before }),
          })
          paged.push(...page.movements)
          before = page.next
        }
        expect(paged).toEqual(all)
        expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => b - a))
      }),
      { numRuns: 15 },
    )
  })

  it('a page reads no entry of another wallet, however many are newer, by a plan of its own and by one for all', async () => {
    await database.pool.query(
      `select post_ledger('deposit:' || n, 'paid', now(), jsonb_build_array(
         jsonb_build_object('account', 'app', 'chainId', 7, 'currency', 'usd', 'amount', '-1', 'holder', case when n <= 3 then $1 else $2 end),
         jsonb_build_object('account', 'capital', 'chainId', 7, 'currency', 'usd', 'amount', '1'))) from generate_series(1, 1000) n`,
      [WALLET, OTHER],
    )
    await database.pool.query('analyze ledger_entries')
    await database.pool.query('analyze ledger_transactions')
    const client = await database.pool.connect()
    try {
      let text = ''
      // CAST: a client whose statement is looked at.
      const seen = {
        query: async (query: { text: string }) => {
          text = query.text
          return { rows: [] }
        },
      } as unknown as PoolClient
      await readMovements(seen, { wallet: WALLET, entries: 50 })
      await client.query(`prepare page(text, bigint, integer, text) as ${text}`)
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await client.query(`set plan_cache_mode = ${mode}`)
        const { rows } = await client.query(
          `explain (analyze, costs off, timing off) execute page('${WALLET}', ${NEWEST}, 50, null)`,
        )
        const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
        expect(plan).toMatch(/using ledger_entries_wallet on ledger_entries/)
        expect(plan).not.toMatch(/Seq Scan on ledger_|Rows Removed/)
      }
    } finally {
      client.release(true)
    }
  })

  it('is refused where more was posted than it may tell', async () => {
    const posting = { way: ['books', 'app'], amount: 5n, hour: 1, currency: 'usd', wallet: WALLET } as const
    await post([
      { ...posting, cause: 1 },
      { ...posting, cause: 2 },
    ])
    const period = { wallet: WALLET, from: START, to: START + 9 * HOUR }
    await expect(readStatement(database.pool, { ...period, entries: 1 })).rejects.toThrow(StatementTooLongError)
    const { movements } = await readStatement(database.pool, { ...period, entries: 2 })
    expect(movements).toHaveLength(2)
  })

  it('as CSV names the amounts of known currencies, and begins no field as a formula', async () => {
    await post([{ way: ['books', 'app'], amount: 1_250n, hour: 1, currency: 'usd', wallet: WALLET, cause: 1 }])
    await withTransaction(database.pool, (client) =>
      postLedger(
        client,
        [
          {
            cause: '=cmd',
            event: 'a "b", c',
            entries: [
              { account: 'capital', chainId: 7, currency: 'eur', amount: 3n },
              { account: 'app', chainId: 7, currency: 'eur', amount: -3n, holder: WALLET },
            ],
          },
        ],
        START + 2 * HOUR,
      ),
    )
    const statement = await readStatement(database.pool, {
      wallet: WALLET,
      from: START,
      to: START + 9 * HOUR,
      entries: 9,
    })
    const lines = statementCsv(statement, currencies).split('\r\n')
    expect(lines[0]?.split(',')).toHaveLength(13)
    expect(lines[3]).toContain('movement,2026-11-01T01:00:00.000Z,app,1250,1250,12.5,USD,7,usd,balance-topup,payout:1,')
    expect(lines[4]).toBe(`movement,2026-11-01T02:00:00.000Z,app,3,3,,,7,eur,balance-topup,'=cmd,"a ""b"", c",`)
    expect(statementJson(statement, currencies).accounts).toMatchObject([
      { currency: 'eur', symbol: null, opening: '0', closing: '3' },
      { currency: 'usd', symbol: 'USD', decimals: 2, account: 'app', opening: '0', closing: '1250' },
    ])
  })
})
