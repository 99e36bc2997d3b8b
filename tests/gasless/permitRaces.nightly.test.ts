import { placePermit2, sendMined } from '@causeway/chain-evm/testing'
import { permitRouterAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type Address, encodeFunctionData, parseAbi, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, type NetworkChain, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import type { HttpWorld } from '../http/httpWorld.js'
import { recordOf, statusOf } from '../sponsorship/sponsorWorld.js'
import {
  DOLLARS,
  depositsUnder,
  gaslessUser,
  postSignature,
  type SignedQuote,
  sendFirst,
  signedQuote,
  startGaslessWorld,
} from './gaslessWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startGaslessWorld()
  for (const { chain } of world.network.chains) await placePermit2(chain)
})
afterEach(async () => {
  for (const { chain } of world.network.chains) {
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
  }
})
afterAll(() => world?.close())

const FORMS = [
  { form: 'EIP-3009', from: 0 as const },
  { form: 'EIP-2612', from: 1 as const },
]

const chainOf = (from: 0 | 1): NetworkChain => world.network.chains[from]
const other = (from: 0 | 1): NetworkChain => world.network.chains[from === 0 ? 1 : 0]
const post = ({ step, signature }: SignedQuote) => postSignature(world, step, signature)

/** What ended well; looked at again when nothing is under way any more. */
const paid: { readonly from: 0 | 1; readonly quote: SignedQuote }[] = []

const expectSuccess = async (from: 0 | 1, quote: SignedQuote): Promise<void> => {
  paid.push({ from, quote })
  expect(await statusOf(world, quote.answer)).toMatchObject({ status: 'success' })
  await expectOnce(from, quote)
}

/** One deposit of all, and one fill of what was promised. */
const expectOnce = async (from: 0 | 1, { answer, orderId, user, recipient }: SignedQuote): Promise<void> => {
  const owner = user.address.toLowerCase()
  expect(await depositsUnder(chainOf(from), orderId)).toMatchObject([{ from: owner, amount: DOLLARS[from] }])
  const received = await balanceOnChain(other(from), recipient, other(from).usdc)
  expect(received).toBe(BigInt(textAt(answer, 'details.currencyOut.amount')))
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from deposits where order_id = decode($1, 'hex')`,
    [orderId.slice(2)],
  )
  expect(rows).toEqual([{ n: 1 }])
}

/** The call of the router with which anybody may bring in what was signed. */
const routerCall = (from: 0 | 1, { user, orderId, step, signature }: SignedQuote): Hex => {
  const value = Object(valueAt(step, 'items.0.data.sign.value'))
  const terms = {
    orderId,
    owner: user.address,
    // CAST: an address of the local chains.
    token: chainOf(from).usdc as Address,
    amount: DOLLARS[from],
    deadline: BigInt(value.validBefore ?? value.deadline),
  }
  const functionName = from === 0 ? 'depositAuthorized' : 'depositPermitted'
  return encodeFunctionData({ abi: permitRouterAbi, functionName, args: [terms, signature] })
}

const permitAbi = parseAbi(['function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'])

/** The permit itself, submitted to the token: the spender may take the money from then on. */
const permitCall = ({ step, signature }: SignedQuote): Hex => {
  const { owner, spender, value, deadline } = Object(valueAt(step, 'items.0.data.sign.value'))
  const { r, s, yParity } = parseSignature(signature)
  const args = [owner, spender, BigInt(value), BigInt(deadline), 27 + yParity, r, s] as const
  return encodeFunctionData({ abi: permitAbi, functionName: 'permit', args })
}

const hold = async ({ chain }: NetworkChain): Promise<void> => {
  await chain.setIntervalMining(0)
  await chain.setAutomine(false)
}

/** Waits until what the service sends is in the mempool of a chain that is held. */
const inMempool = ({ chain, permitRouter }: NetworkChain): Promise<string> =>
  until('the transaction in the mempool', async () => {
    const { pending } = await chain.rpc<{ pending: Record<string, Record<string, { to: string; hash: string }>> }>(
      'txpool_content',
    )
    const all = Object.values(pending).flatMap((byNonce) => Object.values(byNonce))
    return all.find(({ to }) => to?.toLowerCase() === permitRouter)?.hash ?? null
  })

interface Landed {
  readonly status: string
  readonly transactionIndex: string
}

describe.each(FORMS)('one signature is one deposit, $form (wire.md 2.7)', ({ from }) => {
  it('posted again after the success: 200, and nothing more', async () => {
    const quote = await signedQuote(world, { from })
    expect((await post(quote)).status).toBe(200)
    await expectSuccess(from, quote)
    const again = await post(quote)
    expect([again.status, again.body]).toEqual([200, { message: expect.any(String) }])
    await expectSuccess(from, quote)
  })

  it('posted 50 times at once: 200 to all', async () => {
    const quote = await signedQuote(world, { from })
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(quote)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await expectSuccess(from, quote)
    const { rows } = await world.database.pool.query(
      `select count(*)::int as n from payouts where purpose = 'origin' and order_id = decode($1, 'hex')`,
      [quote.orderId.slice(2)],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it('somebody else submits it to the router before it is posted: the request succeeds, and posting it is no error', async () => {
    const quote = await signedQuote(world, { from })
    const { chain, permitRouter } = chainOf(from)
    await sendMined(chain, userOf(world.network, 1), { to: permitRouter, data: routerCall(from, quote) })
    const early = await post(quote)
    expect([early.status, early.body]).toEqual([200, { message: expect.stringMatching(/deposit/) }])
    await expectSuccess(from, quote)
    expect((await post(quote)).status).toBe(200)
    await expectSuccess(from, quote)
  })

  it('somebody else submits it to the router while ours is under way: the request succeeds', async () => {
    const quote = await signedQuote(world, { from })
    const { chain, permitRouter } = chainOf(from)
    await hold(chainOf(from))
    expect((await post(quote)).status).toBe(200)
    const ours = await inMempool(chainOf(from))
    const theirs = await sendFirst(
      chainOf(from),
      userOf(world.network, 2).privateKey,
      permitRouter,
      routerCall(from, quote),
    )
    await chain.mine()
    const [first, second] = await Promise.all(
      [theirs, ours].map((hash) => chain.rpc<Landed>('eth_getTransactionReceipt', [hash])),
    )
    expect([first?.status, second?.status]).toEqual(['0x1', '0x0'])
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
    await expectSuccess(from, quote)
    expect((await post(quote)).status).toBe(200)
    expect(await recordOf(world, quote.answer)).toMatchObject({ status: 'success' })
  })

  it('its owner has spent the money before it is posted: 400, and a signature stays good when the money is back', async () => {
    const quote = await signedQuote(world, { from })
    const { chain, usdc } = chainOf(from)
    await spend(from, quote.user)
    const refused = await post(quote)
    expect([refused.status, valueAt(refused.body, 'message')]).toEqual([
      400,
      `The account holds 0 of the token, ${DOLLARS[from]} was signed for.`,
    ])
    await chain.fund(quote.user.address, DOLLARS[from], usdc)
    expect((await post(quote)).status).toBe(200)
    await expectSuccess(from, quote)
  })

  it('its owner spends the money while it is under way: failure, and nothing was paid (C.2)', async () => {
    const quote = await signedQuote(world, { from })
    const { chain, usdc } = chainOf(from)
    await chain.fund(quote.user.address, ether('1'))
    await hold(chainOf(from))
    expect((await post(quote)).status).toBe(200)
    await inMempool(chainOf(from))
    await sendFirst(chainOf(from), quote.user.privateKey, usdc, transferAll(from))
    await chain.mine()
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
    expect(await statusOf(world, quote.answer)).toMatchObject({
      status: 'failure',
      failReason: 'GASLESS_PERMIT_BALANCE_TOO_LOW',
      details: `Transaction failed: The account holds 0 of the token, ${DOLLARS[from]} was signed for.`,
    })
    expect(await depositsUnder(chainOf(from), quote.orderId)).toEqual([])
    const again = await post(quote)
    expect([again.status, valueAt(again.body, 'message')]).toEqual([
      400,
      expect.stringMatching(/^This request failed: The account holds 0 of the token.* Ask for a new quote/),
    ])
    // The signature lies open now: whoever submits it when the money is back pays the order, and it is filled.
    await chain.fund(quote.user.address, DOLLARS[from], usdc)
    await sendMined(chain, userOf(world.network, 3), { to: chainOf(from).permitRouter, data: routerCall(from, quote) })
    await until('the fill', async () => {
      const received = await balanceOnChain(other(from), quote.recipient, other(from).usdc)
      return received > 0n ? true : null
    })
    await expectSuccess(from, quote)
  })

  it('more requests of one account than it can pay, at once: one is taken, and none fails on the chain at our cost', async () => {
    const { chain } = chainOf(from)
    const user = await gaslessUser(chainOf(from), chainOf(from).usdc, DOLLARS[from])
    const quotes: SignedQuote[] = []
    for (let nth = 0; nth < 4; nth += 1) quotes.push(await signedQuote(world, { from, user }))
    await chain.setAutomine(false)
    await chain.setIntervalMining(0)
    const answers = await Promise.all(quotes.map(post))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503, 503, 503])
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
    const taken = quotes[answers.findIndex(({ status }) => status === 200)]
    if (taken === undefined) throw new Error('None was taken')
    await expectSuccess(from, taken)
    const { rows } = await world.database.pool.query(
      `select from payouts where purpose = 'origin' and data::jsonb -> 'origin' -> 'permit' -> 'terms' ->> 'owner' = $1`,
      [user.address.toLowerCase()],
    )
    expect(rows).toHaveLength(1)
  })

  it('two requests of one account at once', async () => {
    const user = await gaslessUser(chainOf(from), chainOf(from).usdc, 2n * DOLLARS[from])
    const quotes = [await signedQuote(world, { from, user }), await signedQuote(world, { from, user })] as const
    const answers = await Promise.all(quotes.map(post))
    const taken = answers.findIndex(({ status }) => status === 200)
    const [first, second] = taken === 0 ? quotes : [quotes[1], quotes[0]]
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503])
    await expectSuccess(from, first)
    const later = await post(second)
    if (from === 0) {
      expect(later.status).toBe(200)
      await expectSuccess(from, second)
      return
    }
    // The token counts the permits of an account: of two for one number one alone can be used.
    expect([later.status, valueAt(later.body, 'message')]).toEqual([
      400,
      expect.stringMatching(/^The token refuses what was signed: invalid signature/),
    ])
    expect(await depositsUnder(chainOf(from), second.orderId)).toEqual([])
    // What is quoted anew has the next number.
    const next = await signedQuote(world, { from, user })
    expect((await post(next)).status).toBe(200)
    await expectSuccess(from, next)
  })
})

/** The user sends all it has to somebody. */
const transferAll = (from: 0 | 1): Hex =>
  encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [freshAddress(), DOLLARS[from]] })

const spend = async (from: 0 | 1, user: SignedQuote['user']): Promise<void> => {
  const { chain, usdc } = chainOf(from)
  await chain.fund(user.address, ether('1'))
  await sendMined(chain, user, { to: usdc, data: transferAll(from) })
}

describe('a bare EIP-2612 permit that somebody submits to the token (wire.md F.2)', () => {
  it('before it is posted: the allowance is as good', async () => {
    const quote = await signedQuote(world, { from: 1 })
    const { chain, usdc } = chainOf(1)
    await sendMined(chain, userOf(world.network, 1), { to: usdc, data: permitCall(quote) })
    expect((await post(quote)).status).toBe(200)
    await expectSuccess(1, quote)
  })

  it('while ours is under way', async () => {
    const quote = await signedQuote(world, { from: 1 })
    const { chain, usdc } = chainOf(1)
    await hold(chainOf(1))
    expect((await post(quote)).status).toBe(200)
    const ours = await inMempool(chainOf(1))
    const theirs = await sendFirst(chainOf(1), userOf(world.network, 2).privateKey, usdc, permitCall(quote))
    await chain.mine()
    const receipts = await Promise.all(
      [theirs, ours].map((hash) => chain.rpc<Landed>('eth_getTransactionReceipt', [hash])),
    )
    expect(receipts).toMatchObject([
      { status: '0x1', transactionIndex: '0x0' },
      { status: '0x1', transactionIndex: '0x1' },
    ])
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
    await expectSuccess(1, quote)
  })

  it('of another spender, with the number of ours: 400, the permit is used up', async () => {
    const quote = await signedQuote(world, { from: 1 })
    const { chain, usdc } = chainOf(1)
    const { owner, value, deadline } = Object(valueAt(quote.step, 'items.0.data.sign.value'))
    const spender = freshAddress()
    const sign = Object(valueAt(quote.step, 'items.0.data.sign'))
    const { domain, types, primaryType } = sign
    const message = { ...sign.value, spender }
    const signature = await privateKeyToAccount(quote.user.privateKey).signTypedData({
      domain,
      types,
      primaryType,
      message,
    })
    const { r, s, yParity } = parseSignature(signature)
    const args = [owner, spender, BigInt(value), BigInt(deadline), 27 + yParity, r, s] as const
    const data = encodeFunctionData({ abi: permitAbi, functionName: 'permit', args })
    await sendMined(chain, userOf(world.network, 1), { to: usdc, data })
    const refused = await post(quote)
    expect([refused.status, valueAt(refused.body, 'message')]).toEqual([
      400,
      expect.stringMatching(/^The token refuses/),
    ])
    expect(await depositsUnder(chainOf(1), quote.orderId)).toEqual([])
  })
})

it('every order was paid for once and filled once, and the books agree with the chains', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  expect(paid.length).toBeGreaterThan(10)
  for (const { from, quote } of paid) await expectOnce(from, quote)
})
