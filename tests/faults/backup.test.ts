import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'

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
