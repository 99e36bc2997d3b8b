import { fickleTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from '../operator/operatorDesk.js'
import {
  arrivals,
  childOf,
  DEEP,
  deployment,
  deposit,
  finished,
  held,
  type MOODS,
  NEVER,
  network,
  payoutOf,
  restart,
  returned,
  setMood,
  solver,
  spentOnce,
  type Transfer,
  transferDollars,
  useOddPayoutWorld,
} from './oddPayoutWorld.js'

useOddPayoutWorld()

it.each(['lies', 'paused', 'burns'] as const)(
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
  await restart()
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
  await restart({ maxGenerations: 2 })
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
  await restart({}, settle)
}

it('F123: a fill that was a success, left the chain and moves nothing in another block is paid anew', async () => {
  const [origin, destination] = network.chains
  await restart({}, NEVER)
  const transfer = await transferDollars(2)
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  await payInAnotherBlock(transfer, 'answersFalse', DEEP)
  await destination.chain.mine(DEEP + 2)
  await spentOnce(transfer, 'fill')
  expect(await held(destination, transfer.recipient)).toBe(0n)
  await setMood(destination, 'honest', zeroAddress)
  await restart()
  await waitForQuiet(deployment.pool)
  expect(await held(destination, transfer.recipient)).toBe(BigInt(transfer.quote.details.currencyOut.amount))
  expect(await held(origin, transfer.refundTo)).toBe(0n)
  expect((await deployment.requests.findStatus(transfer.quote.requestId))?.status).toBe('success')
})

it('F123: a fill that moved nothing, left the chain and pays in another block is a success with one gas', async () => {
  const [, destination] = network.chains
  await restart({}, NEVER)
  await setMood(destination, 'answersFalse', solver())
  const transfer = await transferDollars(0)
  await spentOnce(transfer, 'fill')
  await payInAnotherBlock(transfer, 'honest', NEVER)
  expect(await finished(transfer)).toMatchObject({ status: 'success' })
  await restart()
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

it('F123: a fill of a token that answers false moves nothing and is refunded, once', async () => {
  const [origin, destination] = network.chains
  await setMood(destination, 'answersFalse', solver())
  const transfer = await transferDollars(0)
  expect(await finished(transfer)).toMatchObject({
    status: 'refund',
    failReason: 'DESTINATION_TOKEN_TRANSFER_REJECTED',
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
