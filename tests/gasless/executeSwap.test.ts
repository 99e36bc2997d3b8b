import type { Hex } from '@causeway/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { NATIVE } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { postQuote, tokenBody } from '../http/httpWorld.js'
import { recordOf, statusOf } from '../sponsorship/sponsorWorld.js'
import {
  delegationTo,
  type ExecuteWorld,
  executeBody,
  postExecute,
  signedBatch,
  startExecuteWorld,
  transferCall,
} from './executing.js'
import { gaslessUser } from './gaslessWorld.js'

const AMOUNT = 25_000_000n

let world: ExecuteWorld
beforeAll(async () => {
  world = await startExecuteWorld({}, { swaps: true })
})
afterAll(() => world?.close())

const quoted = async (more: Readonly<Record<string, unknown>>) => {
  const { origin } = world
  const chainId = origin.chain.chainId
  const user = await gaslessUser(origin, origin.usdc, AMOUNT)
  const body = tokenBody(world, { user: user.address, destinationChainId: chainId, amount: AMOUNT.toString(), ...more })
  const answer = await postQuote(world, body, '/quote', world.host.apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  const calls = listAt(answer.body, 'steps').map((step) => ({
    to: textAt(step, 'items.0.data.to'),
    // CAST: calldata is hex.
    data: textAt(step, 'items.0.data.data') as Hex,
  }))
  const call = { to: user.address, data: await signedBatch(origin, user, calls) }
  const requestId = textAt(answer.body, 'requestId')
  const authorizationList = [await delegationTo(origin, user, world.executor)]
  return { quote: answer.body, user, execution: executeBody(world, call, { authorizationList, requestId }) }
}

it('a same-chain swap of an account without gas passes depositing and ends success with what it gave (wire.md F.3, K.2 2)', async () => {
  const recipient = freshAddress()
  const { quote, user, execution } = await quoted({ destinationCurrency: NATIVE, recipient })
  const answer = await postExecute(world, execution)
  expect([answer.status, answer.body]).toEqual([
    200,
    { message: expect.any(String), requestId: textAt(quote, 'requestId') },
  ])
  expect(await statusOf(world, quote)).toMatchObject({ status: 'success', inTxHashes: [expect.any(String)] })
  expect(await balanceOnChain(world.origin, recipient, NATIVE)).toBeGreaterThan(0n)
  expect(await balanceOnChain(world.origin, user.address, world.origin.usdc)).toBe(0n)
  expect(await recordOf(world, quote)).toMatchObject({
    status: 'success',
    requestType: 'Same-chain Swap',
    features: expect.arrayContaining(['gasless_execution']),
  })
})

it('the quote of a send is refused: what a call does of it would not be recognised (wire.md F.3)', async () => {
  const { user, execution } = await quoted({ destinationCurrency: world.origin.usdc, recipient: freshAddress() })
  expect(await postExecute(world, execution)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('without requestId') },
  })
  const payee = freshAddress()
  const call = {
    to: user.address,
    data: await signedBatch(world.origin, user, [transferCall(world.origin.usdc, payee, 9n)]),
  }
  const authorizationList = [await delegationTo(world.origin, user, world.executor)]
  const alone = await postExecute(world, executeBody(world, call, { authorizationList }))
  expect(await statusOf(world, alone.body)).toMatchObject({ status: 'success' })
  expect(await balanceOnChain(world.origin, payee, world.origin.usdc)).toBe(9n)
})
