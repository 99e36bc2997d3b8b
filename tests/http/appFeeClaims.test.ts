import { deployScriptedWallets, type ScriptedWallets } from '@causeway/chain-evm/testing'
import { blockingTokenAbi } from '@causeway/contracts-abi'
import { postLedger } from '@causeway/core/money-path'
import { withTransaction } from '@causeway/core/plugin'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { USUAL_PRICES } from '../harness/host/host.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  askClaim,
  balancesOf,
  endOfClaim,
  execute,
  postSignature,
  signStep,
  startAppFeeWorld,
  statusOf,
  waitForBalance,
} from './appFeeWorld.js'
import { type HttpWorld, leakIn, nativeBody, postQuote } from './httpWorld.js'

const PRICE_SECONDS = 1

let world: HttpWorld
let wallets: ScriptedWallets
beforeAll(async () => {
  world = await startAppFeeWorld({ quote: { blockedWallets: [BLOCKED], priceSeconds: PRICE_SECONDS } })
  wallets = await deployScriptedWallets(world.network.chains[0].chain)
})
afterAll(() => world?.close())

const BLOCKED = `0x${'b1'.repeat(20)}`
const DOLLAR = 1_000_000n

interface Key {
  readonly address: `0x${string}`
  readonly privateKey: `0x${string}`
}

const newKey = (): Key => {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAccount(privateKey).address }
}

const balanceCurrency = () => {
  const { chain, usdc } = world.network.chains[0]
  return { chainId: chain.chainId, currency: usdc }
}

let gifts = 0
/** The operator's dollars become a wallet's. */
const give = async (wallet: string, amount: bigint, dollars = balanceCurrency()): Promise<void> => {
  gifts += 1
  const entries = [
    { ...dollars, account: 'capital' as const, amount },
    { ...dollars, account: 'app' as const, amount: -amount, holder: wallet.toLowerCase() },
  ]
  const posting = { cause: `capital:${dollars.chainId}:${dollars.currency}`, event: `given:${gifts}`, entries }
  await withTransaction(world.database.pool, (client) => postLedger(client, [posting], Date.now()))
}

const owner = async (dollars = 10n): Promise<Key> => {
  const key = newKey()
  await give(key.address, dollars * DOLLAR)
  return key
}

const freeOf = async (wallet: string): Promise<string> => {
  const answer = await balancesOf(world, wallet)
  return listAt(answer, 'balances').length === 0 ? '0' : textAt(answer, 'balances.0.amount')
}

const expectRefusal = (answer: ApiAnswer, message: RegExp, status = 400): void => {
  expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
  expect(leakIn(world, answer.text)).toBeNull()
}

describe('what is not claimed (wire.md 4.12)', () => {
  it.each([
    { name: 'above the balance', more: { amount: 10_000_001n }, message: /above the balance: 10000000 of USDC/ },
    { name: 'below the least', more: { amount: 999_999n }, message: /At least 1000000 of USDC/ },
    { name: 'nothing', more: { amount: 0n }, message: /At least/ },
    { name: 'to no address', more: { recipient: 'me' }, message: /body.recipient is not an address/ },
    { name: 'to the zero address', more: { recipient: NATIVE }, message: /stands for the native currency/ },
    { name: 'to whom the operator does not pay', more: { recipient: BLOCKED }, message: /do not reach/ },
    { name: 'in no currency', more: { currency: 'gold' }, message: /none that the solver holds/ },
    { name: 'in one that it does not hold', more: { currency: freshAddress() }, message: /none that the solver holds/ },
    {
      name: 'less than it costs elsewhere',
      more: { at: 1, currency: NATIVE },
      gas: 10n ** 16n,
      message: /does not cover/,
    },
  ] as const)('$name', async ({ more, message, ...rest }) => {
    const { address } = await owner('gas' in rest ? 1n : 10n)
    const [, second] = world.network.chains
    if ('gas' in rest) {
      // A dollar of gas and more for a transfer.
      await second.chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(5n * 10n ** 13n).toString(16)}`])
      await second.chain.mine(1)
    }
    expectRefusal(await askClaim(world, { wallet: address, ...more }), message)
    if ('gas' in rest) {
      await second.chain.rpc('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
      await second.chain.mine(1)
    }
    expect(await freeOf(address)).toBe('gas' in rest ? '1000000' : '10000000')
  })

  it('to the depository, a token, or the contract that pays out', async () => {
    const { address } = await owner()
    const { depository, usdc, fillRouter } = world.network.chains[0]
    for (const recipient of [depository, usdc, fillRouter]) {
      expectRefusal(await askClaim(world, { wallet: address, recipient }), /body.recipient is /)
    }
  })

  it('by a wallet that has nothing, or is none', async () => {
    expectRefusal(await askClaim(world, { wallet: freshAddress() }), /nothing to claim/)
    expectRefusal(await askClaim(world, { wallet: '0x12', recipient: freshAddress() }), /must be an EVM address/)
    expect(await balancesOf(world, freshAddress())).toEqual({
      balances: [],
      totalBalanceUsd: 0,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: 0,
    })
    const none = await callApi(world.host.url, '/app-fees/alice/balances')
    expect([none.status, none.body]).toEqual([400, { message: expect.stringContaining('not an address of a chain') }])
  })

  it('a balance in a currency that is not configured any more is shown', async () => {
    const { address } = newKey()
    await give(address, 3n * DOLLAR)
    await give(address, 7n, { chainId: 4_711, currency: NATIVE })
    expect(await balancesOf(world, address)).toMatchObject({
      balances: [{ currency: { chainId: 4_711 }, amount: '7' }, { amount: '3000000' }],
      totalBalanceUsd: 3,
    })
  })

  it.each(['-1', '1.5', '1e6', '0x10', '', 5])('an amount of %j', async (amount) => {
    const { address } = await owner()
    const { chain, usdc } = world.network.chains[0]
    const body = { chainId: chain.chainId, currency: usdc, recipient: address, amount }
    expectRefusal(await callApi(world.host.url, `/app-fees/${address}/claim`, { body }), /body.amount/)
  })

  it('on a chain that there is not', async () => {
    const { address } = await owner()
    const body = { chainId: 4_711, currency: NATIVE, recipient: address }
    expectRefusal(await callApi(world.host.url, `/app-fees/${address}/claim`, { body }), /not a chain here/)
  })
})

describe('the signature (wire.md 2.7, A.4)', () => {
  const asked = async (key: Key, amount?: bigint): Promise<unknown> => {
    const answer = await askClaim(world, { wallet: key.address, ...(amount === undefined ? {} : { amount }) })
    expect(answer.status).toBe(200)
    return answer.body
  }

  /** As a former release stored what was asked for, after its time. */
  const storeExpired = async (claim: unknown): Promise<void> => {
    const text = Buffer.from(textAt(claim, 'steps.0.items.0.data.post.body.terms'), 'base64url').subarray(32)
    const { wallet, balance, chainId, currency, recipient, minimum } = JSON.parse(text.toString())
    const id = textAt(claim, 'steps.0.requestId').slice(2)
    await world.database.pool.query(
      `insert into claims (id, wallet, balance_chain_id, balance_currency, amount, chain_id, currency, recipient, minimum, asked_at, expires_at)
       values (decode($1, 'hex'), $2, $3, $4, $5, $6, $7, $8, $9, now(), now() - interval '1 second')`,
      [id, wallet, balance.chainId, balance.currency, balance.amount, chainId, currency, recipient, minimum],
    )
  }

  it('of a stranger, for another claim, in another form, or none moves nothing', async () => {
    const key = await owner()
    const claim = await asked(key, 4n * DOLLAR)
    const other = await asked(key, 5n * DOLLAR)
    const own = await signStep(claim, key)
    const bad = [
      await signStep(claim, newKey()),
      await signStep(other, key),
      `${own.slice(0, -2)}${own.endsWith('1b') ? '00' : '01'}`,
      '0x',
      'undefined',
      'ff'.repeat(5_000),
    ]
    for (const signature of bad) expectRefusal(await postSignature(world, claim, signature), /./)
    expectRefusal(await postSignature(world, claim, ''), /query.signature/)
    expect(await freeOf(key.address)).toBe('10000000')
  })

  it('for what nobody asked, of a kind that nobody takes', async () => {
    const key = await owner()
    const claim = await asked(key)
    const signature = await signStep(claim, key)
    expectRefusal(
      await postSignature(world, claim, signature, { body: { kind: 'eip3009' } }),
      /body.kind must be one of: claim, request/,
    )
    const terms = textAt(claim, 'steps.0.items.0.data.post.body.terms')
    const changed = `${terms.slice(0, -8)}${terms.at(-8) === 'A' ? 'B' : 'A'}${terms.slice(-7)}`
    const others = { terms: textAt(await asked(key), 'steps.0.items.0.data.post.body.terms') }
    for (const body of [{ requestId: `0x${'12'.repeat(32)}` }, { terms: changed }, { terms: undefined }, others]) {
      expectRefusal(await postSignature(world, claim, signature, { body }), /no such claim/)
    }
    expectRefusal(await postSignature(world, claim, signature, { body: { requestId: '0x12' } }), /body.requestId/)
  })

  it('after its time is refused, and of one that is paid answers as before', async () => {
    const key = await owner(20n)
    const [claim, late] = [await asked(key, 5n * DOLLAR), await asked(key, 5n * DOLLAR)]
    const signature = await signStep(claim, key)
    expect((await postSignature(world, claim, signature)).status).toBe(200)
    await storeExpired(late)
    expectRefusal(await postSignature(world, late, await signStep(late, key)), /time to sign this claim is over/)
    expect((await postSignature(world, claim, signature)).status).toBe(200)
    await endOfClaim(world, key.address)
    expect(await freeOf(key.address)).toBe('15000000')
  })

  it('is all that is stored: what others ask for in the name of a wallet takes no room of its own (faults.md F153)', async () => {
    const key = await owner()
    for (let n = 0; n < 5; n += 1) await asked(key, DOLLAR)
    const stored = async () =>
      (await world.database.pool.query('select from claims where wallet = $1', [key.address.toLowerCase()])).rowCount
    expect(await stored()).toBe(0)
    const claim = await asked(key, DOLLAR)
    expectRefusal(await postSignature(world, claim, await signStep(claim, newKey())), /./)
    expect(await stored()).toBe(0)
    const signature = await signStep(claim, key)
    const answers = await Promise.all(Array.from({ length: 5 }, () => postSignature(world, claim, signature)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await stored()).toBe(1)
    await endOfClaim(world, key.address)
    expect(await freeOf(key.address)).toBe('9000000')
  })

  it('of many claims at once over one balance: just what it covers is paid', async () => {
    const key = await owner(10n)
    const claims: unknown[] = []
    for (let n = 0; n < 6; n += 1) claims.push(await asked(key, 4n * DOLLAR))
    const answers = await Promise.all(
      claims.map(async (claim) => postSignature(world, claim, await signStep(claim, key))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400])
    for (const answer of answers.filter(({ status }) => status === 400)) {
      expectRefusal(answer, /balance does not cover this claim any more/)
    }
    await endOfClaim(world, key.address)
    expect(await freeOf(key.address)).toBe('2000000')
  })

  it('of a contract wallet on the chain of the balance, deployed or not yet; not by a key that is not its own (EIP-1271, ERC-6492)', async () => {
    const key = newKey()
    const deployed = await wallets.make(key.address)
    await give(deployed, 3n * DOLLAR)
    const recipient = freshAddress()
    const claim = await askClaim(world, { wallet: deployed, recipient })
    expectRefusal(
      await postSignature(world, claim.body, await signStep(claim.body, newKey())),
      /does not take it for its own/,
    )
    expect((await postSignature(world, claim.body, await signStep(claim.body, key))).status).toBe(200)
    await endOfClaim(world, deployed)
    const [first] = world.network.chains
    const paid = await balanceOnChain(first, recipient, first.usdc)
    expect([paid < 3n * DOLLAR, paid > 2n * DOLLAR]).toEqual([true, true])
  })
})

it('claims pay their network cost, however small they are and whatever their currency (faults.md F149)', async () => {
  const [{ usdc }] = world.network.chains
  const key = await owner(10n)
  const recipient = freshAddress()
  for (let n = 0; n < 3; n += 1) {
    const { body } = await askClaim(world, { wallet: key.address, recipient, amount: DOLLAR })
    expect((await postSignature(world, body, await signStep(body, key))).status).toBe(200)
    await endOfClaim(world, key.address)
  }
  expect(await freeOf(key.address)).toBe('7000000')
  const { rows } = await world.database.pool.query<{ gas: string }>(
    `select sum(a.fee)::text as gas from payouts p join claims c on c.payout_id = p.id join payout_attempts a on a.payout_id = p.id
     where c.wallet = $1`,
    [key.address.toLowerCase()],
  )
  const gas = (BigInt(rows[0]?.gas ?? 0) * 2_000n) / 10n ** 12n
  expect(gas).toBeGreaterThan(0n)
  const kept = 3n * DOLLAR - (await balanceOnChain(world.network.chains[0], recipient, usdc))
  expect(kept).toBeGreaterThanOrEqual(gas)
})

it('a top-up in one currency and a claim in another cost their wallet the conversion each way (faults.md F142)', async () => {
  const [origin] = world.network.chains
  const { chain, blockable, depository } = origin
  const user = userOf(world.network, 2)
  await chain.fund(user.address, 100n * DOLLAR, blockable)
  const marker = '012345abcdef'
  const key = newKey()
  const transfer = encodeFunctionData({
    abi: blockingTokenAbi,
    functionName: 'transfer',
    // CAST: an address of the harness is hex text.
    args: [depository as `0x${string}`, 100n * DOLLAR],
  })
  const data = `${transfer}${marker}${key.address.slice(2)}${marker}` as const
  await receiptOf(chain, await chain.send(user, { to: blockable, data }))
  // 45 basis points less than 100 dollars.
  await waitForBalance(world, key.address, 99_550_000n)
  const recipient = freshAddress()
  const claim = await askClaim(world, { wallet: key.address, currency: blockable, recipient })
  await postSignature(world, claim.body, await signStep(claim.body, key))
  await endOfClaim(world, key.address)
  const back = await balanceOnChain(origin, recipient, blockable)
  expect(back).toBeLessThan(99_550_000n - 447_975n - 20_000n)
  expect(back).toBeGreaterThan(98n * DOLLAR)
})

it('an app fee of a deposit that comes after its price has gone is credited at the price of then (faults.md F140)', async () => {
  const { address } = newKey()
  // Gas of the other chain may have moved since.
  const tolerance = { slippageTolerance: '5000', latePaymentSlippageTolerance: '5000' }
  const body = nativeBody(world, { appFees: [{ recipient: address, fee: '9000' }], ...tolerance })
  const quote = await postQuote(world, body)
  expect([quote.status, valueAt(quote.body, 'fees.app.amount')]).toEqual([200, '9000000000000000'])
  const over = Date.now() + PRICE_SECONDS * 1_000
  const priced = async () =>
    Number(valueAt((await postQuote(world, nativeBody(world))).body, 'details.currencyIn.amountUsd'))
  world.host.setPrices({ ...USUAL_PRICES, eth: '1000' })
  await until('the price of the quote to be over, and that of now to be read', async () =>
    Date.now() > over && (await priced()) < 11 ? true : null,
  )
  await execute(world, quote.body)
  expect(await statusOf(world, textAt(quote.body, 'requestId'))).toMatchObject({ status: 'success' })
  const credited = await until('the fee to be credited', async () => {
    const free = BigInt(await freeOf(address))
    return free === 0n ? null : free
  })
  // Nine dollars less 45 basis points, and less what gas took meanwhile; eighteen at the price of the quote.
  expect([credited <= 8_959_500n, credited > 8_000_000n]).toEqual([true, true])
  world.host.setPrices(USUAL_PRICES)
  // Claims of later tests are refused while the price moves between their terms and their signature.
  await until('the usual price to be read', async () => ((await priced()) > 11 ? true : null))
})

it('claims are listed page by page, and a continuation is good for its wallet alone', async () => {
  const key = await owner(10n)
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const claim = (await askClaim(world, { wallet: key.address, amount: BigInt(n + 1) * DOLLAR })).body
    expect(await postSignature(world, claim, await signStep(claim, key))).toMatchObject({ status: 200 })
    ids.unshift(textAt(claim, 'steps.0.requestId'))
  }
  await askClaim(world, { wallet: key.address })
  const page = async (query: string) => callApi(world.host.url, `/app-fees/${key.address}/claims?${query}`)
  const first = await page('limit=2')
  expect(listAt(first.body, 'claims').map((claim) => valueAt(claim, 'claimId'))).toEqual(ids.slice(0, 2))
  const continuation = textAt(first.body, 'continuation')
  const second = await page(`limit=2&continuation=${continuation}`)
  expect(listAt(second.body, 'claims').map((claim) => valueAt(claim, 'claimId'))).toEqual(ids.slice(2))
  expect(valueAt(second.body, 'continuation')).toBeUndefined()
  expectRefusal(
    await callApi(world.host.url, `/app-fees/${freshAddress()}/claims?continuation=${continuation}`),
    /continuation/,
  )
  for (const query of ['limit=0', 'limit=51', 'limit=x', 'continuation=made-up'])
    expectRefusal(await page(query), /limit|continuation/)
})

it('waits for funds with a next action; what its recipient can never receive ends it, and the balance has it again', async () => {
  const [{ chain, blockable }] = world.network.chains
  // More than the solver has.
  const key = await owner(2n * 10n ** 18n)
  const recipient = freshAddress()
  const claim = await askClaim(world, { wallet: key.address, currency: blockable, recipient })
  expect((await postSignature(world, claim.body, await signStep(claim.body, key))).status).toBe(200)
  const waiting = await until('the claim to wait', async () => {
    const { rows } = await world.database.pool.query<{ next_action: string; due: Date }>(
      `select next_action, next_action_at as due from payouts where purpose = 'claim' and state = 'ready' and attempts > 0`,
    )
    return rows[0]
  })
  expect(waiting).toEqual({ next_action: 'sign', due: expect.any(Date) })
  expect(await freeOf(key.address)).toBe('0')
  const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [recipient] })
  await receiptOf(chain, await chain.send(userOf(world.network, 1), { to: blockable, data }))
  await chain.fund(world.network.roles.solver.address, 10n ** 25n, blockable)
  expect(await endOfClaim(world, key.address)).toMatchObject({ claims: [{ status: 'failure', txHash: null }] })
  expect(await freeOf(key.address)).toBe((2n * 10n ** 24n).toString())
})

// The last, since gas stays dear for a while.
it('the least that is claimed follows the cost of gas (faults.md F149)', async () => {
  const [{ chain }] = world.network.chains
  const { address } = await owner(10n)
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(5n * 10n ** 13n).toString(16)}`])
  await chain.mine(1)
  const answer = await until('the fee of now', async () => {
    const asked = await askClaim(world, { wallet: address, amount: DOLLAR })
    return /At least (?!1000000 )[0-9]{7,} of USDC are claimed at once/.test(asked.text) ? asked : null
  })
  expect(answer.status).toBe(400)
})
