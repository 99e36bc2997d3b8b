import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HostConfig } from '../config/schema/schema.js'
import { checkBalances } from './balanceCheck.js'

const WALLET = `0x${'5a'.repeat(20)}`
const chains = [{ id: 7, slug: 'harbor', currencies: [{ address: '0xAA', symbol: 'USD', decimals: 2 }] }]
const balances = { chainId: 7, currency: '0xaa' }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  return () => database.drop()
})
afterEach(async () => {
  await database.pool.query('truncate app_balances, inventory')
})

const look = async (config: object): Promise<string[]> => {
  // CAST: what the check reads of a configuration.
  const all = { chains, ...config } as unknown as HostConfig
  return (await checkBalances(database.pool, all)).map(
    ({ state, subject, message }) => `${state} ${subject} ${message}`,
  )
}

const owe = (amount: number, account = 'app', currency = '0xAA') =>
  database.pool.query(
    `insert into app_balances (holder, account, chain_id, currency, slot, amount) values ($1, $2, 7, $3, 0, $4)`,
    [WALLET, account, currency, amount],
  )

describe('doctor looks at balances', () => {
  it('and says in which currency they are kept', async () => {
    expect(await look({})).toEqual(['ok configuration are not kept: no app fees, sponsors and fast fills'])
    expect(await look({ balances })).toEqual(['ok configuration are kept in USD of harbor'])
  })

  it('and compares what is owed with what is held; what wallets owe is no part of it', async () => {
    await owe(1_200)
    await owe(50, 'earned')
    await owe(9_999, 'exposure')
    await database.pool.query(
      `insert into inventory (chain_id, currency, balance, height, observed_at) values (7, '0xAA', 1250, 1, now())`,
    )
    expect(await look({ balances })).toContain('ok harbor wallets are owed 12.5 USD, and more is held')
    await database.pool.query('update inventory set balance = 1249')
    expect(await look({ balances })).toContain(
      'warning harbor wallets are owed 12.5 USD, and the solver holds 12.49 USD: claims beyond it wait',
    )
  })

  it('and finds what is owed in a currency that nobody holds any more', async () => {
    await owe(5, 'app', '0xBB')
    expect(await look({})).toEqual([
      'ok configuration are not kept: no app fees, sponsors and fast fills',
      'fault harbor wallets are owed 5 units of 0xBB, and nothing is known of what is held of it',
    ])
  })
})
