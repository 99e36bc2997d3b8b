import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kill, refunded, type WalkedOrder, walkKills } from '../faults/vmKillWalk.js'
import { waitForQuiet } from '../harness/database/books.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { type CrossNetwork, EVM_ID, SVM_ID, startCrossNetwork } from './crossNetwork.js'
import { paymentsOnSolana } from './paymentsOnSolana.js'

const fill = { from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 }
const refund = refunded({ from: SVM_ID, to: EVM_ID, symbol: 'SOL', amount: 10n ** 9n, user: 1 })

/** Adds the test: hosts die at each failpoint over payments on Solana, each of which is made once. */
export const testSolanaKills = (places: readonly string[]): void => {
  let network: CrossNetwork
  let database: TestDatabase
  const running: HostProcess[] = []

  beforeAll(async () => {
    ;[network, database] = await Promise.all([startCrossNetwork(), createTestDatabase({ packages: [] })])
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await database?.drop()
    await network?.close()
  })

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every order on Solana exactly once`, {
    timeout: 600_000,
  }, async () => {
    const databaseUrl = database.url
    const requests = { fill: [fill], refund: [refund], withdraw: [refund] }
    const { orders } = await walkKills({ network, databaseUrl, places, requests, running })
    const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'causeway test' })
    await waitForQuiet(pool, 120_000).finally(() => pool.end())
    const seen = await paymentsOnSolana(network)
    const count = ({ quote }: WalkedOrder, purpose: string) => seen.get(`${purpose} ${quote.protocol.v2.orderId}`) ?? 0
    for (const order of orders) {
      const isRefund = order.end === 'refund'
      expect([count(order, 'fill'), count(order, 'refund'), count(order, 'withdraw')]).toEqual([
        isRefund ? 0 : 1,
        isRefund ? 1 : 0,
        isRefund ? 1 : 0,
      ])
    }
    const { code, output } = await runOperator({ network: network.host, databaseUrl }, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
  })
}
