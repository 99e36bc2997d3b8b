import { testTokenAbi } from '@causeway/contracts-abi'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, quoteTransfer, receiptOf, waitForStatus } from '../harness/transfer.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({ network, databaseUrl: database.url, solver: { waitForFundsMs: 1_000 } })
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

/** Takes every unit of a token out of the solver's wallet, as an operator who moves funds away would. */
const emptyWallet = async (chainIndex: 0 | 1): Promise<void> => {
  const item = network.chains[chainIndex]
  const { solver } = network.roles
  const balance = await balanceOnChain(item, solver.address, item.usdc)
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [freshAddress(), balance] })
  await receiptOf(item.chain, await item.chain.send(solver, { to: item.usdc, data }))
}

it('missing inventory never makes a refund fail: the deposit is withdrawn first and pays it (architecture.md 3, step 4)', async () => {
  const [origin, destination] = network.chains
  const refundTo = freshAddress()
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, 0),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: origin.usdc,
    destinationCurrency: destination.usdc,
    amount: 40_000_000n,
    recipient: freshAddress(),
    more: { refundTo },
  })
  await emptyWallet(0)
  await emptyWallet(1)
  await executeQuote(origin.chain, userOf(network, 0), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'failure', 'refund'])
  expect(done).toMatchObject({ status: 'refund', failReason: 'SOLVER_BALANCE_TOO_LOW' })
  const returned = await balanceOnChain(origin, refundTo, origin.usdc)
  expect(returned).toBeGreaterThan(39_000_000n)
  await waitForQuiet(deployment.pool)
  // What the operator took away is not in the books; nothing else may differ.
  const unexplained = (await findDiscrepancies(deployment.pool, network)).filter((line) => !line.includes('wallet'))
  expect(unexplained).toEqual([])
})
