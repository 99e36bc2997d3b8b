import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kill, refunded, walkKills } from '../faults/vmKillWalk.js'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { paymentsOf, startTronNetwork, type TronNetwork } from './tronNetwork.js'

/** Units of a token with six decimals. */
const DOLLAR = 1_000_000n

/** Adds the test: hosts die at each failpoint over payments on Tron, each of which is made once. */
export const testTronKills = (places: readonly string[]): void => {
  let network: TronNetwork
  let database: TestDatabase
  const running: HostProcess[] = []
  let pool: Pool

  beforeAll(async () => {
    ;[network, database] = await Promise.all([startTronNetwork(), createTestDatabase({ packages: [] })])
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await pool?.end()
    await database?.drop()
    await network?.close()
  })

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every order on Tron exactly once`, {
    timeout: 600_000,
  }, async () => {
    const { evm, tron, host } = network
    const databaseUrl = database.url
    const unitOf = (wanted: string) =>
      10n ** BigInt(evm.deployment.currencies.find(({ symbol }) => symbol === wanted)?.decimals ?? 0)
    const fill = { from: evm.id, to: tron.id }
    // The dollar answers false to a transfer that succeeds, as USDT does.
    const fills = [
      { ...fill, symbol: 'TRX', amount: 200n * unitOf('TRX') },
      { ...fill, symbol: 'USDC', amount: 150n * unitOf('USDC'), user: 1 },
    ]
    const refund = refunded({ from: tron.id, to: evm.id, symbol: 'USDC', amount: 140n * DOLLAR, user: 1 })
    const requests = { fill: fills, refund: [refund], withdraw: [refund] }
    const { orders } = await walkKills({ network, databaseUrl, places, requests, running })
    await waitForQuiet(pool, 120_000)
    for (const { quote, end } of orders) {
      const { paid, withdrawn } = await paymentsOf(network, quote.protocol.v2.orderId)
      expect([paid, withdrawn]).toEqual(end === 'success' ? [1, 0] : [1, 1])
    }
    const { code, output } = await runOperator({ network: host, databaseUrl }, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
    expect(await findWalletDifferences(pool)).toEqual([])
  })
}
