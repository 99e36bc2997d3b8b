import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kill, refunded, walkKills } from '../faults/vmKillWalk.js'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { DROPS, EVM_ID, ISSUED, startXrpNetwork, XRP_ID, type XrpNetwork } from './xrpNetwork.js'
import { paymentsOf } from './xrpWorld.js'

/** A fill in XRP and the refund of an issued currency, both paid on the ledger, and the withdrawal of the latter's deposit. */
const fill = { from: EVM_ID, to: XRP_ID, symbol: 'XRP', amount: 50n * DROPS }
const refund = refunded({ from: XRP_ID, to: EVM_ID, symbol: 'ICE', amount: 40n * ISSUED, user: 1 })

/** Adds the test: hosts die at each failpoint over payments on the XRP Ledger, each of which is made once. */
export const testXrpKills = (places: readonly string[]): void => {
  let network: XrpNetwork
  let database: TestDatabase
  const running: HostProcess[] = []
  let pool: Pool

  beforeAll(async () => {
    ;[network, database] = await Promise.all([startXrpNetwork(), createTestDatabase({ packages: [] })])
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await pool?.end()
    await database?.drop()
    await network?.close()
  })

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every order on the XRP Ledger exactly once`, {
    timeout: 600_000,
  }, async () => {
    const databaseUrl = database.url
    const requests = { fill: [fill], refund: [refund], withdraw: [refund] }
    const { orders } = await walkKills({ network, databaseUrl, places, requests, running })
    await waitForQuiet(pool, 120_000)
    for (const { quote, end } of orders) {
      const { paid, withdrawn } = await paymentsOf(network, quote.protocol.v2.orderId)
      expect([paid.length, withdrawn.length]).toEqual(end === 'success' ? [1, 0] : [1, 1])
    }
    const { code, output } = await runOperator({ network: network.host, databaseUrl }, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
    expect(await findWalletDifferences(pool)).toEqual([])
  })
}
