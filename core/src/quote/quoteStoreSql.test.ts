import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import { saveInventory } from '../money/inventory.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { SqlQuoteStore } from './quoteStoreSql.js'
import type { QuoteTerms } from './quoteTerms.js'

const CHAIN = 7
const CURRENCY = '0xc0'
const HOLD_SECONDS = 30

let database: TestDatabase
let now: number
let store: SqlQuoteStore

beforeEach(async () => {
  now = Date.UTC(2026, 10, 21)
  database = await createTestDatabase({
    packages: [{ name: '@causeway/core', migrations: coreMigrations }],
    poolSize: 30,
  })
  store = new SqlQuoteStore({ pool: database.pool, clock: { now: () => now }, anonymousHoldBps: 2_500 })
})
afterEach(() => database.drop())

const own = (balance: bigint) =>
  saveInventory(database.pool, [{ chainId: CHAIN, currency: CURRENCY, balance, height: 1n }], now)

const randomHex = (): Hex => `0x${randomBytes(32).toString('hex')}`

const insert = (amount: bigint, anonymous = false): Promise<'held' | string> => {
  const side = { chainId: CHAIN, currency: CURRENCY }
  const terms: QuoteTerms = {
    requestId: randomHex(),
    orderId: randomHex(),
    tradeType: 'EXACT_INPUT',
    user: 'u',
    recipient: 'r',
    refundTo: 'u',
    origin: side,
    destination: side,
    amountIn: amount,
    minimumIn: amount,
    amountOut: amount,
    minimumOut: amount,
    fillCost: 0n,
    feesIn: 0n,
    quotedAt: now,
    priceUntil: now + 30_000,
    orderDeadline: Math.floor(now / 1000) + 600,
    fillBy: null,
    latePaymentSlippageBps: 0,
    trueExactOutput: false,
    forceRefund: false,
  }
  return store
    .insert({
      terms,
      caller: { integratorId: null, apiKeyId: null },
      body: '{}',
      quoted: '{}',
      order: '{}',
      referrer: null,
      hold: { ...side, amount, seconds: HOLD_SECONDS, anonymous },
    })
    .then(
      () => 'held',
      (error: unknown) => (ServiceError.is(error) ? error.code : Promise.reject(error)),
    )
}

const countOf = (outcomes: readonly string[], outcome: string) => outcomes.filter((item) => item === outcome).length

it.each([
  { balance: 1_000n, amount: 100n, quotes: 50, fit: 10 },
  { balance: 1_000n, amount: 1n, quotes: 200, fit: 200 },
  { balance: 1_000n, amount: 7n, quotes: 200, fit: 142 },
  { balance: 1_000n, amount: 1_000n, quotes: 20, fit: 1 },
])(
  '$quotes quotes of $amount at once against $balance: exactly $fit are held (design 3, step 1)',
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

it('callers without a key hold at most their share together; a key still gets the rest', async () => {
  await own(1_000n)
  const anonymous = await Promise.all(Array.from({ length: 20 }, () => insert(50n, true)))
  expect(countOf(anonymous, 'held')).toBe(5)
  expect(await insert(700n)).toBe('held')
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
