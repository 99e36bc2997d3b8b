import type { LocalAccount } from '@causeway/chain-evm/testing'
import { eventTopics, fickleTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { depositToken } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, type NetworkChain, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from '../operator/operatorDesk.js'

/** Tokens that change between the simulation of a payment and its block (faults.md F123). */
export const MOODS = {
  honest: 0,
  answersFalse: 1,
  lies: 2,
  paused: 3,
  takesFee: 4,
  movesSilently: 5,
  burns: 6,
} as const
const SETTLE = 3
/** So deep that nothing is final, or proven dead, however many blocks come before a test has made one leave the chain. */
export const NEVER = 100_000
export const DEEP = 80
const FINISHED = ['success', 'failure', 'refund'] as const

export let network: LocalNetwork
let database: TestDatabase
export let deployment: Deployment

const start = (solver: Readonly<Record<string, unknown>> = {}, settle = SETTLE): Promise<Deployment> =>
  startDeployment({ network, databaseUrl: database.url, settle, solver })

/** Kills the deployment unless a test did, and starts it again. */
export const restart = async (solver: Readonly<Record<string, unknown>> = {}, settle = SETTLE): Promise<void> => {
  await deployment.kill()
  deployment = await start(solver, settle)
}

/** The books and the chains agree, and nothing of what must never be is found. */
const requireBooks = async (): Promise<void> => {
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  expect(await openDesk(deployment).json('ledger check')).toMatchObject({ ok: true, findings: [] })
}

/** How the chain's dollar treats transfers of an account in transactions from now on; calls and estimates see an honest one. */
export const setMood = async (item: NetworkChain, mood: keyof typeof MOODS, victim: string): Promise<void> => {
  const args = [MOODS[mood], victim as Address] as const
  const data = encodeFunctionData({ abi: fickleTokenAbi, functionName: 'setMood', args })
  await receiptOf(item.chain, await item.chain.send(userOf(network, 5), { to: item.usdc, data }))
}

export const solver = (): string => network.roles.solver.address

export interface Transfer {
  readonly quote: QuoteAnswer
  readonly recipient: Hex
  readonly refundTo: Hex
}

const quoteDollars = async (
  user: LocalAccount,
  more: { readonly tradeType?: 'EXACT_OUTPUT'; readonly slippageTolerance?: string } = {},
): Promise<Transfer> => {
  const [from, to] = network.chains
  const recipient = freshAddress()
  const refundTo = freshAddress()
  const { tradeType, ...rest } = more
  const quote = await quoteTransfer(deployment.engine, {
    user,
    from: from.chain.chainId,
    to: to.chain.chainId,
    originCurrency: from.usdc,
    destinationCurrency: to.usdc,
    amount: tradeType === undefined ? 500_000_000n : 500n * 10n ** 18n,
    ...(tradeType === undefined ? {} : { tradeType }),
    recipient,
    more: { refundTo, ...rest },
  })
  return { quote, recipient, refundTo }
}

export const transferDollars = async (
  user: number,
  more: { readonly slippageTolerance?: string } = {},
): Promise<Transfer> => {
  const transfer = await quoteDollars(userOf(network, user), more)
  await executeQuote(network.chains[0].chain, userOf(network, user), transfer.quote)
  return transfer
}

/** A deposit of another amount than its order wants: too small, so that it is refunded, or with an excess. */
export const deposit = async (user: number, more: bigint): Promise<Transfer> => {
  const transfer = await quoteDollars(userOf(network, user), { tradeType: 'EXACT_OUTPUT' })
  const { quote } = transfer
  const [{ usdc }] = network.chains
  const amount = BigInt(quote.details.currencyIn.amount) + more
  await depositToken(network.chains[0], userOf(network, user), usdc, quote.protocol.v2.orderId, amount)
  return transfer
}

interface PayoutRow {
  readonly id: string
  readonly state: string
  readonly generation: number
  readonly details: string | null
  readonly spent: number
}

export const payoutOf = async ({ quote }: Transfer, purpose: string): Promise<PayoutRow | null> => {
  const { rows } = await deployment.pool.query<PayoutRow>(
    `select p.id::text as id, p.state, p.generation, p.details,
       (select count(*)::int from payout_attempts a where a.payout_id = p.id and a.state = 'reverted') as spent
     from payouts p where p.order_id = decode($1, 'hex') and p.purpose = $2`,
    [quote.protocol.v2.orderId.slice(2), purpose],
  )
  return rows[0] ?? null
}

export const spentOnce = (transfer: Transfer, purpose: string): Promise<PayoutRow> =>
  until(`a ${purpose} that moved nothing`, async () => {
    const payout = await payoutOf(transfer, purpose)
    return payout !== null && payout.spent > 0 ? payout : null
  })

/** The request of its own that a deposit became which could not consume its order. */
export const childOf = ({ quote }: Transfer): Promise<Hex> =>
  until('the child request', async () => {
    const { rows } = await deployment.pool.query<{ id: Hex }>(
      `select '0x' || encode(id, 'hex') as id from requests where parent_request_id = decode($1, 'hex')`,
      [quote.requestId.slice(2)],
    )
    return rows[0]?.id
  })

export const returned = async (transfer: Transfer) =>
  waitForStatus(deployment.requests, await childOf(transfer), FINISHED)

export const finished = ({ quote }: Transfer) => waitForStatus(deployment.requests, quote.requestId, FINISHED)

export const held = (item: NetworkChain, account: string): Promise<bigint> => balanceOnChain(item, account, item.usdc)

/** Transfers of the chain's dollar to an account that its logs show. */
export const arrivals = async ({ chain, usdc }: NetworkChain, account: string): Promise<number> => {
  const topics = [eventTopics.transfer, null, `0x${account.slice(2).padStart(64, '0')}`]
  const logs = await chain.rpc<readonly unknown[]>('eth_getLogs', [
    { address: usdc, topics, fromBlock: '0x0', toBlock: 'latest' },
  ])
  return logs.length
}

/** Starts two chains whose dollar may be told to misbehave, and a host; checks the books after each test. */
export const useOddPayoutWorld = (): void => {
  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25, dollars: 'fickle' })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    deployment = await start()
  })
  afterEach(async () => {
    await Promise.all(network.chains.map((chain) => setMood(chain, 'honest', zeroAddress)))
    await waitForQuiet(deployment.pool)
    await requireBooks()
  })
  afterAll(async () => {
    await deployment?.kill()
    await database?.drop()
    await network?.close()
  })
}
