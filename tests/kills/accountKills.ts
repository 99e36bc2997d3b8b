import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kill, refunded, type WalkedOrder, walkKills } from '../faults/vmKillWalk.js'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { type EvmStar, startEvmStar } from '../transfers/evmStar.js'
import type { MatrixChain } from '../transfers/matrixChains.js'
import { ACCOUNT_CHAINS, type AccountChain } from './accountChains.js'

/**
 * Adds the test: hosts that serve a chain of each VM die at each failpoint once every chain is there, and each payment is made once.
 */
export const testAccountKills = (places: readonly string[]): void => {
  let network: EvmStar
  let database: TestDatabase
  const running: HostProcess[] = []
  let pool: Pool

  beforeAll(async () => {
    const vmTypes = ACCOUNT_CHAINS.map(({ vmType }) => vmType)
    ;[network, database] = await Promise.all([startEvmStar(vmTypes), createTestDatabase({ packages: [] })])
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await pool?.end()
    await database?.drop()
    await network?.close()
  })

  const amountOf = ({ deployment }: MatrixChain, symbol: string, whole: bigint): bigint =>
    whole * 10n ** BigInt(deployment.currencies.find((currency) => currency.symbol === symbol)?.decimals ?? 0)

  /** How often the chain shows payments of each of its orders. */
  const countsOf = ({ vmType, paymentsOf }: AccountChain, orders: readonly WalkedOrder[]) => {
    const other = network.other(vmType)
    const own = orders.filter(({ request: { from, to } }) => [from, to].includes(other.id))
    return Promise.all(
      own.map(async ({ quote, end }) => {
        const { paid, withdrawn } = await paymentsOf(other, quote.protocol.v2.orderId, pool)
        return { vmType, end, paid, withdrawn, isRight: paid === 1 && withdrawn === (end === 'success' ? 0 : 1) }
      }),
    )
  }

  const requestsOf = ({ vmType, fills }: AccountChain) => {
    const { evm } = network
    const other = network.other(vmType)
    const fill = Object.entries(fills).map(([symbol, whole], user) => ({
      ...{ from: evm.id, to: other.id, symbol, amount: amountOf(evm, symbol, whole), user },
    }))
    const amount = amountOf(other, 'USDC', 140n)
    return { fill, refund: refunded({ from: other.id, to: evm.id, symbol: 'USDC', amount, user: 1 }) }
  }

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every order of every VM exactly once`, {
    timeout: 900_000,
  }, async () => {
    const databaseUrl = database.url
    const all = ACCOUNT_CHAINS.map(requestsOf)
    const refund = all.map((one) => one.refund)
    const requests = { fill: all.flatMap(({ fill }) => fill), refund, withdraw: refund }
    const together = ACCOUNT_CHAINS.length
    const { orders } = await walkKills({ network, databaseUrl, places, together, requests, running })
    await waitForQuiet(pool, 120_000)
    const counts = await Promise.all(ACCOUNT_CHAINS.map((account) => countsOf(account, orders)))
    expect(counts.flat()).toHaveLength(orders.length)
    expect(counts.flat().filter(({ isRight }) => !isRight)).toEqual([])
    const { code, output } = await runOperator({ network: network.host, databaseUrl }, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
    expect(await findWalletDifferences(pool)).toEqual([])
  })
}
