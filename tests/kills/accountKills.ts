import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kill, refunded, walkKills } from '../faults/vmKillWalk.js'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { type EvmPair, startEvmPair } from '../transfers/evmPair.js'
import type { MatrixChain } from '../transfers/matrixChains.js'

/** Kills over payments on a chain whose payments name their order. */
export interface AccountKills {
  readonly vmType: string
  /** The chain, as the test's name says it. */
  readonly name: string
  /** Whole units that users pay in on an EVM chain, by symbol. */
  readonly fills: Readonly<Record<string, bigint>>
  /** Successful payments of the service with an order's id, and withdrawals of its deposit, as a node lists them. */
  paymentsOf(chain: MatrixChain, orderId: string): Promise<{ readonly paid: number; readonly withdrawn: number }>
}

/** Units of a token with six decimals. */
const DOLLAR = 1_000_000n

/** Adds the test: hosts die at each failpoint over payments on the chain, each of which is made once. */
export const testAccountKills = (
  { vmType, name, fills, paymentsOf }: AccountKills,
  places: readonly string[],
): void => {
  let network: EvmPair
  let database: TestDatabase
  const running: HostProcess[] = []
  let pool: Pool

  beforeAll(async () => {
    ;[network, database] = await Promise.all([startEvmPair(vmType), createTestDatabase({ packages: [] })])
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await pool?.end()
    await database?.drop()
    await network?.close()
  })

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every order on ${name} exactly once`, {
    timeout: 600_000,
  }, async () => {
    const { evm, other, host } = network
    const databaseUrl = database.url
    const unitOf = (wanted: string) =>
      10n ** BigInt(evm.deployment.currencies.find(({ symbol }) => symbol === wanted)?.decimals ?? 0)
    const fill = Object.entries(fills).map(([symbol, whole], user) => ({
      ...{ from: evm.id, to: other.id, symbol, amount: whole * unitOf(symbol), user },
    }))
    const refund = refunded({ from: other.id, to: evm.id, symbol: 'USDC', amount: 140n * DOLLAR, user: 1 })
    const requests = { fill, refund: [refund], withdraw: [refund] }
    const { orders } = await walkKills({ network, databaseUrl, places, requests, running })
    await waitForQuiet(pool, 120_000)
    for (const { quote, end } of orders) {
      const { paid, withdrawn } = await paymentsOf(other, quote.protocol.v2.orderId)
      expect([paid, withdrawn]).toEqual(end === 'success' ? [1, 0] : [1, 1])
    }
    const { code, output } = await runOperator({ network: host, databaseUrl }, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
    expect(await findWalletDifferences(pool)).toEqual([])
  })
}
