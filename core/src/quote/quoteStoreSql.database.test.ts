import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { ServiceError } from '../errors/serviceError.js'
import { HttpError } from '../http/httpError.js'
import type { Hex } from '../money/hex.js'
import { saveInventory } from '../money/inventory.js'
import { insertRequests } from '../request/insertRequests.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import type { NewQuote } from './quoteStore.js'
import { removeEndedHolds, SqlQuoteStore } from './quoteStoreSql.js'
import type { QuoteTerms } from './quoteTerms.js'
import { StorageBudget } from './storageBudget.js'

const CHAIN = 7
const CURRENCY = '0xc0'
const NATIVE = '0x00'
const HOLD_SECONDS = 30

let database: TestDatabase
let now: number
let store: SqlQuoteStore
let budget: StorageBudget

const clock = { now: () => now }
const newBudget = (bytesPerDay: number, callerBytesPerDay = bytesPerDay) =>
  new StorageBudget({ pool: database.pool, clock, bytesPerDay, callerBytesPerDay })
const newStore = (own: Pick<StorageBudget, 'take'>) =>
  new SqlQuoteStore({
    pool: database.pool,
    clock,
    anonymousHoldBps: 2_500,
    callerHoldBps: 2_000,
    keepDays: 30,
    budget: own,
  })

beforeEach(async () => {
  now = Date.UTC(2026, 10, 21)
  database = await createTestDatabase({
    packages: [{ name: '@causeway/core', migrations: coreMigrations }],
    poolSize: 30,
  })
  budget = newBudget(Number.MAX_SAFE_INTEGER)
  store = newStore(budget)
})
afterEach(() => database.drop())

const own = (balance: bigint) =>
  saveInventory(
    database.pool,
    [{ chainId: CHAIN, currency: CURRENCY, balance, height: 1n }],
    { signer: 's', native: 'n' },
    now,
  )

const randomHex = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** What became of a quote: `held`, `unheld` or its refusal; without a holder, of a trusted caller. */
const insert = async (amount: bigint, holder: string | null = null, topup?: bigint): Promise<string> =>
  (await insertQuote(amount, holder, topup)).outcome

const newQuote = (amount: bigint, holder: string | null, topup?: bigint, requestId = randomHex()): NewQuote => {
  const side = { chainId: CHAIN, currency: CURRENCY }
  const terms: QuoteTerms = {
    requestId,
    orderId: randomHex(),
    tradeType: 'EXACT_INPUT',
    user: 'u',
    recipient: { address: 'r' },
    refundTo: { address: 'u' },
    origin: side,
    destination: side,
    depositAmount: amount,
    minimumDeposit: amount,
    payoutAmount: amount,
    minimumPayout: amount,
    fillCost: 0n,
    networkFee: 0n,
    feesIn: 0n,
    quotedAt: now,
    priceUntil: now + 30_000,
    orderDeadline: Math.floor(now / 1000) + 600,
    fillBy: null,
    latePaymentSlippageBps: 0,
    trueExactOutput: false,
    forceRefund: false,
    ...(topup === undefined ? {} : { topup: { currency: NATIVE, amount: topup } }),
  }
  return {
    terms,
    caller: { integratorId: null, apiKeyId: null },
    body: '{}',
    quoted: '{}',
    order: '{}',
    referrer: null,
    holder,
    hold: {
      ...{ ...side, amount, seconds: HOLD_SECONDS },
      ...(topup === undefined ? {} : { topup: { currency: NATIVE, amount: topup } }),
    },
  }
}

const insertQuote = async (...made: Parameters<typeof newQuote>) => {
  const quote = newQuote(...made)
  const outcome = await store.insert(quote).catch((error: unknown) => {
    if (ServiceError.is(error)) return error.code
    return HttpError.is(error) ? String(error.status) : Promise.reject(error)
  })
  return { outcome, terms: quote.terms }
}

const countOf = (outcomes: readonly string[], outcome: string) => outcomes.filter((item) => item === outcome).length

it.each([
  { balance: 1_000n, amount: 100n, quotes: 50, fit: 10 },
  { balance: 1_000n, amount: 1n, quotes: 200, fit: 200 },
  { balance: 1_000n, amount: 7n, quotes: 200, fit: 142 },
  { balance: 1_000n, amount: 1_000n, quotes: 20, fit: 1 },
])(
  '$quotes quotes of $amount at once against $balance: exactly $fit are held (architecture.md 3, step 1)',
  async ({ balance, amount, quotes, fit }) => {
    await own(balance)
    const outcomes = await Promise.all(Array.from({ length: quotes }, () => insert(amount)))
    expect(countOf(outcomes, 'held')).toBe(fit)
    expect(countOf(outcomes, 'INSUFFICIENT_LIQUIDITY')).toBe(quotes - fit)
    expect(await store.available(CHAIN, CURRENCY)).toBe(balance - amount * BigInt(fit))
    const { rows } = await database.pool.query<{ quotes: number }>('select count(*)::int as quotes from quotes')
    expect(rows[0]?.quotes).toBe(fit)
  },
)

/** The strangers of a test, each a caller of its own. */
const strangers = (count: number) => Array.from({ length: count }, (_, at) => `stranger ${at}`)

describe('callers whom nobody vouches for (architecture.md 3, step 1; faults.md F134)', () => {
  it('hold at most their part together, at once too; beyond it they are quoted without a hold, and the trusted get the rest', async () => {
    await own(1_000n)
    const outcomes = await Promise.all(strangers(20).map((holder) => insert(50n, holder)))
    expect([countOf(outcomes, 'held'), countOf(outcomes, 'unheld')]).toEqual([5, 15])
    expect(await insert(750n)).toBe('held')
    expect(await insert(1n, 'late')).toBe('INSUFFICIENT_LIQUIDITY')
  })

  it('one alone holds its share of that part, at once too; nobody is promised more than is free', async () => {
    await own(1_000n)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => insert(10n, 'greedy')))
    expect([countOf(outcomes, 'held'), countOf(outcomes, 'unheld')]).toEqual([5, 15])
    expect(await insert(50n, 'another')).toBe('held')
    expect(await insert(900n, 'greedy')).toBe('unheld')
    expect(await insert(901n, 'greedy')).toBe('INSUFFICIENT_LIQUIDITY')
  })

  it('so it is where holds are spread over stripes', async () => {
    await own(1_000_000n)
    const outcomes = await Promise.all(Array.from({ length: 90 }, () => insert(1_000n, 'greedy')))
    expect([countOf(outcomes, 'held'), countOf(outcomes, 'unheld')]).toEqual([50, 40])
  })

  it('who lets a whole share lapse has half of it, and all again after ten minutes', async () => {
    await own(1_000n)
    const most = async () => {
      let held = 0
      while ((await insert(1n, 'idler')) === 'held') held += 1
      return held
    }
    const shares: number[] = []
    for (let round = 0; round < 4; round += 1) {
      shares.push(await most())
      now += HOLD_SECONDS * 1000 + 5_000
    }
    expect(shares).toEqual([50, 25, 25, 12])
    expect(await insert(50n, 'another')).toBe('held')
    now += 600_000
    expect(await most()).toBe(50)
  })

  it('small quotes that lapse cost nothing of the share before they add up to one', async () => {
    await own(1_000n)
    for (let round = 0; round < 4; round += 1) {
      expect(await insert(10n, 'shopper')).toBe('held')
      now += HOLD_SECONDS * 1000 + 5_000
    }
    expect(await insert(50n, 'shopper')).toBe('held')
  })

  it('what was filled for one may be held again, outside of the part of all, and makes up for what lapsed', async () => {
    await own(1_000n)
    const { terms } = await insertQuote(300n, 'payer')
    await withTransaction(database.pool, (client) =>
      insertRequests(client, [{ terms, parent: null, refundReason: null }], now),
    )
    const paid = () => database.pool.query('select amount::text from hold_payments')
    expect((await paid()).rows).toEqual([])
    await database.pool.query(
      `update requests set status = 'success', next_action = null, next_action_at = null, committed = false`,
    )
    expect((await paid()).rows).toEqual([{ amount: '300' }])
    expect(await Promise.all(strangers(5).map((holder) => insert(50n, holder)))).toEqual(Array(5).fill('held'))
    expect(await insert(300n, 'payer')).toBe('held')
    expect(await insert(51n, 'payer')).toBe('unheld')
    now += HOLD_SECONDS * 1000 + 5_000
    expect(await insert(300n, 'payer')).toBe('held')
    now += 32 * 86_400_000
    await removeEndedHolds(database.pool, now)
    expect((await paid()).rows).toEqual([])
  })

  it('native currency beside a fill is pooled like it, and neither is held where one is not', async () => {
    const both = [
      { chainId: CHAIN, currency: CURRENCY, balance: 1_000n, height: 1n },
      { chainId: CHAIN, currency: NATIVE, balance: 100n, height: 1n },
    ]
    await saveInventory(database.pool, both, { signer: 's', native: NATIVE }, now)
    expect(await insert(10n, 'a', 20n)).toBe('held')
    expect(await insert(10n, 'b', 20n)).toBe('unheld')
    expect([await store.available(CHAIN, CURRENCY), await store.available(CHAIN, NATIVE)]).toEqual([990n, 80n])
    expect(await insert(10n, 'b', 81n)).toBe('INSUFFICIENT_LIQUIDITY')
    expect(await insert(50n, 'b', 5n)).toBe('held')
  })
})

it('native currency that comes beside a fill is held too, both or neither (wire.md G.1)', async () => {
  const both = [
    { chainId: CHAIN, currency: CURRENCY, balance: 1_000n, height: 1n },
    { chainId: CHAIN, currency: NATIVE, balance: 100n, height: 1n },
  ]
  await saveInventory(database.pool, both, { signer: 's', native: NATIVE }, now)
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => insert(10n, null, 30n)))
  expect(countOf(outcomes, 'held')).toBe(3)
  expect(await store.available(CHAIN, CURRENCY)).toBe(970n)
  expect(await store.available(CHAIN, NATIVE)).toBe(10n)
})

describe('quotes with native currency beside the fill, and deposits that release what such quotes hold', () => {
  /** All hold in one stripe, so in the same two rows. */
  const quoted = async () => {
    const { outcome, terms } = await insertQuote(10n, null, 3n, `${randomHex().slice(0, -2)}00` as Hex)
    expect(outcome).toBe('held')
    return terms
  }
  const deposit = (...terms: readonly QuoteTerms[]) =>
    withTransaction(database.pool, (client) =>
      insertRequests(
        client,
        terms.map((item) => ({ terms: item, parent: null, refundReason: null })),
        now,
      ),
    )
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const { rows } = await database.pool.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows[0]?.waiting
      })
      .toBe(count)
  /** Runs `during` while somebody else has the row of the fill's currency. */
  const withRowTaken = (during: () => Promise<void>) =>
    withTransaction(database.pool, async (client) => {
      await client.query('select 1 from hold_slots where currency = $1 for update', [CURRENCY])
      await during()
    })
  const left = async () => [await store.available(CHAIN, CURRENCY), await store.available(CHAIN, NATIVE)]

  beforeEach(async () => {
    const both = [CURRENCY, NATIVE].map((currency) => ({
      ...{ chainId: CHAIN, currency },
      balance: 1_000_000n,
      height: 1n,
    }))
    await saveInventory(database.pool, both, { signer: 's', native: NATIVE }, now)
  })

  it('take the two rows in one order, so that neither waits for the other', async () => {
    const held = await quoted()
    const running: Promise<unknown>[] = []
    await withRowTaken(async () => {
      running.push(quoted())
      await waiting(1)
      running.push(deposit(held))
      await waiting(2)
    })
    await Promise.all(running)
    // One is promised to a deposit, the other held.
    expect(await left()).toEqual([999_980n, 999_994n])
  })

  it('many at once, in batches too: each is held and released once', async () => {
    let earlier = await Promise.all(Array.from({ length: 8 }, quoted))
    for (let round = 0; round < 4; round += 1) {
      const [first, second] = [earlier.slice(0, 3), earlier.slice(3, 5)]
      const deposits = [deposit(...first), deposit(...second), ...earlier.slice(5).map((terms) => deposit(terms))]
      const [later] = await Promise.all([Promise.all(Array.from({ length: 8 }, quoted)), ...deposits])
      earlier = later
    }
    expect(await left()).toEqual([1_000_000n - 400n, 1_000_000n - 120n])
    const { rows } = await database.pool.query('select currency, amount::int from hold_slots order by currency')
    expect(rows).toEqual([
      { currency: NATIVE, amount: 24 },
      { currency: CURRENCY, amount: 80 },
    ])
  })

  it('a row that somebody has is removed another time, and nobody waits for it', async () => {
    await quoted()
    now += 120_000
    await withRowTaken(() => removeEndedHolds(database.pool, now))
    const rows = async () => (await database.pool.query('select currency from hold_slots')).rows
    expect(await rows()).toEqual([{ currency: CURRENCY }])
    await removeEndedHolds(database.pool, now)
    expect(await rows()).toEqual([])
  })
})

it('a hold ends with its time', async () => {
  await own(1_000n)
  expect(await insert(900n)).toBe('held')
  expect(await insert(900n)).toBe('INSUFFICIENT_LIQUIDITY')
  now += HOLD_SECONDS * 1000 + 1
  expect(await insert(900n)).toBe('held')
})

it('a balance that was never read is SERVICE_UNAVAILABLE, not a guess', async () => {
  expect(await insert(1n)).toBe('SERVICE_UNAVAILABLE')
  expect(await store.available(CHAIN, CURRENCY)).toBeNull()
})

/** Of one quote of these tests, bytes: more than it counts, less than two count. */
const SIZE = 900

describe('F133: what callers whom nobody vouches for may store in a day', () => {
  it('the refusal is 429 until midnight UTC, with the headers of a rate limit', async () => {
    await own(1_000n)
    now = Date.UTC(2026, 10, 21, 23, 59, 30)
    store = newStore(newBudget(1_000_000, SIZE))
    expect(await insert(1n, 'a')).toBe('held')
    const refusal = await store.insert(newQuote(1n, 'a')).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      status: 429,
      headers: { 'retry-after': '30', 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '30' },
      message: expect.stringMatching(/^Your calls used up the daily storage of one caller\. .* midnight UTC\.$/),
    })
  })

  it('has a bound over all hosts; beyond it they are refused plainly, nothing is written, and a trusted key still gets its quote', async () => {
    await own(1_000n)
    const [here, there] = [newBudget(2 * SIZE), newBudget(2 * SIZE)]
    store = newStore(here)
    expect(await insert(1n, 'a')).toBe('held')
    await here.share()
    await there.share()
    store = newStore(there)
    expect(await insert(1n, 'a')).toBe('held')
    await there.share()
    await here.share()
    store = newStore(here)
    expect(await insert(1n, 'a')).toBe('429')
    expect(await insert(1n)).toBe('held')
    const { rows } = await database.pool.query<{ quotes: number }>('select count(*)::int as quotes from quotes')
    expect(rows[0]?.quotes).toBe(3)
  })

  it('one of them cannot use it up: it is refused alone, until the next day', async () => {
    await own(1_000n)
    store = newStore(newBudget(1_000_000, SIZE))
    expect(await insert(1n, 'a')).toBe('held')
    expect(await insert(1n, 'a')).toBe('429')
    expect(await insert(1n, 'b')).toBe('held')
    now += 86_400_000
    expect(await insert(1n, 'a')).toBe('held')
  })

  it('counts what was stored before a host started, and begins anew with the day', async () => {
    await own(1_000n)
    const before = newBudget(SIZE)
    store = newStore(before)
    expect(await insert(1n, 'a')).toBe('held')
    await before.share()
    const restarted = newBudget(SIZE)
    await restarted.share()
    store = newStore(restarted)
    expect(await insert(1n, 'a')).toBe('429')
    now += 86_400_000
    expect(await insert(1n, 'a')).toBe('held')
    await restarted.share()
    await restarted.forget()
    const { rows } = await database.pool.query<{ days: number }>('select count(*)::int as days from anonymous_storage')
    expect(rows[0]?.days).toBe(2)
  })

  it('counts no less than the database grows by', async () => {
    await own(1_000_000n)
    let counted = 0
    store = newStore({
      take: (_caller, bytes) => {
        counted += bytes
      },
    })
    const size = async () => {
      const { rows } = await database.pool.query<{ bytes: bigint }>(
        'select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree($1)',
        ['quote_rows'],
      )
      return Number(rows[0]?.bytes ?? 0)
    }
    await insert(1n, 'a')
    const [sizeBefore, countedBefore] = [await size(), counted]
    // One after another: for many writers at once a table grows ahead of what they write.
    for (let made = 0; made < 400; made += 1) await insert(1n, `${made}`)
    expect((await size()) - sizeBefore).toBeLessThanOrEqual(counted - countedBefore)
  })
})
