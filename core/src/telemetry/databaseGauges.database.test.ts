import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chainRegistry.js'
import { ChainRegistry } from '../chain/chainRegistry.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import type { Currency, CurrencyRegistry } from '../money/currency/currency.js'
import { slotOfNow } from '../quote/quoteStoreSql.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { databaseGauges } from './databaseGauges.js'
import { PromMetrics } from './promMetrics.js'

const NOW = 1_800_000_000_000
const held: readonly Currency[] = [
  { chainId: 7, address: '0xaa', symbol: 'USDC', decimals: 6 },
  { chainId: 7, address: '0xbb', symbol: 'USDC', decimals: 6 },
  { chainId: 8, address: '0xcc', symbol: 'ETH', decimals: 18 },
].map((currency) => ({
  ...currency,
  name: '',
  vmType: 'evm',
  groupId: 'x',
  metadata: { logoURI: '', verified: true, isNative: false },
}))
const currencies: CurrencyRegistry = {
  find: (chainId, address) => held.find((item) => item.chainId === chainId && item.address === address),
  native: () => undefined,
  ofChain: (chainId) => held.filter((item) => item.chainId === chainId),
  all: () => held,
}
/** Blocks of c9 take ten minutes; its deposits wait for two. */
const SLOW = 9
// CAST: the gauges read nothing else of a chain.
const chains = new ChainRegistry(
  [7, 8, SLOW].map(
    (id) =>
      ({
        config: { id, slug: `c${id}`, solver: '0x5e', confirmations: { fill: 2 } },
        adapter: { capabilities: id === SLOW ? { headIntervalSeconds: 600 } : {} },
      }) as unknown as Chain,
  ),
)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

const run = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const read = async (): Promise<string[]> => {
  const metrics = new PromMetrics({ registry: new Registry(), keepMs: 0 })
  metrics.addSource(databaseGauges({ pool: database.pool, clock: { now: () => NOW }, chains, currencies }))
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

const ago = (seconds: number): Date => new Date(NOW - seconds * 1000)

const insertRequest = (id: number, action: string, created: number, due: number, [origin, destination] = [7, 8]) =>
  run(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
     values ($1, 'pending', $5, $6, '0xaa', '0xcc', 'u', 'r', 1, 1, '{}', $2, $2, $2, $3, $4)`,
    [Buffer.alloc(32, id), ago(created), action, ago(due), origin, destination],
  )

describe('gauges of the database', () => {
  it('are zero or absent in a new deployment', async () => {
    expect(await read()).toEqual(
      expect.arrayContaining([
        'causeway_lane_oldest_unpaid_seconds{chain="c7"} 0',
        'causeway_lane_oldest_unpaid_seconds{chain="c8"} 0',
        'causeway_ledger_imbalance{chain="c7",currency="USDC 0xaa"} 0',
        'causeway_ledger_imbalance{chain="c8",currency="ETH"} 0',
        'causeway_overdue_actions{kind="request",action="decide"} 0',
        'causeway_outbox_depth 0',
        'causeway_metric_source_up{source="database"} 1',
      ]),
    )
  })

  it('say how far watchers are and which lanes stand still; chains no longer configured are other', async () => {
    for (const chain of [7, 99]) {
      await run(`insert into chain_cursors values ($1, '{}', 90, 100, $2)`, [chain, ago(12)])
      await run(`insert into lanes values ($1, '0x01', $2, '{}', 1, null, $3)`, [chain, 'quarantined', ago(1)])
      await run(`insert into leases values ($1, null, 1, clock_timestamp() + interval '1 hour')`, [
        `lane:${chain}:0x01`,
      ])
    }
    const lines = await read()
    for (const chain of ['c7', 'other']) {
      expect(lines).toContain(`causeway_watcher_lag_blocks{chain="${chain}"} 10`)
      expect(lines).toContain(`causeway_watcher_page_age_seconds{chain="${chain}"} 12`)
      expect(lines).toContain(`causeway_lane_quarantined{chain="${chain}"} 1`)
      expect(lines).toContain(`causeway_lane_live_attempts{chain="${chain}"} 0`)
      expect(lines).toContain(`causeway_solver_gone_seconds{chain="${chain}"} 0`)
    }
    await run(`update leases set expires_at = clock_timestamp() - interval '1 hour' where name = 'lane:7:0x01'`)
    expect((await read()).join()).toMatch(/causeway_solver_gone_seconds\{chain="c7"\} 36\d\d/)
  })

  it('count what is late, and the age of what is unpaid', async () => {
    await insertRequest(1, 'decide', 90, 61)
    await insertRequest(2, 'decide', 5, 0)
    await insertRequest(3, 'something new', 500, 100)
    const lines = await read()
    expect(lines).toContain('causeway_overdue_actions{kind="request",action="decide"} 1')
    expect(lines).toContain('causeway_overdue_actions{kind="request",action="other"} 1')
    expect(lines).toContain('causeway_lane_oldest_unpaid_seconds{chain="c8"} 90')
  })

  it('what waits for blocks that come far apart is unpaid only beyond the time that these may take', async () => {
    // Two blocks of the origin, each for three times its usual time.
    await insertRequest(4, 'decide', 3_500, 0, [SLOW, 7])
    expect(await read()).toContain('causeway_lane_oldest_unpaid_seconds{chain="c7"} 0')
    await insertRequest(5, 'decide', 3_700, 0, [SLOW, 7])
    expect(await read()).toContain('causeway_lane_oldest_unpaid_seconds{chain="c7"} 100')
    // Three blocks of the destination.
    await insertRequest(6, 'decide', 5_500, 0, [7, SLOW])
    expect(await read()).toContain('causeway_lane_oldest_unpaid_seconds{chain="c9"} 100')
  })

  it('what waits for a limit or for an operator is not late: it has gauges of its own', async () => {
    await insertRequest(7, 'await-settle', 9_000, 0)
    await insertRequest(8, 'await-release', 9_000, 0)
    const lines = await read()
    expect(lines).toContain('causeway_lane_oldest_unpaid_seconds{chain="c8"} 90')
    expect(lines).toContain('causeway_requests_awaiting_settle{chain="c7"} 1')
  })

  it('show the inventory in whole units, promises taken off what is available', async () => {
    await run(`insert into inventory values (7, '0xaa', 12500000, 1, $1), (7, '0xbb', 1, 1, $1)`, [ago(1)])
    const slot = slotOfNow(NOW)
    await run(`insert into hold_slots values (7, '0xaa', 1, $1, 2500000, 0), (7, '0xaa', 1, $2, 9, 0)`, [
      slot + 1,
      slot,
    ])
    const lines = await read()
    expect(lines).toContain('causeway_inventory_balance{chain="c7",currency="USDC 0xaa"} 12.5')
    expect(lines).toContain('causeway_inventory_available{chain="c7",currency="USDC 0xaa"} 10')
    expect(lines).toContain('causeway_inventory_balance{chain="c7",currency="USDC 0xbb"} 0.000001')
  })

  it('show a ledger that does not sum to zero (invariant 5)', async () => {
    await run(`select post_ledger('a', 'b', now(), '[{"account":"wallet","chainId":7,"currency":"0xaa","amount":"5"},
      {"account":"owed","chainId":7,"currency":"0xaa","amount":"-5"}]')`)
    // Only who switches the guards off can make one.
    await run('alter table ledger_entries disable trigger user')
    await run(`insert into ledger_entries select 1, 'wallet', 7, '0xaa', 1500000`)
    await run('alter table ledger_entries enable trigger user')
    expect(await read()).toContain('causeway_ledger_imbalance{chain="c7",currency="USDC 0xaa"} 1.5')
  })

  it('count the events that an open transaction keeps from readers', async () => {
    const open = await database.pool.connect()
    await open.query('begin')
    await open.query('select pg_current_xact_id()')
    await run(
      `insert into request_events (request_id, version, status, payload, created_at) values ('\\x01', 1, 'pending', '{}', $1)`,
      [ago(70)],
    )
    const lines = await read()
    expect(lines).toContain('causeway_outbox_depth 1')
    expect(lines).toContain('causeway_outbox_held_seconds 70')
    await open.query('rollback')
    open.release()
    // Transactions of other databases of the server hold events back too.
    await expect.poll(read).toContain('causeway_outbox_depth 0')
    expect(await read()).toContain('causeway_outbox_held_seconds 0')
  })
})
