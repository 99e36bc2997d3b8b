import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import type { Chain } from '../chain/chainRegistry.js'
import type { Json } from '../chain/json.js'
import { DatabaseClock, moveClock } from '../clock/databaseClock.js'
import { DepositIngest } from '../deposit/depositIngest.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import type { Hex } from '../money/hex.js'
import type { NewQuote } from '../quote/quoteStore.js'
import { SqlQuoteStore } from '../quote/quoteStoreSql.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import type { Lease } from './leases.js'
import { DEFAULT_RETENTION, dropExpired, keepPartitions } from './retention.js'
import { coreMigrations } from './schema/coreMigrations.js'

const DAY_MS = 86_400_000
const LEASE: Lease = { name: 'all', epoch: 1n, signal: new AbortController().signal }
const MONEY = { chainId: 1, currency: 'coin' }

/** What the ingest reads of a chain: blocks are made up. */
// CAST: it reads no more.
const CHAIN = {
  config: { id: 1, slug: 'origin', confirmations: { fill: 1, success: 1, settle: 10, settleSeconds: 0 } },
  adapter: {
    capabilities: { mempoolVisibility: false },
    sameAddress: (left: string, right: string) => left === right,
  },
} as unknown as Chain

const randomHex = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** Quotes, their deposits and the upkeep of tables over a real database, at times that the database's clock says. */
export class RetentionWorld {
  readonly clock = new DatabaseClock()
  readonly store: SqlQuoteStore
  readonly ingest: DepositIngest

  private constructor(readonly database: TestDatabase) {
    const { clock, pool } = this
    // CAST: the ingest asks only whether a currency is held.
    const currencies = { find: () => ({}) } as unknown as CurrencyRegistry
    const budget = { take: () => undefined }
    this.store = new SqlQuoteStore({
      pool,
      clock,
      budget,
      anonymousHoldBps: 2_500,
      callerHoldBps: 2_000,
      keepDays: DEFAULT_RETENTION.quotes,
    })
    this.ingest = new DepositIngest({ pool, clock, currencies, quoteDays: DEFAULT_RETENTION.quotes })
  }

  static async open(migrations = coreMigrations): Promise<RetentionWorld> {
    const database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations }], poolSize: 12 })
    await database.pool.query(
      `insert into leases (name, holder, epoch, expires_at) values ('all', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour')`,
    )
    const world = new RetentionWorld(database)
    await world.day(0)
    return world
  }

  get pool(): Pool {
    return this.database.pool
  }

  /** Moves the database's clock to so many days after the start, as every host sees it. */
  async day(count: number): Promise<void> {
    await moveClock(this.pool, count * DAY_MS)
    await this.clock.refresh(this.pool)
  }

  /** What the upkeep of one host does. */
  async upkeep(): Promise<readonly string[]> {
    await keepPartitions(this.pool, DEFAULT_RETENTION, this.clock.now())
    return dropExpired(this.pool, DEFAULT_RETENTION, this.clock.now())
  }

  /** Partitions that were dropped with something in them. */
  async dropped(): Promise<readonly string[]> {
    return (await this.rows<{ name: string }>('select name from dropped_partitions order by name')).map(
      ({ name }) => name,
    )
  }

  /** A quote without a hold whose order may be filled for so many days. */
  async quote(
    deadlineDays = 7,
    more: Partial<NewQuote> = {},
  ): Promise<{ readonly requestId: Hex; readonly orderId: Hex }> {
    const ids = { requestId: randomHex(), orderId: randomHex() }
    const now = this.clock.now()
    await this.store.insert({
      terms: {
        ...ids,
        tradeType: 'EXACT_INPUT',
        user: 'user',
        recipient: { address: 'recipient' },
        refundTo: { address: 'user' },
        origin: MONEY,
        destination: MONEY,
        depositAmount: 1_000n,
        minimumDeposit: 900n,
        payoutAmount: 950n,
        minimumPayout: 940n,
        fillCost: 5n,
        networkFee: 5n,
        feesIn: 20n,
        quotedAt: now,
        priceUntil: now + 30_000,
        orderDeadline: Math.floor(now / 1000) + deadlineDays * 86_400,
        fillBy: null,
        latePaymentSlippageBps: 0,
        trueExactOutput: false,
        forceRefund: false,
      },
      caller: { integratorId: 'acme', apiKeyId: 'key' },
      body: '{"asked":1}',
      quoted: '{"given":1}',
      order: '{"salt":"0x01"}',
      referrer: null,
      hold: null,
      holder: null,
      ...more,
    })
    return ids
  }

  /** The watcher reads a block with a deposit for an order. */
  async pay(orderId: Hex): Promise<{ readonly txId: string }> {
    const tx = { id: randomHex() }
    const deposit = {
      state: 'included' as const,
      tx,
      position: 0,
      index: 0,
      orderId,
      depositor: 'user',
      depository: 'depository',
      money: { currency: 'coin', amount: 1_000n },
      block: { height: 100n, hash: randomHex(), time: Math.floor(this.clock.now() / 1000) },
      txData: { from: 'user', to: 'depository', data: '0x', value: '0' },
      fee: 1n,
    }
    await this.ingest.apply(
      CHAIN,
      { deposits: [deposit], cursor: 0, height: 100n, tip: 100n, rewoundTo: null },
      [],
      LEASE,
    )
    return { txId: tx.id }
  }

  /** The watcher reads a block without a deposit. */
  async quietBlock(height: bigint, cursor: Json, lease = LEASE): Promise<void> {
    const page = { deposits: [], cursor, height, tip: height, rewoundTo: null }
    await this.ingest.apply(CHAIN, page, [], lease)
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, [...values])).rows
  }

  async count(from: string): Promise<number> {
    return (await this.rows<{ n: number }>(`select count(*)::int as n from ${from}`))[0]?.n ?? -1
  }
}
