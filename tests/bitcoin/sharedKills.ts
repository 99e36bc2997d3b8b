import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MONEY } from '../faults/killPlaces.js'
import { waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type HostNetwork, type HostProcess, spawnHost, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import type { Quote } from '../transfers/apiClient.js'
import { BitcoinClient } from './bitcoinClient.js'
import { type BitcoinNetwork, BVM_ID, EVM_ID, startBitcoinNetwork } from './bitcoinNetwork.js'
import { paymentsOf } from './orderPayments.js'

const MOST = 4
const TOGETHER = 3

interface Transfer {
  readonly quote: Quote
  readonly recipient: string
  readonly request: Parameters<BitcoinClient['quote']>[0]
}

interface HostOptions {
  readonly databaseUrl?: string
  readonly roles?: readonly string[]
}

/**
 * Adds the tests: hosts die at each failpoint over a transaction of several fills, each of which is paid once. With `restored` an older
 * database is put back afterwards.
 */
export const testSharedKills = (places: readonly string[], { restored = false } = {}): void => {
  let network: BitcoinNetwork
  let sharing: HostNetwork
  let database: TestDatabase
  let copies: DatabaseCopies
  let client: BitcoinClient
  /** Quotes of the transfers that are paid before each of the failpoints, all of them made before the backup. */
  let groups: readonly (readonly Transfer[])[]
  let older: string
  const running: HostProcess[] = []
  const pools: Pool[] = []

  const start = async ({ databaseUrl = database.url, ...more }: HostOptions): Promise<HostProcess> => {
    const host = await startHostProcess({ network: sharing, databaseUrl, ...more })
    running.push(host)
    return host
  }

  const kill = async (host: HostProcess): Promise<void> => {
    host.signal('SIGKILL')
    await host.ended
  }

  const poolOf = (connectionString: string): Pool => {
    const pool = createPool({ connectionString, max: 2, applicationName: 'causeway test' })
    pools.push(pool)
    return pool
  }

  const clientOf = async (host: HostProcess, databaseUrl = database.url): Promise<BitcoinClient> =>
    BitcoinClient.open(network, { url: host.url, apiKey: await createApiKey({ network: sharing, databaseUrl }) })

  const transfer = async (from: BitcoinClient, at: number): Promise<Transfer> => {
    const recipient = await from.freshRecipient(BVM_ID)
    const request = { from: EVM_ID, to: BVM_ID, satoshis: 150_000n + BigInt(at), recipient } as const
    return { quote: await from.quote(request), recipient, request }
  }

  beforeAll(async () => {
    const policy = { maxDataOutputs: MOST }
    ;[network, database] = await Promise.all([startBitcoinNetwork(policy), createTestDatabase({ packages: [] })])
    const chains = network.host.chains.map((chain) =>
      chain.id === BVM_ID ? { ...chain, options: { ...chain.options, payoutsPerTransaction: MOST } } : chain,
    )
    sharing = { ...network.host, chains }
    copies = databaseCopies(database)
    const first = await start({})
    const quoting = await clientOf(first)
    groups = await Promise.all(
      places.map(() => Promise.all(Array.from({ length: TOGETHER }, (_, at) => transfer(quoting, at)))),
    )
    await kill(first)
    older = await copies.take()
    client = await clientOf(await start({ roles: ['api'] }))
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await Promise.all(pools.map((pool) => pool.end()))
    await copies?.drop()
    await database?.drop()
    await network?.close()
  })

  const checkPaidOnce = async (): Promise<void> => {
    for (const { quote, recipient } of groups.flat()) {
      expect(paymentsOf(network, quote.protocol.v2.orderId).length).toBe(1)
      expect(await client.balance(BVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
    }
  }

  const checkBooks = async (databaseUrl: string): Promise<void> => {
    const { code, output } = await runOperator({ network: sharing, databaseUrl }, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
  }

  it(`F39: a host killed at ${places.join(', ')} of a transaction of several fills pays each of them once`, {
    timeout: 180_000,
  }, async () => {
    for (const [at, failpoint] of places.entries()) {
      for (const { quote, request } of groups[at] ?? []) await client.pay(quote, request)
      // Each host first finishes what the one before it left behind.
      const host = await spawnHost({ network: sharing, databaseUrl: database.url, roles: MONEY, failpoint })
      running.push(host)
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    const last = await start({ roles: MONEY })
    for (const { quote } of groups.flat()) await client.waitFor(quote.requestId, ['success'], 60_000)
    await waitForQuiet(poolOf(database.url), 60_000)
    await checkPaidOnce()
    const transactions = groups
      .flat()
      .flatMap(({ quote }) => paymentsOf(network, quote.protocol.v2.orderId).map(({ txId }) => txId))
    expect(new Set(transactions).size).toBeLessThan(transactions.length)
    await checkBooks(database.url)
    await kill(last)
  })

  if (!restored) return

  it('F120: an older database put back finds every fill of such a transaction, and pays none of them again', {
    timeout: 600_000,
  }, async () => {
    const restored = await start({ databaseUrl: older })
    const reader = await clientOf(restored, older)
    for (const { quote } of groups.flat()) await reader.waitFor(quote.requestId, ['success'], 240_000)
    await waitForQuiet(poolOf(older), 240_000)
    await checkPaidOnce()
    await checkBooks(older)
  })
}
