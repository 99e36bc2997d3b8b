import { createPool, FAILPOINTS } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import type { Quote } from '../transfers/apiClient.js'
import { UserClient } from '../transfers/userClient.js'
import { type CrossNetwork, EVM_ID, SVM_ID, startCrossNetwork } from './crossNetwork.js'
import { paymentsOnSolana } from './paymentsOnSolana.js'

const MONEY = ['watcher', 'solver']
/**
 * Where a payment of each kind is stored, sent, and seen on the chain but not yet noted; the places between are those of every
 * chain and have their own test.
 */
const PLACES = FAILPOINTS.filter((name) =>
  /^(fill|refund|withdraw)\.(store\.after|broadcast\.after|included\.before)$/.test(name),
)

let network: CrossNetwork
let database: TestDatabase
const running: HostProcess[] = []

beforeAll(async () => {
  ;[network, database] = await Promise.all([startCrossNetwork(), createTestDatabase({ packages: [] })])
})
afterAll(async () => {
  for (const host of running) host.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database?.drop()
  await network?.close()
})

it(`F39, F42: a host killed at each of ${PLACES.length} places pays every order on Solana exactly once`, {
  timeout: 600_000,
}, async () => {
  const api = await startHostProcess({ network: network.host, databaseUrl: database.url, roles: ['api'] })
  running.push(api)
  const apiKey = await createApiKey({ network: network.host, databaseUrl: database.url })
  const client = await UserClient.open(network, { url: api.url, apiKey })
  const orders: { readonly quote: Quote; readonly end: 'fill' | 'refund' }[] = []
  for (const failpoint of PLACES) {
    // Each host first finishes what the one before it left behind.
    const host = await startHostProcess({ network: network.host, databaseUrl: database.url, roles: MONEY, failpoint })
    const fill = { from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 } as const
    const more = { referrer: 'debug-force-refund' }
    const refund = { from: SVM_ID, to: EVM_ID, symbol: 'SOL', amount: 10n ** 9n, user: 1, more } as const
    const quotes = await Promise.all([client.quote(fill), client.quote(refund)])
    await Promise.all([client.pay(quotes[0], fill), client.pay(quotes[1], refund)])
    orders.push({ quote: quotes[0], end: 'fill' }, { quote: quotes[1], end: 'refund' })
    expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
  }
  running.push(await startHostProcess({ network: network.host, databaseUrl: database.url, roles: MONEY }))
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  try {
    for (const { quote, end } of orders)
      await client.waitFor(quote.requestId, [end === 'fill' ? 'success' : 'refund'], 120_000)
    await waitForQuiet(pool, 120_000)
  } finally {
    await pool.end()
  }
  const seen = await paymentsOnSolana(network)
  const count = ({ quote }: (typeof orders)[number], purpose: string) =>
    seen.get(`${purpose} ${quote.protocol.v2.orderId}`) ?? 0
  for (const order of orders) {
    const refunded = order.end === 'refund'
    expect([count(order, 'fill'), count(order, 'refund'), count(order, 'withdraw')]).toEqual([
      refunded ? 0 : 1,
      refunded ? 1 : 0,
      refunded ? 1 : 0,
    ])
  }
  const { code, output } = await runOperator({ network: network.host, databaseUrl: database.url }, ['ledger', 'check'])
  expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
  console.info(`${PLACES.length} places, ${orders.length} orders`)
})
