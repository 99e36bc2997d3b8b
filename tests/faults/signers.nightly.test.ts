import { blockingTokenAbi } from '@causeway/contracts-abi'
import { encodeFunctionData } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, quoteTransfer, receiptOf, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  allocator,
  deployment,
  expectToWait,
  fillsOf,
  network,
  payer,
  putOff,
  start,
  useFaultySigners,
} from './signerFaults.js'

useFaultySigners()

describe('F113: a signer that is away, slow, or signs something else', () => {
  it.each(['slow', 'other key'] as const)(
    '%s: the payout waits, nothing is stored or sent, the other lane pays on; it is paid once the signer is well',
    expectToWait,
  )

  it('an allocator that signs something else: no withdrawal is stored, payouts go on, and it is made up for later', async () => {
    allocator.fault = 'other digest'
    const filled = await start(3)
    await waitForStatus(deployment.requests, filled.requestId, ['success'])
    const before = allocator.asked
    await until('the allocator to be asked', async () => (allocator.asked > before + 1 ? true : null))
    const { rows } = await deployment.pool.query(
      `select 1 from payouts where purpose = 'withdraw' and request_id = $1`,
      [Buffer.from(filled.requestId.slice(2), 'hex')],
    )
    expect(rows).toEqual([])
    allocator.fault = null
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })

  it('a fill that the chain refuses after its decision goes back at once, not at the end of its order', async () => {
    const [origin, destination] = network.chains
    const recipient = freshAddress()
    payer.fault = 'away'
    const held = await quoteTransfer(deployment.engine, {
      user: userOf(network, 2),
      from: origin.chain.chainId,
      to: destination.chain.chainId,
      originCurrency: origin.blockable,
      destinationCurrency: destination.blockable,
      amount: 30_000_000n,
      recipient,
    })
    await executeQuote(origin.chain, userOf(network, 2), held)
    await putOff(held)
    const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [recipient] })
    const { chain, blockable } = destination
    await receiptOf(chain, await chain.send(userOf(network, 0), { to: blockable, data }))
    const view = await waitForStatus(deployment.requests, held.requestId, ['refund'])
    expect(view.failReason).toBe('DESTINATION_TOKEN_TRANSFER_REJECTED')
    payer.fault = null
    await waitForQuiet(deployment.pool)
    expect(await fillsOf(held)).toBe(0)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})
