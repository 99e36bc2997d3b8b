import { monitorEventLoopDelay } from 'node:perf_hooks'
import { multiDepositAbi, multiDepositBytecode, transferFloodAbi, transferFloodBytecode } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
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

const TRANSFERS = 4_000
const DUST = 300
const HEAVY: Hex = `0x${'ab'.repeat(99_000)}`
/** A host that compares each transfer with each stands still for twenty seconds and more. */
const LONGEST_DELAY_MS = 10_000

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

const origin = () => network.chains[0]

const quoteNative = (user: number, more: Readonly<Record<string, unknown>> = {}): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: origin().chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.02'),
    tradeType: 'EXACT_OUTPUT',
    recipient: freshAddress(),
    more,
  })

/** One block with what strangers send and, at its end, the deposit of a quote. */
const inOneBlock = async (
  quote: QuoteAnswer,
  user: number,
  strangers: () => Promise<readonly Hex[]>,
): Promise<void> => {
  const { chain } = origin()
  await chain.setAutomine(false)
  await chain.setIntervalMining(0)
  const floods = await strangers()
  const deposit = quote.steps.at(-1)?.items.at(-1)?.data
  if (deposit === undefined) throw new Error('The quote has no deposit')
  const { to, data, value } = deposit
  const hash = await chain.send(userOf(network, user), { to, data, value: BigInt(value), gas: 200_000n })
  await chain.mine(1)
  await chain.setAutomine(true)
  await chain.setIntervalMining(1)
  for (const sent of [...floods, hash]) expect((await receiptOf(chain, sent)).status).toBe('0x1')
}

/** Longest time in which this process did nothing else, milliseconds. */
const longestDelay = async (work: () => Promise<unknown>): Promise<number> => {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  await work()
  delays.disable()
  return delays.max / 1_000_000
}

const depositsOf = async (txId: Hex) => {
  const { rows } = await deployment.pool.query<{ amount: string; parked_reason: string }>(
    'select amount::text, parked_reason from deposits where tx_id = $1 order by position',
    [txId],
  )
  return rows
}

it('F132: a block full of transfers to the depository holds up nobody, and its strays are few deposits of the same sum', async () => {
  const { chain, depository } = origin()
  const token = await chain.deploy(transferFloodAbi, transferFloodBytecode)
  const quote = await quoteNative(0)
  const args = [depository as Address, BigInt(TRANSFERS)] as const
  const data = encodeFunctionData({ abi: transferFloodAbi, functionName: 'flood', args })
  let flood: Hex = '0x'
  const delay = await longestDelay(async () => {
    await inOneBlock(quote, 0, async () => {
      flood = await chain.send(userOf(network, 5), { to: token, data, gas: 12_000_000n })
      return [flood]
    })
    await waitForStatus(deployment.requests, quote.requestId, ['success'])
  })
  expect(delay).toBeLessThan(LONGEST_DELAY_MS)
  const stored = await until('the strays to be stored', async () => {
    const rows = await depositsOf(flood)
    return rows.length === 0 ? null : rows
  })
  expect(stored).toHaveLength(21)
  expect(stored.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(BigInt(TRANSFERS))
  expect(new Set(stored.map(({ parked_reason }) => parked_reason))).toEqual(new Set(['no order id']))
})

it('F132: dust under an order with heavy calls holds up no other deposit, and is decided without a copy of them', async () => {
  const { chain, depository } = origin()
  const multi = await chain.deploy(multiDepositAbi, multiDepositBytecode)
  const heavy = await quoteNative(1, { txs: [{ to: freshAddress(), value: '1000', data: HEAVY }] })
  const quote = await quoteNative(2)
  const deposits = Array.from({ length: DUST }, () => ({ token: NATIVE as Hex, amount: 1n }))
  const args = [depository as Address, userOf(network, 5).address, heavy.protocol.v2.orderId, deposits] as const
  const data = encodeFunctionData({ abi: multiDepositAbi, functionName: 'depositMany', args })
  await inOneBlock(quote, 2, async () => [
    await chain.send(userOf(network, 5), { to: multi, data, value: BigInt(DUST), gas: 10_000_000n }),
  ])
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  const byStatus = () =>
    deployment.pool.query<{ status: string; reason: string; count: number; terms: number }>(
      `select status, refund_fail_reason as reason, count(*)::int as count, max(length(terms)) as terms from requests
       where parent_request_id = $1 group by 1, 2`,
      [Buffer.from(heavy.requestId.slice(2), 'hex')],
    )
  const { rows } = await until('the dust to be decided', async () => {
    const found = await byStatus()
    return found.rows.some(({ status, count }) => status === 'failure' && count === DUST) ? found : null
  })
  expect(rows).toMatchObject([{ status: 'failure', reason: 'AMOUNT_TOO_LOW_TO_REFUND', count: DUST }])
  expect(rows[0]?.terms).toBeLessThan(2_000)
  // The order is as free as before: its own deposit is filled, with its calls.
  await executeQuote(chain, userOf(network, 1), heavy)
  await waitForStatus(deployment.requests, heavy.requestId, ['success'])
})

it('F132: leaves no order paid twice and books that agree with both chains', async () => {
  await waitForQuiet(deployment.pool)
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  expect([...paid.values()].every(({ fills }) => fills <= 1)).toBe(true)
})
