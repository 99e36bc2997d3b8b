import { testTokenAbi } from '@causeway/contracts-abi'
import type { SwapOffer, SwapOrder } from '@causeway/core/chain'
import { decodeFunctionData, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { v3PaymentsAbi, v3Router02Abi } from './swapAbis.js'
import { swapCalls } from './swapCalls.js'
import { routeJson, type SwapRoute } from './swapRoute.js'
import { resolveSwapOptions } from './swapSettings.js'
import { RECEIVER, type SwapWorld, soonOrder, startSwapWorld, WHOLE } from './swapWorld.test.support.js'

let world: SwapWorld
let chain: SwapWorld['chain']
let uniswap: SwapWorld['uniswap']
let settings: SwapWorld['settings']
let tokenA: string
let tokenB: string
let run: SwapWorld['run']

beforeAll(async () => {
  world = await startSwapWorld(31_301)
  ;({ chain, uniswap, settings, tokenA, tokenB, run } = world)
  const a = { token: tokenA, amount: 1000n * WHOLE }
  const b = { token: tokenB, amount: 2000n * 10n ** 6n }
  const native = { token: ZERO_ADDRESS, amount: 100n * WHOLE }
  await uniswap.createPair([a, native])
  await uniswap.createPair([b, native])
  await uniswap.createPool({ sides: [a, native], fee: 3000 })
  await uniswap.createPool({ sides: [b, native], fee: 500 })
})
afterAll(() => chain?.close())

const orderOf = (from: string, to: string, route: SwapRoute, changes: Partial<SwapOffer> = {}): SwapOrder =>
  soonOrder({
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
  })

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

test('SwapRouter02 gets the deadline with the multicall and is told of itself by its own mark', () => {
  const [first] = uniswap.options(RECEIVER).uniswapV3 ?? []
  if (first === undefined) throw new Error('no source')
  const newer = resolveSwapOptions(uniswap.options(RECEIVER, { uniswapV3: [{ ...first, routerVersion: 2 }] }))
  const route: SwapRoute = { kind: 'uniswap-v3', path: [tokenA, uniswap.wrappedNative], fees: [3000] }
  const order = orderOf(tokenA, ZERO_ADDRESS, route)
  const [, call] = swapCalls(order, { swapRouter: RECEIVER, settings: newer })
  const { args } = decodeFunctionData({ abi: v3Router02Abi, data: call?.data ?? '0x' })
  const [deadline, steps = []] = args as [bigint, Hex[]]
  expect(deadline).toBe(BigInt(order.deadline))
  const swap = decodeFunctionData({ abi: v3Router02Abi, data: steps[0] ?? '0x' })
  expect(swap.args).toMatchObject([{ recipient: `0x${'0'.repeat(39)}2`, amountIn: WHOLE, amountOutMinimum: 1n }])
  const unwrap = decodeFunctionData({ abi: v3PaymentsAbi, data: steps[1] ?? '0x' })
  expect(unwrap).toEqual({ functionName: 'unwrapWETH9', args: [1n, getAddress(RECEIVER)] })
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
