import type { DepositRequest, SwapOffer, SwapOrder } from '@causeway/core/chain'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { accountAt, createPayWorld, newOrderId, type PayWorld, sendStep } from '../lane/payWorld.test.support.js'
import { associatedAddress } from '../read/token/program/tokenPrograms.js'
import { WRAPPED_SOL } from '../swap/wrappedSol.js'
import { type LocalSvmChain, type SwapServer, startLocalSvm, startSwapServer } from '../testing/index.js'

const SOL = WRAPPED_SOL.address
const UNIT = 1_000_000n
const AMOUNT = 100n * UNIT

let chain: LocalSvmChain
let server: SwapServer
let world: PayWorld
let token: string
let dollar: string

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  token = await chain.createToken({ decimals: 6 })
  dollar = await chain.createToken({ decimals: 6 })
  const [first, second] = [await chain.createToken({ decimals: 6 }), await chain.createToken({ decimals: 6 })]
  const deep = [10_000_000n * UNIT, 10_000_000n * UNIT] as const
  server = await startSwapServer(chain, {
    extraAccounts: 6,
    pools: [
      { mints: [token, dollar], reserves: [10_000n * UNIT, 10_000n * UNIT] },
      { mints: [token, first], reserves: deep },
      { mints: [first, second], reserves: deep },
      { mints: [second, dollar], reserves: deep },
      { mints: [SOL, dollar], reserves: [1_000_000_000_000n, 150_000n * UNIT] },
    ],
  })
  const options = { swap: { sources: [{ name: 'local', url: server.url }] } }
  world = createPayWorld(chain, { options })
  await world.start()
  await chain.openTokenAccount(world.vault.address, dollar)
  for (const mint of [token, dollar]) await chain.fund(user().address, 1_000n * UNIT, mint)
})
afterEach(() => server.lie(null))
afterAll(async () => {
  world?.close()
  await server?.close()
  await chain?.close()
})

const user = () => accountAt(chain, 4)

let orders = 0n

/** A little more each time, so that nothing is answered from memory. */
const orderFor = async (from: string, to: string, about: bigint, maxHops = 1): Promise<SwapOrder> => {
  orders += 1n
  const amount = about + orders
  const [offers = []] = (await world.sources?.offers([{ kind: 'exact-input', from, to, amount }], { maxHops })) ?? []
  const [offer] = offers
  if (offer === undefined) throw new Error('nothing is offered')
  return orderOf(offer)
}

const orderOf = (offer: SwapOffer): SwapOrder => ({
  offer,
  minimumOut: (offer.amountOut * 99n) / 100n,
  deadline: 2_000_000_000,
})

const requestOf = (originSwap: SwapOrder, changes: Partial<DepositRequest> = {}): DepositRequest => ({
  from: user().address,
  money: { currency: originSwap.offer.to, amount: originSwap.offer.amountOut },
  orderId: newOrderId(),
  explicitDeposit: true,
  originSwap,
  ...changes,
})

const holdings = async (address: string) => ({
  sol: await world.balance(address),
  token: await world.balance(address, token),
  dollar: await world.balance(address, dollar),
})

const deposit = async (request: DepositRequest, feePayer = user()): Promise<void> => {
  const [item] = await world.deposits.build(request)
  await sendStep(chain, item?.data ?? null, user(), feePayer)
}

describe('a swap before the deposit', () => {
  test('tokens for tokens: the depository gets the least, the user keeps the rest', async () => {
    const order = await orderFor(token, dollar, AMOUNT)
    const [mine, theirs] = [await holdings(user().address), await holdings(world.vault.address)]
    const request = requestOf(order)
    const { network } = await world.deposits.estimate(request)
    await deposit(request)
    const [after, reached] = [await holdings(user().address), await holdings(world.vault.address)]
    expect(mine.token - after.token).toBe(order.offer.amountIn)
    expect(reached.dollar - theirs.dollar).toBe(order.minimumOut)
    expect(after.dollar - mine.dollar).toBe(order.offer.amountOut - order.minimumOut)
    expect(mine.sol - after.sol).toBe(network.amount)
  })

  test.each(['from', 'to'] as const)('lamports %s tokens: wrapped and unwrapped on the way', async (side) => {
    const [from, to, amount] = side === 'from' ? [NATIVE, dollar, 1_000_000_000n] : [dollar, NATIVE, AMOUNT]
    const order = await orderFor(from, to, amount)
    const [mine, theirs] = [await holdings(user().address), await holdings(world.vault.address)]
    const request = requestOf(order)
    const { network } = await world.deposits.estimate(request)
    await deposit(request)
    const [after, reached] = [await holdings(user().address), await holdings(world.vault.address)]
    const kept = order.offer.amountOut - order.minimumOut
    const { amountIn } = order.offer
    const moved = side === 'from' ? [amountIn, -kept] : [-kept, amountIn]
    expect(mine.sol - after.sol).toBe((moved[0] ?? 0n) + network.amount)
    expect(mine.dollar - after.dollar).toBe(moved[1])
    const gained = side === 'from' ? reached.dollar - theirs.dollar : reached.sol - theirs.sol
    expect(gained).toBe(order.minimumOut)
  })

  test('an exact output spends no more than was offered and gives what was wanted', async () => {
    const wanted = 50n * UNIT
    const request = { kind: 'exact-output', from: token, to: dollar, amount: wanted } as const
    const [[offer] = []] = (await world.sources?.offers([request], { maxHops: 1 })) ?? []
    if (offer === undefined) throw new Error('nothing is offered')
    const before = await holdings(user().address)
    await deposit(requestOf({ offer, minimumOut: wanted, deadline: 2_000_000_000 }))
    expect(before.token - (await holdings(user().address)).token).toBe(offer.amountIn)
  })

  test('a fee payer pays fee and rent', async () => {
    const sponsor = accountAt(chain, 5)
    const order = await orderFor(token, dollar, AMOUNT)
    const before = await holdings(user().address)
    await deposit(requestOf(order, { feePayer: sponsor.address }), sponsor)
    expect((await holdings(user().address)).sol).toBe(before.sol)
  })

  test('a user who holds nothing yet gets the steps all the same', async () => {
    const order = await orderFor(token, dollar, AMOUNT)
    const stranger = Keypair.generate().publicKey.toBase58()
    expect(await world.deposits.build(requestOf(order, { from: stranger }))).toHaveLength(1)
  })

  test('too large over three pools, small enough over one (wire.md 1.1 6)', async () => {
    const long = await orderFor(token, dollar, AMOUNT, 3)
    expect(long.offer.hops).toBe(3)
    for (const refused of [world.deposits.build(requestOf(long)), world.deposits.estimate(requestOf(long))]) {
      await expect(refused).rejects.toMatchObject({ code: 'SOLANA_TX_TOO_LARGE' })
      await expect(refused).rejects.toThrow(/maxRouteLength/)
    }
    const short = await orderFor(token, dollar, AMOUNT, 1)
    expect(short.offer.amountOut < long.offer.amountOut).toBe(true)
    expect(await world.deposits.build(requestOf(short))).toHaveLength(1)
  })
})

describe('a source that lies', () => {
  test.each([
    ['foreign-signer', /needs the signature of/],
    ['greedy', /takes more than the amount/],
    ['lamports', /calls the program 1{32}/],
    ['approve', /in another way than by transfers/],
    ['fail', /did not answer/],
    ['garbage', /did not answer/],
    ['endless', /did not answer/],
  ] as const)('%s: no steps', async (lie, why) => {
    const order = await orderFor(token, dollar, AMOUNT)
    server.lie(lie)
    const refused = world.deposits.build(requestOf(order))
    await expect(refused).rejects.toMatchObject({ code: 'SWAP_QUOTE_FAILED' })
    await expect(refused).rejects.toThrow(why)
  })

  test.each(['thief', 'short'] as const)(
    "%s: the user's own tokens are not deposited in place of what the swap owes",
    async (lie) => {
      const order = await orderFor(token, dollar, AMOUNT)
      server.lie(lie)
      await expect(world.deposits.build(requestOf(order))).rejects.toThrow(/more than the amount to be swapped/)
    },
  )

  test('a swap that gives less than the least by now', async () => {
    const order = await orderFor(token, dollar, AMOUNT)
    const greedy = { ...order, minimumOut: order.offer.amountOut + 1n }
    await expect(world.deposits.build(requestOf(greedy))).rejects.toThrow(/less than the least/)
    await expect(
      world.deposits.build(requestOf({ ...order, offer: { ...order.offer, source: 'gone' } })),
    ).rejects.toMatchObject({
      code: 'SWAP_QUOTE_FAILED',
    })
  })

  test('an account of the fee payer is out of reach, signed for or not', async () => {
    const sponsor = associatedAddress(new PublicKey(token), user().keypair.publicKey).toBase58()
    const order = await orderFor(token, dollar, AMOUNT)
    await expect(world.deposits.build(requestOf(order, { feePayer: sponsor }))).rejects.toThrow(
      `uses the account ${sponsor}`,
    )
  })
})

test('a mint with a fee: what it keeps of the deposit is said (wire.md 1.1, an amount that arrives)', async () => {
  const currency = await chain.createToken({ decimals: 6, transferFee: { bps: 100, maximum: 10n ** 12n } })
  const request = {
    from: user().address,
    orderId: newOrderId(),
    explicitDeposit: true,
    money: { currency, amount: AMOUNT },
  }
  const { currencyFee } = await world.deposits.estimate(request)
  expect(currencyFee).toBe(UNIT)
  await chain.fund(user().address, AMOUNT, currency)
  await deposit(request)
  const arrived = await chain.connection.getTokenAccountsByOwner(new PublicKey(world.vault.address), {
    mint: new PublicKey(currency),
  })
  expect(arrived.value[0]?.account.data.readBigUInt64LE(64)).toBe(AMOUNT - UNIT)
  expect(
    (await world.deposits.estimate({ ...request, money: { currency: dollar, amount: AMOUNT } })).currencyFee,
  ).toBeUndefined()
})
