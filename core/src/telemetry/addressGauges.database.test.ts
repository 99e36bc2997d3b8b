import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeAddressBooks } from '../address/addressBooks.js'
import type { Chain } from '../chain/chainRegistry.js'
import { ChainRegistry } from '../chain/chainRegistry.js'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import type { Currency, CurrencyRegistry } from '../money/currency/currency.js'
import { NOT_WORTH_ITS_SWEEP } from '../payout/sweep/lookSchedule.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { addressGauges } from './addressGauges.js'
import { PromMetrics } from './promMetrics.js'

const NOW = 1_800_000_000_000
/** Blocks of c8 take ten minutes. */
const SLOW = 8
const coins: readonly Currency[] = [7, SLOW].map((chainId) => ({
  chainId,
  address: 'coin',
  symbol: 'COIN',
  decimals: 2,
  name: '',
  vmType: 'evm',
  groupId: 'x',
  metadata: { logoURI: '', verified: true, isNative: true },
}))
const currencies: CurrencyRegistry = {
  find: (chainId, address) => coins.find((item) => item.chainId === chainId && item.address === address),
  native: () => undefined,
  ofChain: (chainId) => coins.filter((item) => item.chainId === chainId),
  all: () => coins,
}
// CAST: the gauges read nothing else of a chain.
const chains = new ChainRegistry(
  [7, SLOW].map(
    (id) =>
      ({
        config: { id, slug: `c${id}` },
        adapter: {
          capabilities: id === SLOW ? { headIntervalSeconds: 600 } : {},
          depositAddresses: id === SLOW ? { forms: ['hd-key'], pool: {} } : { forms: ['contract'] },
        },
      }) as unknown as Chain,
  ),
)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

const run = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const ago = (seconds: number): Date => new Date(NOW - seconds * 1000)
const read = async (): Promise<string[]> => {
  const metrics = new PromMetrics({ registry: new Registry(), keepMs: 0 })
  const clock = { now: () => NOW }
  metrics.addSource(addressGauges({ pool: database.pool, clock, chains, currencies, now: () => performance.now() }))
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** An address with a payment so long ago, by blocks and books, that is not swept. */
const unswept = async (number: number, chain: number, amount: bigint, seconds: number, trouble: string | null) => {
  await run(
    `insert into deposit_addresses (chain_id, address, account, type, order_id, request_id, depositor, derivation, currency, created_at, live_until)
     values ($1, $2, $2, 'open', $3, $3, 'user', 'null', 'coin', $4, $5)`,
    [chain, `address ${number}`, Buffer.alloc(32, number), ago(90_000), new Date(NOW + 1_000)],
  )
  const addressId = String(number)
  await run(
    `insert into deposit_address_places (address_id, chain_id, account, next_look_at, trouble) values ($1, $2, 'a', now(), $3)`,
    [addressId, chain, trouble],
  )
  await run(
    `insert into deposit_arrivals (address_id, chain_id, tx_id, position, currency, amount, state, block_height, created_at)
     values ($1, $2, $3, 0, 'coin', $4, 'included', 1, $5)`,
    [addressId, chain, `tx ${number}`, amount.toString(), ago(seconds)],
  )
  await withTransaction(database.pool, (client) =>
    changeAddressBooks(client, [{ addressId, chainId: chain, currency: 'coin', arrived: amount }], NOW),
  )
}

it('are zero where nobody was given an address, and there is no pool where none is needed', async () => {
  const lines = await read()
  expect(lines).toContain('causeway_deposit_addresses{chain="c7"} 0')
  expect(lines).toContain('causeway_deposit_address_unswept{chain="c7",currency="COIN"} 0')
  expect(lines).toContain('causeway_deposit_address_oldest_unswept_seconds{chain="c7"} 0')
  expect(lines).toContain('causeway_deposit_address_pool{chain="c8"} 0')
  expect(lines.filter((line) => line.startsWith('causeway_deposit_address_pool{chain="c7"'))).toEqual([])
})

it('say what lies at addresses, why, and for how long: dust waits for more and grows no alert', async () => {
  await unswept(1, 7, 1_250n, 400, null)
  await unswept(2, 7, 3n, 80_000, NOT_WORTH_ITS_SWEEP)
  await unswept(3, 7, 200n, 700, 'the token refuses the address')
  const lines = await read()
  expect(lines).toContain('causeway_deposit_addresses{chain="c7"} 3')
  expect(lines).toContain('causeway_deposit_address_unswept{chain="c7",currency="COIN"} 14.53')
  for (const reason of ['sweep', 'dust', 'trouble']) {
    expect(lines).toContain(`causeway_deposit_address_waiting{chain="c7",reason="${reason}"} 1`)
  }
  expect(lines).toContain('causeway_deposit_address_oldest_unswept_seconds{chain="c7"} 700')
})

it('leave out the time that blocks which come far apart may take, and what is in a deposit or not there after all', async () => {
  // A sweep is in one of the next three blocks, each of three times its usual time.
  await unswept(4, SLOW, 100n, 5_500, null)
  expect(await read()).toContain('causeway_deposit_address_oldest_unswept_seconds{chain="c8"} 100')
  await withTransaction(database.pool, (client) =>
    changeAddressBooks(client, [{ addressId: '4', chainId: SLOW, currency: 'coin', gone: 100n }], NOW),
  )
  expect(await read()).toContain('causeway_deposit_address_oldest_unswept_seconds{chain="c8"} 0')
})

it('count what is left of a pool in the present history of the data', async () => {
  await run(`insert into deposit_address_pool (chain_id, address, derivation, signature, made_at)
    select ${SLOW}, 'pooled ' || n, '{}', '0x', now() from generate_series(1, 5) n`)
  await run(`update deposit_address_pool set taken_at = now() where address = 'pooled 1'`)
  await run(`update deposit_address_pool set history = 'another' where address = 'pooled 2'`)
  expect(await read()).toContain('causeway_deposit_address_pool{chain="c8"} 3')
})
