import { KEYS, type Keys } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../config/loadConfig.js'
import { openHost } from './openHost.js'
import { readSolvers } from './readSolvers.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
})
afterAll(() => database?.drop())

/** Opens what a command opens, with this master key at hand, and hands over its keys. */
const asCommand = async <T>(master: string | undefined, network: string, work: (keys: Keys) => T): Promise<T> => {
  const loaded = await loadConfig('causeway.config.json', {
    reader: 'operator',
    environment: master === undefined ? {} : { MASTER: master },
    value: { network, database: { url: database.url }, defaultPlugins: false, keys: { master: { env: 'MASTER' } } },
  })
  const host = await openHost(loaded, pino({ level: 'silent' }), 'command')
  try {
    return work(host.container.resolve(KEYS))
  } finally {
    await host.close()
  }
}

const derive = (keys: Keys) => keys.derive('test').length

describe("an operator's command over the database", () => {
  it('runs without the master key, and with one of another deployment, as long as it does not use it', async () => {
    expect(await asCommand('11'.repeat(32), 'testnet', derive)).toBe(32)
    await asCommand(undefined, 'testnet', () => undefined)
    await asCommand('22'.repeat(32), 'testnet', () => undefined)
    await expect(asCommand('22'.repeat(32), 'testnet', derive)).rejects.toThrow(/made under another master key/)
    await expect(asCommand(undefined, 'testnet', derive)).rejects.toThrow(/needs the key "master".*MASTER/)
  })

  it('is refused by the database of another network', async () => {
    await expect(asCommand(undefined, 'mainnet', () => undefined)).rejects.toThrow(/belongs to a deployment of testnet/)
  })

  it('learns who pays from the lanes: whom a process holds now, else who moved last', async () => {
    await database.pool.query(`insert into lanes (chain_id, signer, state, position, height, updated_at) values
      (1, '0xold', 'open', '{}', 1, now() - interval '1 day'), (1, '0xnew', 'open', '{}', 1, now()), (2, 'held', 'open', '{}', 1, now() - interval '1 day'),
      (2, 'idle', 'open', '{}', 1, now())`)
    await database.pool.query(
      `insert into leases (name, holder, epoch, expires_at) values ('lane:2:held', gen_random_uuid(), 1, now() + interval '1 hour')`,
    )
    expect(await readSolvers(database.pool)).toEqual(
      new Map([
        [1, '0xnew'],
        [2, 'held'],
      ]),
    )
  })

  it('does not take a payout key of before, whose lane is followed, for the present one', async () => {
    await database.pool.query(
      `insert into inventory (chain_id, currency, balance, height, observed_at, signer)
       select 2, 'c' || days, 1, 1, now() - days * interval '1 day', signer from (values (1, 'new'), (2, 'held')) v(days, signer)`,
    )
    await database.pool.query(`insert into lanes (chain_id, signer, state, position, height, updated_at)
      values (2, 'new', 'open', '{}', 1, now() - interval '1 hour') on conflict do nothing`)
    expect((await readSolvers(database.pool)).get(2)).toBe('new')
  })
})
