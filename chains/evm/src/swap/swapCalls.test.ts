import { fillRouterAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { SwapOffer, SwapOrder } from '@causeway/core'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../contracts/addresses.js'
import { type LocalAccount, type LocalEvmChain, startLocalChain } from '../testing/localChain.js'
import { sendMined } from '../testing/sendMined.js'
import { deployUniswap, type LocalUniswap } from '../testing/uniswap.js'
import { swapCalls } from './swapCalls.js'
import { routeJson, type SwapRoute } from './swapRoute.js'
import { resolveSwapOptions, type SwapSettings } from './swapSettings.js'

const WHOLE = 10n ** 18n
/** Stand for the swap router and for the owner of leftovers: accounts nobody pays otherwise. */
const RECEIVER = `0x${'5a'.repeat(20)}`
const LEFTOVERS = `0x${'5b'.repeat(20)}`

let chain: LocalEvmChain
let uniswap: LocalUniswap
let solver: LocalAccount
let fillRouter: string
let tokenA: string
let tokenB: string
let settings: SwapSettings

beforeAll(async () => {
  chain = await startLocalChain({ chainId: 31_301 })
  solver = chain.accounts[1] as LocalAccount
  fillRouter = (await chain.deployContracts({ owner: solver.address, allocator: solver.address })).fillRouter
  tokenA = await chain.deployToken({ name: 'A', symbol: 'A', decimals: 18 })
  tokenB = await chain.deployToken({ name: 'B', symbol: 'B', decimals: 6 })
  uniswap = await deployUniswap(chain)
  settings = resolveSwapOptions(uniswap.options(RECEIVER))
  const sides = { a: { token: tokenA, amount: 1000n * WHOLE }, b: { token: tokenB, amount: 2000n * 10n ** 6n } }
  const native = { token: ZERO_ADDRESS, amount: 100n * WHOLE }
  await uniswap.createPair([sides.a, native])
  await uniswap.createPair([sides.b, native])
  await uniswap.createPool({ sides: [sides.a, native], fee: 3000 })
  await uniswap.createPool({ sides: [sides.b, native], fee: 500 })
  await chain.fund(solver.address, 100n * WHOLE, tokenA)
  const data = encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'approve',
    args: [getAddress(fillRouter), 2n ** 255n],
  })
  for (const token of [tokenA, uniswap.wrappedNative]) await sendMined(chain, solver, { to: token, data })
  const deposit = { to: uniswap.wrappedNative, data: '0xd0e30db0' as Hex, value: 10n * WHOLE }
  await sendMined(chain, solver, deposit)
})
afterAll(() => chain?.close())

const balance = async (owner: string, currency: string): Promise<bigint> => {
  if (currency === ZERO_ADDRESS) return BigInt(await chain.rpc<string>('eth_getBalance', [owner, 'latest']))
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'balanceOf', args: [getAddress(owner)] })
  return BigInt(await chain.rpc<string>('eth_call', [{ to: currency, data }, 'latest']))
}

const orderOf = (from: string, to: string, route: SwapRoute, changes: Partial<SwapOffer> = {}): SwapOrder => ({
  offer: {
    source: route.kind,
    from,
    to,
    amountIn: WHOLE,
    amountOut: 1n,
    hops: 1,
    midAmountOut: null,
    gas: 0n,
    route: routeJson(route),
    ...changes,
  },
  minimumOut: 1n,
  deadline: Math.floor(Date.now() / 1000) + 3600,
})

/** Runs the calls in a fresh runner that holds the input; tells what the receiver and the leftovers got. */
const run = async (order: SwapOrder) => {
  const { from, to, amountIn } = order.offer
  const calls = swapCalls(order, { swapRouter: RECEIVER, settings }).map((call) => ({ ...call, to: call.to as Hex }))
  const native = from === ZERO_ADDRESS
  const args = [calls, getAddress(from), native ? 0n : amountIn, getAddress(LEFTOVERS)] as const
  const data = encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillCalls', args })
  const before = [await balance(RECEIVER, to), await balance(LEFTOVERS, from)] as const
  await sendMined(chain, solver, { to: fillRouter, data, value: native ? amountIn : 0n, gas: 2_000_000n })
  return {
    received: (await balance(RECEIVER, to)) - before[0],
    left: (await balance(LEFTOVERS, from)) - before[1],
  }
}

describe.each(['uniswap-v2', 'uniswap-v3'] as const)('%s', (kind) => {
  const route = (path: readonly string[], fees: readonly number[]): SwapRoute =>
    kind === 'uniswap-v2' ? { kind, path } : { kind, path, fees }

  test('token to token over two pools reaches the swap router; no input is left', async () => {
    const order = orderOf(tokenA, tokenB, route([tokenA, uniswap.wrappedNative, tokenB], [3000, 500]))
    const { received, left } = await run(order)
    expect(received).toBeGreaterThan(1_900_000n)
    expect(received).toBeLessThan(2_000_000n)
    expect(left).toBe(0n)
  })

  test('native currency goes in by the value of the call', async () => {
    const { received, left } = await run(orderOf(ZERO_ADDRESS, tokenA, route([uniswap.wrappedNative, tokenA], [3000])))
    expect(received).toBeGreaterThan(9n * WHOLE)
    expect(left).toBe(0n)
  })

  test('native currency comes out unwrapped', async () => {
    const { received, left } = await run(orderOf(tokenA, ZERO_ADDRESS, route([tokenA, uniswap.wrappedNative], [3000])))
    expect(received).toBeGreaterThan(WHOLE / 20n)
    expect(left).toBe(0n)
  })

  test('the exchange itself refuses less than the minimum, and anything after the deadline', async () => {
    const order = orderOf(tokenA, ZERO_ADDRESS, route([tokenA, uniswap.wrappedNative], [3000]))
    await expect(run({ ...order, minimumOut: WHOLE })).rejects.toThrow('reverted')
    await expect(run({ ...order, deadline: 1 })).rejects.toThrow('reverted')
  })
})

test('wrapping and unwrapping are one to one', async () => {
  const wrapped = uniswap.wrappedNative
  expect(await run(orderOf(ZERO_ADDRESS, wrapped, { kind: 'wrap' }))).toEqual({ received: WHOLE, left: 0n })
  expect(await run(orderOf(wrapped, ZERO_ADDRESS, { kind: 'unwrap' }))).toEqual({ received: WHOLE, left: 0n })
})

test('a pool that runs out of one side leaves the rest of a native input with the account that swaps', async () => {
  const rare = await chain.deployToken({ name: 'R', symbol: 'R', decimals: 18 })
  const sides = [
    { token: rare, amount: WHOLE },
    { token: ZERO_ADDRESS, amount: WHOLE },
  ] as const
  await uniswap.createPool({ sides, fee: 3000, range: { lower: -60, upper: 60 } })
  const route: SwapRoute = { kind: 'uniswap-v3', path: [uniswap.wrappedNative, rare], fees: [3000] }
  const { received, left } = await run(orderOf(ZERO_ADDRESS, rare, route, { amountIn: 10n * WHOLE }))
  expect(received).toBeGreaterThan((WHOLE * 99n) / 100n)
  expect(left).toBeGreaterThan(8n * WHOLE)
})

test("an aggregator's call runs as it was written, with an allowance of just the input", () => {
  const route: SwapRoute = { kind: 'aggregator', to: tokenB, data: '0x1234', value: '0', allowanceTarget: RECEIVER }
  const [approve, swap, ...rest] = swapCalls(orderOf(tokenA, tokenB, route), { swapRouter: RECEIVER, settings })
  const args = [getAddress(RECEIVER), WHOLE] as const
  expect(approve).toEqual({
    to: tokenA,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args }).toLowerCase(),
    value: 0n,
  })
  expect(swap).toEqual({ to: tokenB, data: '0x1234', value: 0n })
  expect(rest).toEqual([])
})

test('an offer of a source that was taken out of the configuration is refused', () => {
  const order = orderOf(tokenA, tokenB, { kind: 'uniswap-v2', path: [tokenA, tokenB] }, { source: 'gone' })
  expect(() => swapCalls(order, { swapRouter: RECEIVER, settings })).toThrow('"gone" is not configured')
})
