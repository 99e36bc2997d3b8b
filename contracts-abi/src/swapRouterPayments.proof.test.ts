import { type Address, encodeFunctionData, getAddress, parseEventLogs, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  depositoryAbi,
  depositoryBytecode,
  eventTopics,
  feeTokenAbi,
  feeTokenBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  swapRouterAbi,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'
import { type Exchange, ID, type SwapChanges, startExchange } from './swapRouter.test.support.js'

let chain: LocalChain
let market: Exchange
let depository: Address
let sold: Address
let bought: Address

beforeAll(async () => {
  chain = await startLocalChain()
  market = await startExchange(chain)
  sold = await market.token(testTokenAbi, testTokenBytecode)
  bought = await market.token(testTokenAbi, testTokenBytecode)
  const owner = chain.accountAt(0).address
  depository = await chain.deploy(depositoryAbi, depositoryBytecode, [owner, owner])
})
afterAll(() => chain.stop())

const depositor = () => chain.accountAt(5).address
const feeTaker = () => chain.accountAt(6).address
const leftovers = () => chain.accountAt(7).address
const recipient = () => chain.accountAt(8).address
const payee = () => chain.accountAt(9).address

const send = async (functionName: string, changes: SwapChanges, args: readonly unknown[], value = 0n) =>
  chain.send(market.payer, {
    address: market.router,
    abi: swapRouterAbi,
    functionName,
    args: [await market.swapOf(changes), ...args],
    value,
    trailing: ID,
  })

const attached = ({ tokenIn, amountIn = 0n }: SwapChanges) => (tokenIn === undefined ? amountIn : 0n)
const deposit = (changes: SwapChanges) =>
  send('swapAndDeposit', changes, [depository, depositor(), ID], attached(changes))
const swapTo = (changes: SwapChanges, fee = 0n) =>
  send('swapTo', changes, [recipient(), ID, fee, feeTaker()], attached(changes))
const fill = (changes: SwapChanges, calls: readonly unknown[] = [], topup = 0n) =>
  send('fillSwap', changes, [calls, recipient(), topup], attached(changes) + topup)

/** The router keeps nothing of any currency. */
const routerKeeps = async () =>
  Promise.all([zeroAddress, sold, bought].map((currency) => market.balanceOf(market.router, currency)))

describe('swapAndDeposit', () => {
  it('deposits all of the output under the order id for the user, and returns what is left', async () => {
    const changes = { tokenIn: sold, amountIn: 100n, take: 90n, tokenOut: bought, amountOut: 55n, minimumOut: 50n }
    let receipt: Awaited<ReturnType<typeof deposit>> | undefined
    const moved = await market.changeOf(
      [
        [market.payer.address, sold],
        [depository, bought],
        [leftovers(), sold],
      ],
      async () => {
        receipt = await deposit(changes)
      },
    )
    expect(moved).toEqual([-100n, 55n, 10n])
    const [event] = parseEventLogs({
      abi: depositoryAbi,
      eventName: 'RelayErc20Deposit',
      logs: receipt?.logs ?? [],
    })
    expect(event?.args).toEqual({ from: depositor(), token: getAddress(bought), amount: 55n, id: ID })
    expect(await routerKeeps()).toEqual([0n, 0n, 0n])
    const allowance = await chain.client.readContract({
      address: bought,
      abi: testTokenAbi,
      functionName: 'allowance',
      args: [market.router, depository],
    })
    expect(allowance).toBe(0n)
  })

  it('takes and gives native currency', async () => {
    const toNative = await deposit({ tokenIn: sold, amountIn: 100n, amountOut: 55n })
    const [event] = parseEventLogs({ abi: depositoryAbi, eventName: 'RelayNativeDeposit', logs: toNative.logs })
    expect(event?.args).toEqual({ from: depositor(), amount: 55n, id: ID })
    const moved = await market.changeOf(
      [
        [depository, bought],
        [leftovers(), zeroAddress],
      ],
      () => deposit({ amountIn: 100n, take: 90n, tokenOut: bought, amountOut: 55n }),
    )
    expect(moved).toEqual([55n, 10n])
    expect(await routerKeeps()).toEqual([0n, 0n, 0n])
  })

  it('deposits what the exchange sent to the router itself too', async () => {
    for (const tokenOut of [bought, zeroAddress] as const) {
      const changes = { tokenIn: sold, amountIn: 10n, tokenOut, amountOut: 55n, payTo: market.router }
      expect(await market.changeOf([[depository, tokenOut]], () => deposit(changes))).toEqual([55n])
    }
  })

  it('reverts under the minimum, counting what arrives in the depository (F07)', async () => {
    const short = { tokenIn: sold, amountIn: 10n, tokenOut: bought, amountOut: 49n, minimumOut: 50n }
    expect(await revertOf(deposit(short))).toEqual({ name: 'TooLittleReceived', args: [49n] })
    const fees = await market.token(feeTokenAbi, feeTokenBytecode)
    const taxed = { tokenIn: sold, amountIn: 10n, tokenOut: fees, amountOut: 10_000n, minimumOut: 9_800n }
    expect(await revertOf(deposit(taxed))).toEqual({ name: 'TooLittleReceived', args: [9_703n] })
    expect(await market.changeOf([[depository, fees]], () => deposit({ ...taxed, minimumOut: 9_703n }))).toEqual([
      9_703n,
    ])
  })

  it('runs until its deadline and no longer', async () => {
    const { timestamp } = await chain.client.getBlock()
    const late = { tokenIn: sold, amountIn: 1n, tokenOut: bought, amountOut: 1n, deadline: timestamp - 1n }
    expect((await revertOf(deposit(late))).name).toBe('Expired')
  })
})

describe('swapTo', () => {
  it('takes the fee of the input first and tells what was done', async () => {
    const receipt = swapTo(
      { tokenIn: sold, amountIn: 100n, take: 90n, tokenOut: bought, amountOut: 55n, calls: await callsFor(90n) },
      10n,
    )
    const [event] = parseEventLogs({ abi: swapRouterAbi, eventName: 'SwapExecuted', logs: (await receipt).logs })
    expect(event?.topics).toEqual([eventTopics.swapExecuted])
    expect(event?.args).toEqual({
      id: ID,
      from: market.payer.address,
      recipient: recipient(),
      tokenIn: getAddress(sold),
      amountIn: 100n,
      tokenOut: getAddress(bought),
      amountOut: 55n,
    })
    expect(await market.balanceOf(feeTaker(), sold)).toBe(10n)
  })

  it('pays native currency out and takes it in, with a fee', async () => {
    const out = { tokenIn: sold, amountIn: 100n, amountOut: 55n }
    expect(await market.changeOf([[recipient(), zeroAddress]], () => swapTo(out))).toEqual([55n])
    const { calls } = await market.swapOf({ amountIn: 90n, tokenOut: bought, amountOut: 5n })
    const watched = [
      [recipient(), bought],
      [feeTaker(), zeroAddress],
    ] as const
    const moved = await market.changeOf(watched, () =>
      swapTo({ amountIn: 100n, tokenOut: bought, amountOut: 5n, calls }, 10n),
    )
    expect(moved).toEqual([5n, 10n])
    expect(await routerKeeps()).toEqual([0n, 0n, 0n])
  })

  it('counts what arrived of a token that takes a fee, and works with tokens without return value (F07, F64)', async () => {
    const fees = await market.token(feeTokenAbi, feeTokenBytecode)
    const silent = await market.token(noReturnTokenAbi, noReturnTokenBytecode)
    const changes = { tokenIn: fees, amountIn: 10_000n, take: 9_900n, tokenOut: silent, amountOut: 5n }
    const { logs } = await swapTo(changes)
    const [event] = parseEventLogs({ abi: swapRouterAbi, eventName: 'SwapExecuted', logs })
    expect(event?.args).toMatchObject({ amountIn: 9_900n, amountOut: 5n })
  })
})

describe('fillSwap', () => {
  const changes = (): SwapChanges => ({ tokenIn: sold, amountIn: 100n, tokenOut: bought, amountOut: 55n })

  it('pays the output and the top-up, and proves native payments (chains.md evm 5)', async () => {
    const watched = [
      [recipient(), bought],
      [recipient(), zeroAddress],
    ] as const
    expect(await market.changeOf(watched, () => fill(changes(), [], 7n))).toEqual([55n, 7n])
    const { logs } = await fill({ tokenIn: sold, amountIn: 100n, amountOut: 55n }, [], 7n)
    const proofs = parseEventLogs({ abi: swapRouterAbi, eventName: 'SolverNativeTransfer', logs })
    expect(proofs.map(({ args }) => args)).toEqual([
      { to: recipient(), amount: 55n },
      { to: recipient(), amount: 7n },
    ])
    expect(await routerKeeps()).toEqual([0n, 0n, 0n])
  })

  it('lets the calls of the order work with the output; leftovers go to the recipient', async () => {
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [payee(), 20n] })
    const calls = [{ to: bought, data, value: 0n }]
    const watched = [
      [payee(), bought],
      [recipient(), bought],
      [recipient(), zeroAddress],
      [leftovers(), sold],
    ] as const
    const moved = await market.changeOf(watched, async () => {
      const { logs } = await fill({ ...changes(), take: 90n }, calls, 3n)
      const proofs = parseEventLogs({ abi: swapRouterAbi, eventName: 'SolverCallExecuted', logs })
      expect(proofs.map(({ args }) => args)).toEqual([{ to: getAddress(bought), data, amount: 0n }])
    })
    expect(moved).toEqual([20n, 35n, 3n, 10n])
    const native = [{ to: payee(), data: '0x', value: 20n }]
    const paid = await market.changeOf(
      [
        [payee(), zeroAddress],
        [recipient(), zeroAddress],
      ],
      () => fill({ tokenIn: sold, amountIn: 10n, amountOut: 55n }, native),
    )
    expect(paid).toEqual([20n, 35n])
  })

  it('does nothing when a call fails or too little came, and says which call and why (F62)', async () => {
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [payee(), 56n] })
    const failed = await revertOf(fill(changes(), [{ to: bought, data, value: 0n }]))
    expect([failed.name, failed.args[0]]).toEqual(['CallFailed', 0n])
    const short = { ...changes(), minimumOut: 56n }
    expect(await revertOf(fill(short))).toEqual({ name: 'TooLittleReceived', args: [55n] })
    expect((await revertOf(fill(short, [{ to: payee(), data: '0x', value: 0n }]))).name).toBe('TooLittleReceived')
  })
})

/** Calls of a swap of `amountIn` for 55. */
const callsFor = async (amountIn: bigint) =>
  (await market.swapOf({ tokenIn: sold, amountIn, tokenOut: bought, amountOut: 55n })).calls
