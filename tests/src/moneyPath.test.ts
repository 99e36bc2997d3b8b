import { coreMigrations } from '@causeway/core'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Deployment, startDeployment } from './harness/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork } from './harness/localNetwork.js'
import { executeQuote, quoteTransfer, waitForStatus } from './harness/transfer.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({ network, databaseUrl: database.url })
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const user = (index: number) => {
  const account = network.users[index]
  if (account === undefined) throw new Error('no such user')
  return account
}

it('pays a native deposit out on the other chain (design 3)', async () => {
  const [origin, destination] = network.chains
  const quote = await quoteTransfer(deployment.engine, {
    user: user(0),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('1'),
    recipient: '0x1111111111111111111111111111111111111111',
  })
  await executeQuote(origin.chain, user(0), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'failure', 'refund'])
  expect(done.status).toBe('success')
  const balance = await destination.chain.rpc<string>('eth_getBalance', [
    '0x1111111111111111111111111111111111111111',
    'latest',
  ])
  expect(BigInt(balance)).toBe(BigInt(quote.details.currencyOut.amount))
})
