import { createPool, FAILPOINTS } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import type { Quote } from '../transfers/apiClient.js'
import { UserClient, type UserRequest } from '../transfers/userClient.js'
import { DROPS, EVM_ID, ISSUED, startXrpNetwork, XRP_ID, type XrpNetwork } from './xrpNetwork.js'
import { paymentsOf } from './xrpWorld.js'

const MONEY = ['watcher', 'solver']
/** Where a payment of each kind is stored, sent, and seen on the chain but not yet noted. */
const PLACES = FAILPOINTS.filter((name) =>
  /^(fill|refund|withdraw)\.(store\.after|broadcast\.after|included\.before)$/.test(name),
)

let network: XrpNetwork
let database: TestDatabase
let pool: Pool
let client: UserClient
const running: HostProcess[] = []

beforeAll(async () => {
  ;[network, database] = await Promise.all([startXrpNetwork(), createTestDatabase({ packages: [] })])
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  const api = await start({ roles: ['api'] })
  const apiKey = await createApiKey({ network: network.host, databaseUrl: database.url })
  client = await UserClient.open(network, { url: api.url, apiKey })
})
afterAll(async () => {
  for (const host of running) host.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await pool?.end()
  await database?.drop()
  await network?.close()
})

const start = async (options: { readonly roles: readonly string[]; readonly failpoint?: string }) => {
  const host = await startHostProcess({ network: network.host, databaseUrl: database.url, ...options })
  running.push(host)
  return host
}

/** A fill in XRP and the refund of an issued currency, both paid on the ledger, and the withdrawal of the latter's deposit. */
const fill: UserRequest = { from: EVM_ID, to: XRP_ID, symbol: 'XRP', amount: 50n * DROPS }
const refund: UserRequest = {
  ...{ from: XRP_ID, to: EVM_ID, symbol: 'ICE', amount: 40n * ISSUED, user: 1 },
  more: { referrer: 'debug-force-refund' },
}

const payments = async ({ protocol }: Quote): Promise<readonly [paid: number, withdrawn: number]> => {
  const { paid, withdrawn } = await paymentsOf(network, protocol.v2.orderId)
  return [paid.length, withdrawn.length]
}

it(`F39, F42: a host killed at each of ${PLACES.length} places pays every order on the XRP Ledger exactly once`, {
  timeout: 600_000,
}, async () => {
  const orders: { readonly quote: Quote; readonly end: 'fill' | 'refund' }[] = []
  for (const failpoint of PLACES) {
    // Each host first finishes what the one before it left behind.
    const host = await start({ roles: MONEY, failpoint })
    const quotes = await Promise.all([client.quote(fill), client.quote(refund)])
    await Promise.all([client.pay(quotes[0], fill), client.pay(quotes[1], refund)])
    orders.push({ quote: quotes[0], end: 'fill' }, { quote: quotes[1], end: 'refund' })
    expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
  }
  const last = await start({ roles: MONEY })
  for (const { quote, end } of orders) {
    await client.waitFor(quote.requestId, [end === 'fill' ? 'success' : 'refund'], 120_000)
  }
  await waitForQuiet(pool, 120_000)
  for (const { quote, end } of orders) expect(await payments(quote)).toEqual(end === 'fill' ? [1, 0] : [1, 1])
  const { code, output } = await runOperator({ network: network.host, databaseUrl: database.url }, ['ledger', 'check'])
  expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
  expect(await findWalletDifferences(pool)).toEqual([])
  last.signal('SIGKILL')
  await last.ended
  console.info(`${PLACES.length} places, ${orders.length} orders`)
})
