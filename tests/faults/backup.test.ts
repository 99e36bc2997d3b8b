import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
/** Ended after the tests even when one fails. */
const deployments: Deployment[] = []
let database: TestDatabase
let copies: DatabaseCopies

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  copies = databaseCopies(database)
})
afterAll(async () => {
  await Promise.all(deployments.splice(0).map((item) => item.kill()))
  await copies?.drop()
  await database?.drop()
  await network?.close()
})

const start = async (databaseUrl: string): Promise<Deployment> => {
  const deployment = await startDeployment({ network, databaseUrl })
  deployments.push(deployment)
  return deployment
}

const stop = async (deployment: Deployment): Promise<void> => {
  deployments.splice(deployments.indexOf(deployment), 1)
  await deployment.kill()
}

const quoteOne = (deployment: Deployment, user: number, more: object = {}): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, nativeTransfer(network, user, { more: { ...more } }))

const counts = async (quotes: readonly QuoteAnswer[]): Promise<{ fills: number; refunds: number }[]> => {
  const [origin, destination] = await Promise.all(
    network.chains.map((item) => paymentsByOrder(item, network.roles.solver.address)),
  )
  return quotes.map(({ protocol }) => ({
    fills: destination?.get(protocol.v2.orderId)?.fills ?? 0,
    refunds: origin?.get(protocol.v2.orderId)?.fills ?? 0,
  }))
}

it('F118: an older database put back recognises what was paid since, and pays nothing twice', async () => {
  let deployment = await start(database.url)
  const quotes = [
    await quoteOne(deployment, 0),
    await quoteOne(deployment, 1),
    await quoteOne(deployment, 2, { referrer: 'debug-force-refund' }),
  ]
  await stop(deployment)
  const older = await copies.take()
  deployment = await start(database.url)
  for (const [user, quote] of quotes.entries())
    await executeQuote(network.chains[0].chain, userOf(network, user), quote)
  for (const quote of quotes) await waitForStatus(deployment.requests, quote.requestId, ['success', 'refund'])
  await waitForQuiet(deployment.pool)
  await stop(deployment)
  const before = await counts(quotes)
  const restored = await start(older)
  for (const quote of quotes) await waitForStatus(restored.requests, quote.requestId, ['success', 'refund'])
  await waitForQuiet(restored.pool)
  expect(await counts(quotes)).toEqual(before)
  expect(before).toEqual([
    { fills: 1, refunds: 0 },
    { fills: 1, refunds: 0 },
    { fills: 0, refunds: 1 },
  ])
  expect(await findDiscrepancies(restored.pool, network)).toEqual([])
})

it('F118: payments for orders the older database never knew quarantine the lane: nothing is paid before an operator has looked', async () => {
  await Promise.all(deployments.map(stop))
  const older = await copies.take()
  const current = await start(database.url)
  const unknown = await quoteOne(current, 3)
  await executeQuote(network.chains[0].chain, userOf(network, 3), unknown)
  await waitForStatus(current.requests, unknown.requestId, ['success'])
  await waitForQuiet(current.pool)
  await stop(current)
  const restored = await start(older)
  const state = await until('the lane to be judged', async () => {
    const { rows } = await restored.pool.query<{ state: string; reason: string }>(
      `select state, reason from lanes where chain_id = $1 and state = 'quarantined'`,
      [network.chains[1].chain.chainId],
    )
    return rows[0]
  })
  expect(state.reason).toContain('orders this database does not know')
  const quote = await quoteOne(restored, 4)
  await executeQuote(network.chains[0].chain, userOf(network, 4), quote)
  await waitForStatus(restored.requests, quote.requestId, ['pending'])
  await network.chains[1].chain.mine(20)
  expect(await counts([quote, unknown])).toEqual([
    { fills: 0, refunds: 0 },
    { fills: 1, refunds: 0 },
  ])
})
