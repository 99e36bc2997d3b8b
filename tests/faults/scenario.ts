import type { Hex } from '@causeway/core'
import type { Pool } from 'pg'
import { findDiscrepancies, paymentsByOrder, unfinished, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { ether, type LocalNetwork, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer, type TransferRequest } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** One order of a scenario and what the chains must show of it in the end. */
export interface ScenarioOrder {
  readonly orderId: Hex
  readonly expected: 'fill' | 'refund'
  readonly excess: boolean
  deposit(): Promise<unknown>
}

const AMOUNT = ether('0.01')

/** A fill, a refund (one unit short of an exact output) and a fill that leaves an excess: every purpose, withdrawals included. */
export const quoteScenario = async (
  network: LocalNetwork,
  quote: (request: TransferRequest) => Promise<QuoteAnswer>,
): Promise<ScenarioOrder[]> => {
  const [origin, destination] = network.chains
  const ask = (user: number, tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT') =>
    quote({
      user: userOf(network, user),
      from: origin.chain.chainId,
      to: destination.chain.chainId,
      originCurrency: NATIVE,
      destinationCurrency: NATIVE,
      amount: AMOUNT,
      tradeType,
      recipient: freshAddress(),
    })
  const [fill, refund, excess] = await Promise.all([
    ask(0, 'EXACT_INPUT'),
    ask(1, 'EXACT_OUTPUT'),
    ask(2, 'EXACT_OUTPUT'),
  ])
  const order = (
    user: number,
    answer: QuoteAnswer,
    amount: bigint,
    expected: 'fill' | 'refund',
    more: boolean,
  ): ScenarioOrder => ({
    orderId: answer.protocol.v2.orderId,
    expected,
    excess: more,
    deposit: () => depositNative(origin, userOf(network, user), answer.protocol.v2.orderId, amount),
  })
  return [
    order(0, fill, AMOUNT, 'fill', false),
    order(1, refund, BigInt(refund.details.currencyIn.amount) - 1n, 'refund', false),
    order(2, excess, BigInt(excess.details.currencyIn.amount) * 2n, 'fill', true),
  ]
}

/** A strict address that is paid what it asks for, and one that is paid a unit less: filled and refunded behind a sweep. */
export const quoteAddressScenario = async (
  network: LocalNetwork,
  quote: (request: TransferRequest) => Promise<QuoteAnswer>,
): Promise<ScenarioOrder[]> => {
  const [origin, destination] = network.chains
  const order = async (user: number, amount: bigint, expected: 'fill' | 'refund'): Promise<ScenarioOrder> => {
    const answer = await quote({
      user: userOf(network, user),
      from: origin.chain.chainId,
      to: destination.chain.chainId,
      originCurrency: NATIVE,
      destinationCurrency: NATIVE,
      amount: AMOUNT,
      recipient: freshAddress(),
      more: { useDepositAddress: true, strict: true, refundTo: freshAddress() },
    })
    const to = answer.steps[0]?.items[0]?.data.to ?? ''
    const deposit = () => origin.chain.send(userOf(network, user), { to, value: amount })
    return { orderId: answer.protocol.v2.orderId, expected, excess: false, deposit }
  }
  return Promise.all([order(3, AMOUNT, 'fill'), order(4, AMOUNT - 1n, 'refund')])
}

/** Waits until every order was paid or refunded and nothing is on its way. */
export const waitForOrders = async (
  pool: Pool,
  orders: readonly ScenarioOrder[],
  milliseconds = 60_000,
): Promise<void> => {
  await until(
    'every order to be finished',
    async () => {
      const { rows } = await pool.query<{ done: number }>(
        `select count(*)::int as done from requests where status in ('success', 'refund', 'failure')
         and order_id = any($1::bytea[])`,
        [orders.map(({ orderId }) => Buffer.from(orderId.slice(2), 'hex'))],
      )
      return rows[0]?.done === orders.length ? true : null
    },
    milliseconds,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(await unfinished(pool))}`)
  })
  await waitForQuiet(pool, milliseconds)
}

const NOTHING = { fills: 0, excess: 0, withdrawals: 0 }

/** Asks the chains themselves how often each order was paid, and the books whether they agree; says in words what is wrong. */
export const findProblems = async (
  pool: Pool,
  network: LocalNetwork,
  orders: readonly ScenarioOrder[],
  heights: readonly number[] = [0, 0],
): Promise<string[]> => {
  const [onOrigin, onDestination] = await Promise.all(
    network.chains.map((item, index) => paymentsByOrder(item, network.roles.solver.address, heights[index])),
  )
  const problems = await findDiscrepancies(pool, network)
  for (const { orderId, expected, excess } of orders) {
    const origin = onOrigin?.get(orderId) ?? NOTHING
    const fills = (onDestination?.get(orderId) ?? NOTHING).fills
    const refunds = origin.fills
    if (fills !== (expected === 'fill' ? 1 : 0) || refunds !== (expected === 'refund' ? 1 : 0)) {
      problems.push(`order ${orderId} has ${fills} fills and ${refunds} refunds`)
    }
    if (origin.excess !== (excess ? 1 : 0)) problems.push(`order ${orderId} has ${origin.excess} excess payments`)
    if (origin.withdrawals !== 1) problems.push(`order ${orderId} has ${origin.withdrawals} withdrawals`)
  }
  return problems
}
