import { blockingTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { depositNative, depositToken } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'

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

const quoteNative = (
  user: number,
  more: { readonly amount?: bigint; readonly tradeType?: 'EXACT_OUTPUT'; readonly refundTo?: Hex } = {},
): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: network.chains[0].chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: more.amount ?? ether('0.2'),
    recipient: freshAddress(),
    ...(more.tradeType === undefined ? {} : { tradeType: more.tradeType }),
    more: more.refundTo === undefined ? {} : { refundTo: more.refundTo },
  })

interface RequestRow {
  readonly status: string
  readonly fail_reason: string | null
  readonly refund_fail_reason: string | null
  readonly parent: string | null
}

/** Every request made of an order's deposits, the quote's own first. */
const requestsOf = async (orderId: Hex): Promise<RequestRow[]> => {
  const { rows } = await deployment.pool.query<RequestRow>(
    `select status, fail_reason, refund_fail_reason, encode(parent_request_id, 'hex') as parent from requests
     where order_id = decode($1, 'hex') order by parent_request_id nulls first, seq`,
    [orderId.slice(2)],
  )
  return rows
}

const finishedRequests = (orderId: Hex, count: number): Promise<RequestRow[]> =>
  until(`${count} finished requests`, async () => {
    const rows = await requestsOf(orderId)
    return rows.length === count && rows.every(({ status }) => ['success', 'failure', 'refund'].includes(status))
      ? rows
      : null
  })

const parkedReasons = async (txId: string): Promise<string[]> =>
  until('the deposit to be read', async () => {
    const { rows } = await deployment.pool.query<{ parked_reason: string | null }>(
      'select parked_reason from deposits where tx_id = $1',
      [txId],
    )
    return rows.length === 0 ? null : rows.map(({ parked_reason }) => parked_reason ?? '')
  })

it('F09: fills the first deposit of an order and refunds the second', async () => {
  const refundTo = freshAddress()
  const quote = await quoteNative(0, { refundTo })
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  const requests = await finishedRequests(quote.protocol.v2.orderId, 2)
  expect(requests).toMatchObject([
    { status: 'success', parent: null },
    { status: 'refund', fail_reason: 'DOUBLE_SPEND', parent: quote.requestId.slice(2) },
  ])
  const returned = await balanceOnChain(network.chains[0], refundTo, NATIVE)
  expect(returned).toBeGreaterThan(ether('0.199'))
})

it('F117: dust under an order id never consumes the order', async () => {
  const quote = await quoteNative(2)
  await depositNative(network.chains[0], userOf(network, 3), quote.protocol.v2.orderId, 1n)
  await executeQuote(network.chains[0].chain, userOf(network, 2), quote)
  const requests = await finishedRequests(quote.protocol.v2.orderId, 2)
  expect(requests).toMatchObject([
    { status: 'success', fail_reason: null },
    {
      status: 'failure',
      fail_reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
      refund_fail_reason: 'AMOUNT_TOO_LOW_TO_REFUND',
    },
  ])
})

it('F11: an exact-output deposit short by one unit is refunded', async () => {
  const quote = await quoteNative(0, { amount: ether('0.1'), tradeType: 'EXACT_OUTPUT' })
  const amount = BigInt(quote.details.currencyIn.amount) - 1n
  await depositNative(network.chains[0], userOf(network, 0), quote.protocol.v2.orderId, amount)
  const requests = await finishedRequests(quote.protocol.v2.orderId, 1)
  expect(requests).toMatchObject([{ status: 'refund', fail_reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' }])
})

it('F12: an exact-output deposit twice as large pays the quoted output and returns the excess once', async () => {
  const refundTo = freshAddress()
  const quote = await quoteNative(1, { amount: ether('0.1'), tradeType: 'EXACT_OUTPUT', refundTo })
  const amountIn = BigInt(quote.details.currencyIn.amount)
  await depositNative(network.chains[0], userOf(network, 1), quote.protocol.v2.orderId, amountIn * 2n)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  const returned = await until('the excess', async () => {
    const balance = await balanceOnChain(network.chains[0], refundTo, NATIVE)
    return balance > 0n ? balance : null
  })
  expect(returned).toBeLessThan(amountIn)
  expect(returned).toBeGreaterThan((amountIn * 99n) / 100n)
})

it('F13, F02: deposits of nothing are ignored, foreign tokens and unknown ids are parked', async () => {
  const [origin] = network.chains
  await depositNative(origin, userOf(network, 4), `0x${'ab'.repeat(32)}`, 0n)
  const unknown = await depositNative(origin, userOf(network, 4), `0x${'cd'.repeat(32)}`, 1_000n)
  expect(await parkedReasons(unknown)).toEqual(['unknown order id'])
  const fake = await origin.chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals: 6 })
  await origin.chain.fund(userOf(network, 4).address, 10_000_000n, fake)
  const quote = await quoteNative(4)
  const deposit = await depositToken(origin, userOf(network, 4), fake, quote.protocol.v2.orderId, 10_000_000n)
  expect(await parkedReasons(deposit)).toEqual(['currency not held by the solver'])
  const { rows } = await deployment.pool.query('select 1 from deposits where amount = 0')
  expect(rows).toEqual([])
})

it('a held token under an order for another currency is refunded, not filled', async () => {
  const quote = await quoteNative(3)
  await depositToken(
    network.chains[0],
    userOf(network, 3),
    network.chains[0].usdc,
    quote.protocol.v2.orderId,
    5_000_000n,
  )
  const requests = await finishedRequests(quote.protocol.v2.orderId, 1)
  expect(requests).toMatchObject([{ status: 'refund', fail_reason: 'INCORRECT_DEPOSIT_CURRENCY' }])
})

it('F60: a recipient blocked after the quote is refunded on the origin', async () => {
  const [origin, destination] = network.chains
  const recipient = freshAddress()
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, 5),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: origin.blockable,
    destinationCurrency: destination.blockable,
    amount: 30_000_000n,
    recipient,
  })
  const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [recipient] })
  await receiptOf(
    destination.chain,
    await destination.chain.send(userOf(network, 5), { to: destination.blockable, data }),
  )
  await executeQuote(origin.chain, userOf(network, 5), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success', 'failure', 'refund'])
  expect(done).toMatchObject({ status: 'refund', failReason: 'DESTINATION_TOKEN_TRANSFER_REJECTED' })
})

it('leaves no order paid twice on any chain, and books that agree with both', async () => {
  await waitForQuiet(deployment.pool)
  const discrepancies = await findDiscrepancies(deployment.pool, network)
  // The foreign token is parked in the depository under a currency the solver does not hold.
  expect(discrepancies).toEqual([])
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  expect([...paid.values()].every(({ fills }) => fills <= 1)).toBe(true)
})
