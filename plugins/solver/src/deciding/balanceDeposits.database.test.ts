import { coreMigrations } from '@causeway/core/host'
import type { Chain } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { LaneTroubles } from '../running/laneTroubles.js'
import { BalanceDeposits } from './balanceDeposits.js'

const CHAIN = 9
const WALLET = `0x${'5a'.repeat(20)}`

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

/** Credits settled deposits; two of three providers must confirm what has no price. Returns the balance of the wallet. */
const credit = async (
  adapter: Pick<Chain['adapter'], 'confirmDeposit' | 'recheckDeposits'>,
): Promise<string | null> => {
  const rpc = ['one', 'two', 'three'].map((provider) => ({ url: `http://${provider}.invalid`, provider }))
  const chain = {
    config: { id: CHAIN, slug: 'nine', rpc, confirmations: { fill: 1, settle: 1 } },
    adapter: { ...adapter, tip: async () => ({ height: 100n, hash: '0x01', time: 1 }) },
  }
  const lane = {
    ...{ pool: database.pool, clock: { now: () => Date.now() }, chain, chains: { get: () => chain } },
    ...{ currencies: { find: () => undefined }, observer: { failed: () => undefined, deposits: () => undefined } },
    balanceCurrency: { chainId: CHAIN, address: 'c' },
    log: pino({ level: 'silent' }),
  }
  // CAST: this job reads no other member of its lane.
  const context = lane as unknown as LaneContext
  await new BalanceDeposits({ lane: context, troubles: new LaneTroubles(context) }).run(100n)
  const { rows } = await database.pool.query<{ balance: string | null }>(
    `select sum(-amount)::text as balance from ledger_entries where account = 'app' and holder = $1`,
    [WALLET],
  )
  return rows[0]?.balance ?? null
}

it('F05: a top-up that too few providers confirm is not credited, and it is once they do', async () => {
  await database.pool.query(
    `insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, block_height, state, holder, created_at)
       values (${CHAIN}, 'tx', 0, '\\x0a', '\\x01', 'd', 'd', 'c', 100, 5, 'included', '${WALLET}', now());
     select post_ledger('deposit:1', 'included:1', now(), '[{"account":"depository","chainId":9,"currency":"c","amount":"100"},
       {"account":"owed","chainId":9,"currency":"c","amount":"-100"}]')`,
  )
  const asked: unknown[] = []
  const recheckDeposits: Chain['adapter']['recheckDeposits'] = async (references) => {
    asked.push(...references)
    return []
  }
  expect(await credit({ confirmDeposit: async () => false, recheckDeposits })).toBeNull()
  expect(asked).toMatchObject([{ tx: { id: 'tx' }, position: 0 }])
  expect(await credit({ confirmDeposit: async (_, { agreeing }) => agreeing === 2, recheckDeposits })).toBe('100')
})
