import { startLocalChain } from '@causeway/chain-evm/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { type HttpWorld, leakIn, postQuote, rowCounts, startHttpWorld } from '../http/httpWorld.js'
import { amountAt } from '../http/quoteAmounts.js'
import { holdings, recordOf, sponsoredIntegrator, statusOf } from '../sponsorship/sponsorWorld.js'
import {
  DOLLARS,
  depositsUnder,
  gaslessUser,
  permitBody,
  postSignature,
  signatureStep,
  signStep,
} from './gaslessWorld.js'

/** No key sends for users there. */
const PLAIN_CHAIN = 70_003
const STRANGER = `0x${'12'.repeat(20)}`

let plainDollar: string

let world: HttpWorld
let closePlain: () => Promise<void>
beforeAll(async () => {
  const plain = await startLocalChain({ chainId: PLAIN_CHAIN })
  closePlain = () => plain.close()
  const allocator = plain.accounts[2]?.address ?? ''
  const { depository, fillRouter, permitRouter } = await plain.deployContracts({ owner: allocator, allocator })
  plainDollar = await plain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals: 6, kind: 'authorization' })
  world = await startHttpWorld({
    plugins: () => ({ gasless: {}, sponsorship: {}, 'deposit-address': {} }),
    balances: ({ chains: [origin] }) => ({ chainId: origin.chain.chainId, currency: origin.usdc }),
    dollars: ['authorization', 'permit'],
    moreChains: [
      {
        id: PLAIN_CHAIN,
        slug: 'plain',
        name: 'Plain',
        package: '@causeway/chain-evm',
        rpc: [plain.rpcUrl],
        currencies: [
          { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
          { address: plainDollar, symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' },
        ],
        options: { depository, fillRouter, permitRouter, startBlock: 0 },
      },
    ],
  })
})
afterAll(async () => {
  await world?.close()
  await closePlain?.()
})

describe('what does not go with usePermit is refused with the reason (wire.md 1.2, F.2)', () => {
  const user = userOf
  it.each<readonly [string, string, RegExp, () => Readonly<Record<string, unknown>>]>([
    [
      'useDepositAddress',
      'INVALID_REQUEST',
      /useDepositAddress does not go with body\.usePermit/,
      () => ({ useDepositAddress: true, refundTo: STRANGER }),
    ],
    [
      'explicitDeposit false',
      'INVALID_REQUEST',
      /explicitDeposit does not go with body\.usePermit/,
      () => ({ explicitDeposit: false }),
    ],
    [
      'depositFeePayer',
      'INVALID_REQUEST',
      /depositFeePayer does not go with body\.usePermit/,
      () => ({ depositFeePayer: STRANGER }),
    ],
    [
      'the native currency',
      'UNSUPPORTED_EXECUTION_TYPE',
      /usePermit is for tokens: ETH is the native currency/,
      () => ({ originCurrency: NATIVE, destinationCurrency: NATIVE }),
    ],
    ['an unknown token', 'UNSUPPORTED_CURRENCY', /currency/i, () => ({ originCurrency: STRANGER })],
    [
      'a token that nobody can move by a signature',
      'UNSUPPORTED_EXECUTION_TYPE',
      /not supported for BUSD: it cannot be moved by a signature/,
      () => ({
        originCurrency: world.network.chains[0].blockable,
        destinationCurrency: world.network.chains[1].blockable,
      }),
    ],
    [
      'F145: a chain without a key that sends for users, whatever its contracts are',
      'UNSUPPORTED_EXECUTION_TYPE',
      /not supported on chain 70003: nothing is sent for users there/,
      () => ({ originChainId: PLAIN_CHAIN, originCurrency: plainDollar }),
    ],
    [
      'one chain and nobody to pay for it',
      'INVALID_REQUEST',
      /within one chain needs body\.subsidizeFees/,
      () => within(),
    ],
    ['permitExpiry too short', 'INVALID_REQUEST', /permitExpiry/, () => ({ permitExpiry: 29 })],
    ['permitExpiry too long', 'INVALID_REQUEST', /permitExpiry/, () => ({ permitExpiry: 86_401 })],
    ['permitExpiry no number', 'INVALID_REQUEST', /permitExpiry/, () => ({ permitExpiry: 'soon' })],
    ['usePermit no boolean', 'INVALID_REQUEST', /usePermit/, () => ({ usePermit: 'yes' })],
  ])('%s: %s', async (_, errorCode, says, change) => {
    const before = await rowCounts(world)
    const body = permitBody(world, 0, { user: user(world.network, 0).address, ...change() })
    for (const path of ['/quote', '/price']) {
      const answer = await postQuote(world, body, path)
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ errorCode, message: expect.stringMatching(says) }),
      ])
      expect(leakIn(world, answer.text)).toBeNull()
    }
    expect(await rowCounts(world)).toEqual(before)
  })
})

describe('supportsPermit tells which tokens usePermit takes, as the chain says (wire.md 4.6, F.2)', () => {
  it('GET /chains: of each token, by chain', async () => {
    const { body } = await callApi(world.host.url, '/chains')
    const told = listAt(body, 'chains').map((chain) => [
      valueAt(chain, 'id'),
      ...listAt(chain, 'erc20Currencies').map((token) => [
        valueAt(token, 'symbol'),
        valueAt(token, 'supportsPermit'),
        valueAt(token, 'permit2'),
      ]),
    ])
    const own = [
      ['USDC', true, false],
      ['BUSD', false, false],
    ]
    expect(told).toEqual([
      [70_001, ...own],
      [70_002, ...own],
      [PLAIN_CHAIN, ['USDC', false, false]],
    ])
  })

  it('POST /currencies/v2: of those that are taken alone', async () => {
    const { body } = await callApi(world.host.url, '/currencies/v2', { body: {} })
    expect(Array.isArray(body)).toBe(true)
    const told = (body as readonly unknown[]).map((each) => [
      valueAt(each, 'chainId'),
      valueAt(each, 'symbol'),
      valueAt(each, 'supportsPermit'),
    ])
    expect(told.filter(([, , supports]) => supports !== undefined)).toEqual([
      [70_001, 'USDC', true],
      [70_002, 'USDC', true],
    ])
    expect(told.length).toBe(8)
  })
})

/** What makes a body one within the first chain: from the dollar to the other dollar. */
const within = () => {
  const [{ chain, blockable }] = world.network.chains
  return { destinationChainId: chain.chainId, destinationCurrency: blockable }
}

describe('what a deposit by signature costs (wire.md 1.8, F.2)', () => {
  it('POST /price tells it without anything to sign, and writes nothing', async () => {
    const before = await rowCounts(world)
    const body = permitBody(world, 0, { user: userOf(world.network, 0).address })
    const [price, plain] = [
      await postQuote(world, body, '/price'),
      await postQuote(world, { ...body, usePermit: false }, '/price'),
    ]
    expect([price.status, plain.status]).toEqual([200, 200])
    expect(price.body).not.toHaveProperty('steps')
    expect(amountAt(price.body, 'details.currencyOut.amount')).toBeLessThan(
      amountAt(plain.body, 'details.currencyOut.amount'),
    )
    expect(Number(textAt(price.body, 'fees.relayer.amountUsd'))).toBeGreaterThan(
      Number(textAt(plain.body, 'fees.relayer.amountUsd')),
    )
    // Of the network's own fee the user pays nothing: it sends nothing.
    expect(amountAt(price.body, 'fees.gas.amount')).toBe(0n)
    expect(amountAt(plain.body, 'fees.gas.amount')).toBeGreaterThan(0n)
    expect(await rowCounts(world)).toEqual(before)
  })

  it.each(['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'])(
    '%s: what is signed for is what the quote takes',
    async (tradeType) => {
      const [origin] = world.network.chains
      const user = await gaslessUser(origin, origin.usdc, 2n * DOLLARS[0])
      const amount = tradeType === 'EXACT_INPUT' ? DOLLARS[0] : DOLLARS[1]
      const { body, status } = await postQuote(
        world,
        permitBody(world, 0, { user: user.address, tradeType, amount: amount.toString() }),
      )
      expect([status, valueAt(body, 'message')]).toEqual([200, undefined])
      const step = signatureStep(body)
      expect(textAt(step, 'items.0.data.sign.value.value')).toBe(textAt(body, 'details.currencyIn.amount'))
      expect((await postSignature(world, step, await signStep(step, user))).status).toBe(200)
      expect(await statusOf(world, body)).toMatchObject({ status: 'success' })
    },
  )
})

describe('within one chain a sponsor pays (wire.md 1.4 authorize2, F.2)', () => {
  it('the account without gas signs, the sponsor bears all of it', async () => {
    const [origin] = world.network.chains
    const { apiKey, wallet } = await sponsoredIntegrator(world, 'pays permits', { user: 1, balance: 10_000_000n })
    const user = await gaslessUser(origin, origin.usdc, DOLLARS[0])
    const recipient = freshAddress()
    const body = permitBody(world, 0, { user: user.address, recipient, subsidizeFees: true, ...within() })
    const { body: answer, status } = await postQuote(world, body, '/quote', apiKey)
    expect([status, valueAt(answer, 'message')]).toEqual([200, undefined])
    expect(listAt(answer, 'steps')).toMatchObject([{ id: 'authorize2', kind: 'signature' }])
    const step = signatureStep(answer)
    expect(valueAt(step, 'items.0.data.post.body')).toEqual({
      kind: 'eip3009',
      requestId: textAt(answer, 'requestId'),
      api: 'user-swap',
    })
    expect(amountAt(answer, 'details.currencyOut.amount')).toBe(DOLLARS[0])
    const sponsored = amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount')
    expect(sponsored).toBeGreaterThan(0n)
    expect((await postSignature(world, step, await signStep(step, user))).status).toBe(200)
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
    expect(await balanceOnChain(origin, recipient, origin.blockable)).toBe(DOLLARS[0])
    expect(await depositsUnder(origin, textAt(answer, 'protocol.v2.orderId') as `0x${string}`)).toMatchObject([
      { amount: DOLLARS[0] },
    ])
    expect(await holdings(world, wallet)).toEqual({ app: 10_000_000n - sponsored })
    expect(await recordOf(world, answer)).toMatchObject({
      features: expect.arrayContaining(['gasless_swap']),
      user: user.address.toLowerCase(),
    })
  })

  it('a sponsor whose balance does not pay for it: refused (D.9)', async () => {
    const [origin] = world.network.chains
    const { apiKey } = await sponsoredIntegrator(world, 'has nothing', { user: 2, balance: 0n })
    const user = await gaslessUser(origin, origin.usdc, DOLLARS[0])
    const body = permitBody(world, 0, { user: user.address, subsidizeFees: true, ...within() })
    const answer = await postQuote(world, body, '/quote', apiKey)
    expect([answer.status, answer.body]).toEqual([
      400,
      { errorCode: 'INVALID_SUBSIDIZATION', message: expect.stringMatching(/linked wallet has 0\.0 USDC/) },
    ])
  })
})

it('the books agree with the chains', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
