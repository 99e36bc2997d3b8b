import { deployScriptedWallets, placePermit2, sendMined, type WalletMood } from '@causeway/chain-evm/testing'
import { testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, NATIVE } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, tokenBody } from '../http/httpWorld.js'
import { execute, recordOf, statusOf } from '../sponsorship/sponsorWorld.js'
import {
  depositsUnder,
  gaslessUser,
  postSignature,
  type SignedQuote,
  sendFirst,
  signatureStep,
  signedQuote,
  signStep,
  startGaslessWorld,
} from './gaslessWorld.js'

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

  it('its refund keeps what the service paid to bring it in, as its fill does (faults.md F150)', async () => {
    const [origin] = world.network.chains
    const user = await gaslessUser(origin, origin.usdc, DEPOSIT)
    const { apiKey } = await world.host.createApiKey('refunded')
    const body = { user: user.address, recipient: freshAddress(), referrer: 'debug-force-refund', usePermit: true }
    const { body: answer } = await postQuote(world, tokenBody(world, body), '/quote', apiKey)
    const step = signatureStep(answer)
    const accepted = await postSignature(world, step, await signStep(step, user))
    expect(accepted.status).toBe(200)
    expect(await statusOf(world, answer)).toMatchObject({ status: 'refund' })
    const { rows } = await world.database.pool.query<{ purpose: string; fees: string; gas: string }>(
      `select p.purpose, p.fees::text as fees, sum(a.fee)::text as gas from payouts p join payout_attempts a on a.payout_id = p.id
       where p.request_id = decode($1, 'hex') group by p.id order by p.purpose`,
      [textAt(answer, 'requestId').slice(2)],
    )
    expect(rows.map(({ purpose }) => purpose)).toEqual(['origin', 'refund'])
    // Dollars of six digits for gas of an ether of 2,000 dollars.
    const gas = rows.map((row) => (BigInt(row.gas) * 2_000n) / 10n ** 12n)
    const kept = BigInt(rows[1]?.fees ?? 0)
    expect(kept).toBeGreaterThanOrEqual(gas.reduce((sum, amount) => sum + amount, 0n))
    expect(await balanceOnChain(origin, user.address, origin.usdc)).toBe(DEPOSIT - kept)
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
    const check = textAt(first, 'steps.0.items.0.check.endpoint')
    const checked = async () => valueAt((await callApi(world.host.url, check)).body, 'status')
    expect(await checked()).toBe('waiting')
    await execute(world, { steps: [valueAt(first, 'steps.0')] }, user)
    expect(await checked()).toBe('success')
    const step = signatureStep(first)
    expect(valueAt(step, 'items.0.data.post.body.kind')).toBe('permit2')
    expect((await postSignature(world, step, await signStep(step, user))).status).toBe(200)
    expect(await statusOf(world, first)).toMatchObject({ status: 'success' })
    // Allowances are remembered for a moment.
    await until('a quote without approval', async () =>
      listAt(await quoted(body), 'steps').length === 1 ? true : null,
    )
  })

  it('Permit2: its number used up by the owner meanwhile is refused, and posted 20 times at once it is one deposit', async () => {
    const [origin] = world.network.chains
    const user = await gaslessUser(origin, origin.blockable, 2n * DEPOSIT)
    await origin.chain.fund(user.address, ether('1'))
    const body = { user: user.address, recipient: freshAddress(), originCurrency: origin.blockable }
    const [first, second] = [await quoted(body), await quoted(body)]
    await execute(world, { steps: [valueAt(first, 'steps.0')] }, user)
    const [used, step] = [signatureStep(first), signatureStep(second)]
    const sign = valueAt(used, 'items.0.data.sign')
    const nonce = BigInt(textAt(sign, 'value.nonce'))
    const invalidate = encodeFunctionData({
      abi: parseAbi(['function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)']),
      args: [nonce >> 8n, 1n << (nonce & 0xffn)],
    })
    await sendMined(origin.chain, user, { to: textAt(sign, 'domain.verifyingContract'), data: invalidate })
    const refused = await postSignature(world, used, await signStep(used, user))
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { message: expect.stringMatching(/^The token refuses what was signed/) },
    ])
    const signature = await signStep(step, user)
    const answers = await Promise.all(Array.from({ length: 20 }, () => postSignature(world, step, signature)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await statusOf(world, second)).toMatchObject({ status: 'success' })
    expect(await balanceOnChain(origin, user.address, origin.blockable)).toBe(DEPOSIT)
  })
})

/** A contract wallet with 25 dollars, and the key that owns it. */
const walletUser = async (mood: WalletMood): Promise<SignedQuote['user']> => {
  const [{ chain, usdc }] = world.network.chains
  const privateKey = generatePrivateKey()
  // CAST: an address of the local chains.
  const address = (await (
    await deployScriptedWallets(chain)
  ).make(privateKeyToAccount(privateKey).address, mood)) as Hex
  await chain.fund(address, DEPOSIT, usdc)
  return { address, privateKey }
}

const gasOf = async (who: 'solver' | 'origin'): Promise<bigint> =>
  balanceOnChain(world.network.chains[0], world.network.roles[who].address, NATIVE)

/** Transactions for an owner, sent or to be sent. */
const sentFor = async (owner: string) => {
  const { rows } = await world.database.pool.query<{ signer: string; state: string; data: string }>(
    `select signer, state, data from payouts where purpose = 'origin'
      and data::jsonb -> 'origin' -> 'permit' -> 'terms' ->> 'owner' = $1 order by id`,
    [owner.toLowerCase()],
  )
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }))
}

describe('what a deposit by signature may cost the service (faults.md F145)', () => {
  it('a wallet whose code burns gas when it is relayed is refused, and nothing is stored', async () => {
    const quote = await signedQuote(world, { user: await walletUser('burns-relayed') })
    // Deposits of earlier tests are withdrawn by the solver's key.
    await waitForQuiet(world.database.pool)
    const before = await Promise.all([gasOf('solver'), gasOf('origin')])
    const refused = await postSignature(world, quote.step, quote.signature)
    expect([refused.status, valueAt(refused.body, 'message')]).toEqual([
      400,
      expect.stringMatching(/would cost 0\.\d+ ETH of network fee, and its quote pays for 0\.\d+ ETH at most/),
    ])
    expect(await sentFor(quote.user.address)).toEqual([])
    expect(await Promise.all([gasOf('solver'), gasOf('origin')])).toEqual(before)
  })

  it('one that is cheap in every simulation burns its charge and the tolerance at most, of the key that sends for users', async () => {
    const quote = await signedQuote(world, { user: await walletUser('burns-sent') })
    // Deposits of earlier tests are withdrawn by the solver's key.
    await waitForQuiet(world.database.pool)
    const before = await Promise.all([gasOf('solver'), gasOf('origin')])
    expect((await postSignature(world, quote.step, quote.signature)).status).toBe(200)
    expect(await statusOf(world, quote.answer)).toMatchObject({ status: 'failure', failReason: 'TRANSACTION_REVERTED' })
    expect(await depositsUnder(world.network.chains[0], quote.orderId)).toEqual([])
    const [sent] = await sentFor(quote.user.address)
    expect(sent?.signer).toBe(world.network.roles.origin.address.toLowerCase())
    const [solver, origin] = await Promise.all([gasOf('solver'), gasOf('origin')])
    const burnt = (before[1] ?? 0n) - origin
    expect(solver).toBe(before[0])
    expect(burnt).toBeGreaterThan(0n)
    expect(burnt).toBeLessThanOrEqual(BigInt(sent?.data.feeLimit))
    expect(BigInt(sent?.data.feeLimit)).toBe(2n * BigInt(sent?.data.origin.borne.charged))
  })
})

describe('many signatures of one account (faults.md F148)', () => {
  it('one is on its way at a time: whoever spends the money then makes one transaction revert', async () => {
    const [origin] = world.network.chains
    const { chain, usdc } = origin
    const user = await gaslessUser(origin, usdc, 4n * DEPOSIT)
    await chain.fund(user.address, ether('1'))
    const quotes: SignedQuote[] = []
    for (let nth = 0; nth < 4; nth += 1) quotes.push(await signedQuote(world, { user }))
    await chain.setIntervalMining(0)
    await chain.setAutomine(false)
    const answers = await Promise.all(quotes.map(({ step, signature }) => postSignature(world, step, signature)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503, 503, 503])
    expect(answers.find(({ status }) => status === 503)?.body).toMatchObject({
      message: expect.stringMatching(/Another signature of this account for this token is on its way/),
    })
    await until('the transaction in the mempool', async () => {
      const { pending } = await chain.rpc<{ pending: Hex }>('txpool_status', [])
      return BigInt(pending) > 0n ? true : null
    })
    const data = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [freshAddress(), 4n * DEPOSIT],
    })
    await sendFirst(origin, user.privateKey, usdc, data)
    await chain.mine()
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
    const taken = answers.findIndex(({ status }) => status === 200)
    expect(await statusOf(world, quotes[taken]?.answer)).toMatchObject({ status: 'failure' })
    const others = quotes.filter((_, at) => at !== taken)
    for (const { step, signature } of others) expect((await postSignature(world, step, signature)).status).toBe(400)
    expect(await sentFor(user.address)).toHaveLength(1)
  })
})

it('the books agree with the chains, and all gas stands in them', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
