import type { Hex } from '@causeway/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ENTRY_POINT } from '../harness/evm/publicContracts.js'
import { freshAddress } from '../harness/transfer.js'
import { statusOf } from '../sponsorship/sponsorWorld.js'
import {
  batchBody,
  bornesOf,
  callsOf,
  delegationTo,
  executeBody,
  postExecute,
  postInOneBlock,
  userOperation,
} from './executing.js'
import { nativeOf, newUser, quoted, useExecute, world } from './useExecute.js'

useExecute()

describe('with a quote (wire.md 2.6, F.1)', () => {
  it('the entry point as `to`: a user operation through the real EntryPoint deposits', async () => {
    const user = await newUser()
    // The account executes one call: what deposits by a transfer alone.
    const quote = await quoted(user, { explicitDeposit: false, originGasOverhead: '300000' })
    const requestId = textAt(quote, 'requestId')
    const [call] = callsOf(quote)
    if (call === undefined) throw new Error('Nothing deposits')
    const data = await userOperation(world.origin, user, call)
    const authorizationList = [await delegationTo(world.origin, user, world.account7702)]
    const answer = await postExecute(
      world,
      executeBody(world, { to: ENTRY_POINT, data }, { authorizationList, requestId }),
    )
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String), requestId }])
    expect(await statusOf(world, quote)).toMatchObject({ status: 'success' })
    expect(await nativeOf(user.address)).toBe(0n)
  })

  it('requestId: of a quote by the same key; that of another key is refused', async () => {
    const other = await world.host.createApiKey('another')
    const user = await newUser()
    const quote = await quoted(user, {}, other.apiKey)
    const body = await batchBody(world, user, callsOf(quote), { requestId: textAt(quote, 'requestId') })
    expect(await postExecute(world, body)).toMatchObject({
      status: 400,
      body: { error: 'This requestId was quoted for another API key' },
    })
    expect((await postExecute(world, body, other.apiKey)).status).toBe(200)
    expect(await statusOf(world, quote)).toMatchObject({ status: 'success' })
    expect(await bornesOf(world, textAt(quote, 'requestId'))).toMatchObject([{ by: 'loss' }])
  })

  it('the same body fifty times at once: the same answer, and one transaction', async () => {
    const user = await newUser()
    const quote = await quoted(user)
    const requestId = textAt(quote, 'requestId')
    const body = await batchBody(world, user, callsOf(quote), { requestId })
    const answers = await Promise.all(Array.from({ length: 50 }, () => postExecute(world, body)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body).toEqual({ message: expect.any(String), requestId })
    expect(await statusOf(world, quote)).toMatchObject({ status: 'success' })
    expect(await bornesOf(world, requestId)).toHaveLength(1)
    expect((await postExecute(world, body)).body).toEqual(answers[0]?.body)
    const another = await batchBody(world, user, [], { requestId })
    expect(await postExecute(world, another)).toMatchObject({
      status: 400,
      body: { error: 'Another call was sent for this requestId' },
    })
  })

  it('destinationChainExecutionData: the calls of the quote pass, others are refused', async () => {
    const user = await newUser()
    const [, destination] = world.network.chains
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [world.executor, 1n] })
    const txs = [{ to: destination.usdc, value: '0', data: approve }]
    const quote = await quoted(user, { txs })
    const requestId = textAt(quote, 'requestId')
    const destinationChainExecutionData = (calls: readonly object[]) => ({
      executionOptions: { destinationChainExecutionData: { calls } },
    })
    const others = await batchBody(world, user, callsOf(quote), {
      requestId,
      ...destinationChainExecutionData([{ to: destination.usdc, value: '1', data: '0x' }]),
    })
    expect(await postExecute(world, others)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('differs') },
    })
    const delegation = await delegationTo(world.origin, user, world.executor)
    const delegating = await batchBody(world, user, callsOf(quote), {
      requestId,
      executionOptions: { destinationChainExecutionData: { calls: txs, authorizationList: [delegation] } },
    })
    expect(await postExecute(world, delegating)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('differs') },
    })
    const same = await batchBody(world, user, callsOf(quote), { requestId, ...destinationChainExecutionData(txs) })
    expect((await postExecute(world, same)).status).toBe(200)
    expect(await statusOf(world, quote)).toMatchObject({ status: 'success' })
    const alone = await batchBody(world, user, [], destinationChainExecutionData(txs))
    expect(await postExecute(world, alone)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('requestId') },
    })
  })
})

describe('without a quote (wire.md 2.6, F.3)', () => {
  it('two equal bodies while the first is under way are one; afterwards the call is another one', async () => {
    const payee = freshAddress()
    const mint = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'mint',
          stateMutability: 'nonpayable',
          outputs: [],
          inputs: [
            { name: 'to', type: 'address' },
            { name: 'amount', type: 'uint256' },
          ],
        },
      ],
      args: [payee as Hex, 3n],
    })
    const body = executeBody(world, { to: world.origin.usdc, data: mint })
    // None of them is over before all are there.
    const answers = await postInOneBlock(
      world,
      Array.from({ length: 50 }, () => body),
    )
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200])
    const ids = new Set(answers.map((answer) => textAt(answer.body, 'requestId')))
    await Promise.all(answers.map((answer) => statusOf(world, answer.body)))
    expect([ids.size, await balanceOnChain(world.origin, payee, world.origin.usdc)]).toEqual([1, 3n])
    const again = await postExecute(world, body)
    expect(ids.has(textAt(again.body, 'requestId'))).toBe(false)
    expect(await statusOf(world, again.body)).toMatchObject({ status: 'success' })
  })
})

it('the books agree with the chains, and all gas stands in them', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
