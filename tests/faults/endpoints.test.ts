import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  nativeTransfer,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
let proxy: FaultProxy
let deployment: Deployment

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  proxy = await startFaultProxy(network.chains[1].chain.rpcUrl)
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({
    network,
    databaseUrl: database.url,
    rpcUrls: { [network.chains[1].chain.chainId]: proxy.url },
    solver: { bumpAfterMs: 1_000, inclusionWindowMs: 4_000 },
  })
})
afterAll(async () => {
  await deployment?.kill()
  await proxy?.close()
  await database?.drop()
  await network?.close()
})

const quoteOne = (user: number): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, nativeTransfer(network, user, { amount: ether('0.3') }))

const transfer = async (user: number): Promise<QuoteAnswer> => {
  const quote = await quoteOne(user)
  await executeQuote(network.chains[0].chain, userOf(network, user), quote)
  return quote
}

const fillsOf = async (quote: QuoteAnswer): Promise<number> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return paid.get(quote.protocol.v2.orderId)?.fills ?? 0
}

it('F54: a node that answers an error for a transaction it accepted causes no second payment', async () => {
  proxy.failNext('eth_sendRawTransaction', { code: -32000, message: 'internal error' }, { afterForward: true })
  const quote = await transfer(0)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(await fillsOf(quote)).toBe(1)
})

it('F49: a send refused after its nonce was taken is sent again, and later sends are not blocked', async () => {
  proxy.failNext('eth_sendRawTransaction', { code: -32000, message: 'transaction pool is full' })
  const [first, second] = [await transfer(1), await transfer(2)]
  await Promise.all([first, second].map(({ requestId }) => waitForStatus(deployment.requests, requestId, ['success'])))
  expect([await fillsOf(first), await fillsOf(second)]).toEqual([1, 1])
})

it('a nonce of the solver used from outside delays a fill and never doubles it', async () => {
  const { solver } = network.roles
  const [, destination] = network.chains
  await receiptOf(destination.chain, await destination.chain.send(solver, { to: freshAddress(), value: 1n }))
  const quote = await transfer(3)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(await fillsOf(quote)).toBe(1)
})

it('TRANSACTION_NOT_INCLUDED: a fill that never lands is cancelled, proven dead, and refunded', async () => {
  const quote = await quoteOne(4)
  // Refuses every transaction that carries the order id on this chain: the fill and its bumps, not the cancel.
  proxy.add('eth_sendRawTransaction', {
    when: ([raw]) => String(raw).includes(quote.protocol.v2.orderId.slice(2)),
    error: { code: -32000, message: 'transaction pool is full' },
  })
  await executeQuote(network.chains[0].chain, userOf(network, 4), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'refund', 'failure'])
  proxy.clear()
  expect(done).toMatchObject({ status: 'refund', failReason: 'TRANSACTION_NOT_INCLUDED' })
  expect(await fillsOf(quote)).toBe(0)
  await waitForQuiet(deployment.pool)
})

it('a fill found by its journal, whose bytes nobody has and no node shows, is cancelled by its nonce and refunded', async () => {
  const quote = await quoteOne(5)
  proxy.add('eth_sendRawTransaction', {
    when: ([raw]) => String(raw).includes(quote.protocol.v2.orderId.slice(2)),
    error: { code: -32000, message: 'transaction pool is full' },
  })
  await executeQuote(network.chains[0].chain, userOf(network, 5), quote)
  // As a lane leaves it that found the transaction on the chain after an older database was put back.
  await until('the fill to be stored', async () => {
    const { rowCount } = await database.pool.query(
      `update payout_attempts set raw = '0x', prepared = json_build_object('transaction', null, 'guards', prepared::json -> 'guards')::text
       where payout_id = (select id from payouts where request_id = $1 and state = 'signed') and broadcast_at is not null`,
      [Buffer.from(quote.requestId.slice(2), 'hex')],
    )
    return rowCount === 0 ? null : true
  })
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'refund', 'failure'])
  proxy.clear()
  expect(done).toMatchObject({ status: 'refund' })
  expect(await fillsOf(quote)).toBe(0)
  const next = await transfer(0)
  await waitForStatus(deployment.requests, next.requestId, ['success'])
  await waitForQuiet(deployment.pool)
})
