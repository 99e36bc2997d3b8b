import { placePermit2 } from '@causeway/chain-evm/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, tokenBody } from '../http/httpWorld.js'
import { execute, recordOf, statusOf } from '../sponsorship/sponsorWorld.js'
import { gaslessUser, postSignature, signatureStep, signStep, startGaslessWorld } from './gaslessWorld.js'

const DEPOSIT = 25_000_000n

let world: HttpWorld
beforeAll(async () => {
  world = await startGaslessWorld()
  for (const { chain } of world.network.chains) await placePermit2(chain)
})
afterAll(() => world?.close())

const quoted = async (more: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const { status, body } = await postQuote(world, tokenBody(world, { usePermit: true, ...more }))
  expect([status, valueAt(body, 'message')]).toEqual([200, undefined])
  return body
}

describe('a permit across chains (wire.md 1.4, 2.7, F.2)', () => {
  it('EIP-3009: one signature of an account without gas, no transaction of its own', async () => {
    const [origin, destination] = world.network.chains
    const [user, recipient] = [await gaslessUser(origin, origin.usdc, DEPOSIT), freshAddress()]
    const answer = await quoted({ user: user.address, recipient })
    const step = signatureStep(answer)
    expect(answer).toMatchObject({
      steps: [
        {
          id: 'authorize1',
          kind: 'signature',
          items: [{ status: 'incomplete', check: { method: 'GET' } }],
        },
      ],
    })
    expect(valueAt(step, 'items.0.data.post.body')).toEqual({
      kind: 'eip3009',
      requestId: textAt(answer, 'requestId'),
      api: 'bridge',
    })
    const accepted = await postSignature(world, step, await signStep(step, user), { referrer: 'shop.example' })
    expect([accepted.status, accepted.body]).toEqual([200, { message: expect.any(String) }])
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success', inTxHashes: [expect.any(String)] })
    expect(await balanceOnChain(origin, user.address, origin.usdc)).toBe(0n)
    const received = await balanceOnChain(destination, recipient, destination.usdc)
    expect(received).toBe(BigInt(textAt(answer, 'details.currencyOut.amount')))
    expect(await recordOf(world, answer)).toMatchObject({
      status: 'success',
      sender: user.address.toLowerCase(),
      features: ['gasless_swap'],
    })
  })

  it('EIP-2612: the same, on a token that has no EIP-3009', async () => {
    const [destination, origin] = world.network.chains
    const user = await gaslessUser(origin, origin.usdc, ether('25'))
    const answer = await quoted({
      user: user.address,
      recipient: freshAddress(),
      originChainId: origin.chain.chainId,
      destinationChainId: destination.chain.chainId,
      originCurrency: origin.usdc,
      destinationCurrency: destination.usdc,
      amount: ether('25').toString(),
    })
    const step = signatureStep(answer)
    expect(valueAt(step, 'items.0.data.post.body.kind')).toBe('eip2612')
    expect((await postSignature(world, step, await signStep(step, user))).status).toBe(200)
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
    expect(await balanceOnChain(origin, user.address, origin.usdc)).toBe(0n)
  })

  it('Permit2: a one-off approval stands before, for tokens that know no signatures', async () => {
    const [origin] = world.network.chains
    const user = await gaslessUser(origin, origin.blockable, 2n * DEPOSIT)
    await origin.chain.fund(user.address, ether('1'))
    const body = { user: user.address, recipient: freshAddress(), originCurrency: origin.blockable }
    const first = await quoted(body)
    expect(first).toMatchObject({ steps: [{ id: 'approve', kind: 'transaction' }, { id: 'authorize1' }] })
    expect(valueAt(first, 'steps.0.items.0.check')).toBeUndefined()
    await execute(world, { steps: [valueAt(first, 'steps.0')] }, user)
    const step = signatureStep(first)
    expect(valueAt(step, 'items.0.data.post.body.kind')).toBe('permit2')
    expect((await postSignature(world, step, await signStep(step, user))).status).toBe(200)
    expect(await statusOf(world, first)).toMatchObject({ status: 'success' })
    // Allowances are remembered for a moment.
    await until('a quote without approval', async () =>
      listAt(await quoted(body), 'steps').length === 1 ? true : null,
    )
  })
})

it('the books agree with the chains, and all gas stands in them', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
