import type { LocalAccount } from '@causeway/chain-evm/testing'
import { eventTopics, fickleTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { depositToken } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, type NetworkChain, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
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
const MOODS = { honest: 0, answersFalse: 1, lies: 2, paused: 3, takesFee: 4, movesSilently: 5, burns: 6 } as const
const SETTLE = 3
/** So deep that nothing is final, or proven dead, however many blocks come before a test has made one leave the chain. */
const NEVER = 100_000
const DEEP = 80
const FINISHED = ['success', 'failure', 'refund'] as const

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment

const start = (solver: Readonly<Record<string, unknown>> = {}, settle = SETTLE): Promise<Deployment> =>
  startDeployment({ network, databaseUrl: database.url, settle, solver })

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

/** The books and the chains agree, and nothing of what must never be is found. */
const requireBooks = async (): Promise<void> => {
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  expect(await openDesk(deployment).json('ledger check')).toMatchObject({ ok: true, findings: [] })
}

/** How the chain's dollar treats transfers of an account in transactions from now on; calls and estimates see an honest one. */
const setMood = async (item: NetworkChain, mood: keyof typeof MOODS, victim: string): Promise<void> => {
  const args = [MOODS[mood], victim as Address] as const
  const data = encodeFunctionData({ abi: fickleTokenAbi, functionName: 'setMood', args })
  await receiptOf(item.chain, await item.chain.send(userOf(network, 5), { to: item.usdc, data }))
}

const solver = (): string => network.roles.solver.address

interface Transfer {
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

const transferDollars = async (user: number, more: { readonly slippageTolerance?: string } = {}): Promise<Transfer> => {
  const transfer = await quoteDollars(userOf(network, user), more)
  await executeQuote(network.chains[0].chain, userOf(network, user), transfer.quote)
  return transfer
}

/** A deposit of another amount than its order wants: too small, so that it is refunded, or with an excess. */
const deposit = async (user: number, more: bigint): Promise<Transfer> => {
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

const payoutOf = async ({ quote }: Transfer, purpose: string): Promise<PayoutRow | null> => {
  const { rows } = await deployment.pool.query<PayoutRow>(
    `select p.id::text as id, p.state, p.generation, p.details,
       (select count(*)::int from payout_attempts a where a.payout_id = p.id and a.state = 'reverted') as spent
     from payouts p where p.order_id = decode($1, 'hex') and p.purpose = $2`,
    [quote.protocol.v2.orderId.slice(2), purpose],
  )
  return rows[0] ?? null
}

const spentOnce = (transfer: Transfer, purpose: string): Promise<PayoutRow> =>
  until(`a ${purpose} that moved nothing`, async () => {
    const payout = await payoutOf(transfer, purpose)
    return payout !== null && payout.spent > 0 ? payout : null
  })

/** The request of its own that a deposit became which could not consume its order. */
const childOf = ({ quote }: Transfer): Promise<Hex> =>
  until('the child request', async () => {
    const { rows } = await deployment.pool.query<{ id: Hex }>(
      `select '0x' || encode(id, 'hex') as id from requests where parent_request_id = decode($1, 'hex')`,
      [quote.requestId.slice(2)],
    )
    return rows[0]?.id
  })

const returned = async (transfer: Transfer) => waitForStatus(deployment.requests, await childOf(transfer), FINISHED)

const finished = ({ quote }: Transfer) => waitForStatus(deployment.requests, quote.requestId, FINISHED)

const held = (item: NetworkChain, account: string): Promise<bigint> => balanceOnChain(item, account, item.usdc)

/** Transfers of the chain's dollar to an account that its logs show. */
const arrivals = async ({ chain, usdc }: NetworkChain, account: string): Promise<number> => {
  const topics = [eventTopics.transfer, null, `0x${account.slice(2).padStart(64, '0')}`]
  const logs = await chain.rpc<readonly unknown[]>('eth_getLogs', [
    { address: usdc, topics, fromBlock: '0x0', toBlock: 'latest' },
  ])
  return logs.length
}

it.each(['answersFalse', 'lies', 'paused', 'burns'] as const)(
  'F123: a fill of a token that %s moves nothing and is refunded, once',
  async (mood) => {
    const [origin, destination] = network.chains
    await setMood(destination, mood, solver())
    const transfer = await transferDollars(0)
    expect(await finished(transfer)).toMatchObject({
      status: 'refund',
      failReason: mood === 'paused' ? 'TRANSACTION_REVERTED' : 'DESTINATION_TOKEN_TRANSFER_REJECTED',
    })
    expect(await held(destination, transfer.recipient)).toBe(0n)
    expect(await held(origin, transfer.refundTo)).toBeGreaterThan(499_000_000n)
    expect(await arrivals(origin, transfer.refundTo)).toBe(1)
    const { rows } = await deployment.pool.query<{ purpose: string; status: string }>(
      `select purpose, status from request_txs where request_id = decode($1, 'hex') and direction = 'out' order by created_at`,
      [transfer.quote.requestId.slice(2)],
    )
    expect(rows).toEqual([
      { purpose: 'fill', status: 'failure' },
      { purpose: 'refund', status: 'success' },
    ])
  },
)

it('F123: a refund and an excess that moved nothing are tried anew by the next host, and pay once when the token works again', async () => {
  const [origin] = network.chains
  await setMood(origin, 'answersFalse', solver())
  const transfer = await deposit(1, -1n)
  const overpaid = await deposit(3, 100_000_000n)
  await spentOnce(transfer, 'refund')
  await spentOnce(overpaid, 'excess')
  expect((await deployment.requests.findStatus(await childOf(transfer)))?.status).toBe('pending')
  await deployment.kill()
  await setMood(origin, 'honest', zeroAddress)
  deployment = await start()
  expect(await returned(transfer)).toMatchObject({ status: 'refund', failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
  expect(await held(origin, transfer.refundTo)).toBeGreaterThan(490_000_000n)
  expect(await arrivals(origin, transfer.refundTo)).toBe(1)
  expect((await payoutOf(transfer, 'refund'))?.generation).toBeGreaterThan(1)
  await waitForQuiet(deployment.pool)
  expect(await held(origin, overpaid.refundTo)).toBeGreaterThan(99_000_000n)
  expect(await arrivals(origin, overpaid.refundTo)).toBe(1)
})

it('F123: a refund that moves nothing every time is abandoned, and its money stays visible', async () => {
  const [origin] = network.chains
  await deployment.kill()
  deployment = await start({ maxGenerations: 2 })
  await setMood(origin, 'lies', solver())
  const transfer = await deposit(2, -1n)
  expect(await returned(transfer)).toMatchObject({ status: 'failure', refundFailReason: 'MANUAL_REFUND_REQUIRED' })
  expect(await payoutOf(transfer, 'refund')).toMatchObject({ state: 'abandoned', generation: 2, spent: 2 })
  expect(await held(origin, transfer.refundTo)).toBe(0n)
  const parked = await openDesk(deployment).json('parked list')
  expect(JSON.stringify(parked)).toContain(await childOf(transfer))
})

it('F123: a withdrawal that moved nothing does not use its request up', async () => {
  const [origin] = network.chains
  await setMood(origin, 'answersFalse', origin.depository)
  const transfer = await transferDollars(3)
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  const before = await held(origin, origin.depository)
  const first = await spentOnce(transfer, 'withdraw')
  expect(await held(origin, origin.depository)).toBe(before)
  await setMood(origin, 'honest', zeroAddress)
  await until('the withdrawal', async () => ((await payoutOf(transfer, 'withdraw'))?.state === 'final' ? true : null))
  expect(before - (await held(origin, origin.depository))).toBe(BigInt(transfer.quote.details.currencyIn.amount))
  expect((await payoutOf(transfer, 'withdraw'))?.id).toBe(first.id)
})

it('F123: a fill of which a part arrived is never paid again: below the minimum it fails, and what is missing goes back', async () => {
  const [origin, destination] = network.chains
  await setMood(destination, 'takesFee', solver())
  const transfer = await transferDollars(0)
  const amount = BigInt(transfer.quote.details.currencyOut.amount)
  expect(await finished(transfer)).toMatchObject({ status: 'failure', failReason: 'TOO_LITTLE_RECEIVED' })
  expect(await held(destination, transfer.recipient)).toBe(amount - amount / 100n)
  await waitForQuiet(deployment.pool)
  // A hundredth of what was deposited, less the gas of sending it back.
  const share = await held(origin, transfer.refundTo)
  expect(share).toBeGreaterThan(4_000_000n)
  expect(share).toBeLessThan(5_000_000n)
  expect(await arrivals(destination, transfer.recipient)).toBe(1)
  expect(await arrivals(origin, transfer.refundTo)).toBe(1)
})

it('F123: a fill of which a part arrived within the minimum is a success', async () => {
  const [, destination] = network.chains
  await setMood(destination, 'takesFee', solver())
  const transfer = await transferDollars(1, { slippageTolerance: '500' })
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  await waitForQuiet(deployment.pool)
  expect(await arrivals(destination, transfer.recipient)).toBe(1)
})

it('F123: a refund of which a part arrived, and a withdrawal that a fee was taken of, are done and booked', async () => {
  const [origin] = network.chains
  await setMood(origin, 'takesFee', solver())
  const refunded = await deposit(2, -1n)
  expect(await returned(refunded)).toMatchObject({ status: 'refund' })
  expect(await arrivals(origin, refunded.refundTo)).toBe(1)
  await setMood(origin, 'takesFee', origin.depository)
  await waitForQuiet(deployment.pool)
  expect(await payoutOf(refunded, 'withdraw')).toMatchObject({ state: 'final', generation: 1 })
})

it('F123: a token that moves without a log has paid: nothing is paid again', async () => {
  const [origin, destination] = network.chains
  await setMood(destination, 'movesSilently', solver())
  const transfer = await transferDollars(3)
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  await waitForQuiet(deployment.pool)
  expect(await held(destination, transfer.recipient)).toBe(BigInt(transfer.quote.details.currencyOut.amount))
  expect(await held(origin, transfer.refundTo)).toBe(0n)
})

/** The fill's block leaves the chain, and its transaction is in another one, when the token is in that mood. */
const payInAnotherBlock = async (transfer: Transfer, mood: keyof typeof MOODS, settle: number): Promise<void> => {
  const [, destination] = network.chains
  const { chain } = destination
  const { rows } = await deployment.pool.query<{ tx_id: Hex }>(
    'select tx_id from payout_attempts where payout_id = $1',
    [(await payoutOf(transfer, 'fill'))?.id],
  )
  const txId = rows[0]?.tx_id ?? '0x'
  const raw = await chain.rpc<string>('eth_getRawTransactionByHash', [txId])
  // While nobody looks: a host would send the bytes again before the token is told.
  await deployment.kill()
  await reorgAway(destination, txId)
  await setMood(destination, mood, solver())
  await chain.rpc('eth_sendRawTransaction', [raw]).catch(() => undefined)
  await receiptOf(chain, txId)
  deployment = await start({}, settle)
}

it('F123: a fill that was a success, left the chain and moves nothing in another block is paid anew', async () => {
  const [origin, destination] = network.chains
  await deployment.kill()
  deployment = await start({}, NEVER)
  const transfer = await transferDollars(2)
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  await payInAnotherBlock(transfer, 'answersFalse', DEEP)
  await destination.chain.mine(DEEP + 2)
  await spentOnce(transfer, 'fill')
  expect(await held(destination, transfer.recipient)).toBe(0n)
  await setMood(destination, 'honest', zeroAddress)
  await deployment.kill()
  deployment = await start()
  await waitForQuiet(deployment.pool)
  expect(await held(destination, transfer.recipient)).toBe(BigInt(transfer.quote.details.currencyOut.amount))
  expect(await held(origin, transfer.refundTo)).toBe(0n)
  expect((await deployment.requests.findStatus(transfer.quote.requestId))?.status).toBe('success')
})

it('F123: a fill that moved nothing, left the chain and pays in another block is a success with one gas', async () => {
  const [, destination] = network.chains
  await deployment.kill()
  deployment = await start({}, NEVER)
  await setMood(destination, 'answersFalse', solver())
  const transfer = await transferDollars(0)
  await spentOnce(transfer, 'fill')
  await payInAnotherBlock(transfer, 'honest', NEVER)
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  await deployment.kill()
  deployment = await start()
  await waitForQuiet(deployment.pool)
  expect(await held(destination, transfer.recipient)).toBe(BigInt(transfer.quote.details.currencyOut.amount))
})

it('F123: a request that was used up and brought nothing is left to an operator, and never booked as withdrawn', async () => {
  const [origin] = network.chains
  await setMood(origin, 'burns', origin.depository)
  const transfer = await transferDollars(1)
  const lost = await until('the withdrawal to be given up', async () => {
    const payout = await payoutOf(transfer, 'withdraw')
    return payout?.state === 'abandoned' ? payout : null
  })
  expect(lost).toMatchObject({ generation: 1, details: expect.stringContaining('used up') })
  const missing = BigInt(transfer.quote.details.currencyIn.amount)
  const booked = await findDiscrepancies(deployment.pool, network)
  expect(booked).toEqual([expect.stringContaining(`harbor depository ${origin.usdc}`)])
  // Made whole without a log, which would be a deposit that nobody's request is for.
  const user = userOf(network, 4)
  await setMood(origin, 'movesSilently', user.address)
  const args = [origin.depository as Address, missing] as const
  const data = encodeFunctionData({ abi: fickleTokenAbi, functionName: 'transfer', args })
  await receiptOf(origin.chain, await origin.chain.send(user, { to: origin.usdc, data }))
})
