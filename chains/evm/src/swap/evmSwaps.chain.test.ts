import { type Clock, environmentOf, systemClock } from '@causeway/core'
import type { SwapOffer, SwapRequest } from '@causeway/core/chain'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { evmProtocol } from '../rpc/evmProtocol.js'
import { startFaultProxy } from '../testing/node/faultProxy.js'
import { EvmSwaps } from './evmSwaps.js'
import { readRoute } from './swapRoute.js'
import { resolveSwapOptions } from './swapSettings.js'
import { RECEIVER, type SwapWorld, soonOrder, startSwapWorld, WHOLE } from './swapWorld.test.support.js'

const CHAIN_ID = 31_302
const UNIT_B = 10n ** 6n
const ANY = { maxHops: 3 }

let world: SwapWorld
let tokenA: string
let tokenB: string
let wrapped: string
let connector: string
/** In V2 only, beside B. */
let tokenC: string
const calls: string[] = []

beforeAll(async () => {
  world = await startSwapWorld(CHAIN_ID)
  const { chain, uniswap } = world
  ;({ tokenA, tokenB } = world)
  wrapped = uniswap.wrappedNative
  connector = await chain.deployToken({ name: 'Link', symbol: 'L', decimals: 18 })
  tokenC = await chain.deployToken({ name: 'C', symbol: 'C', decimals: 18 })
  const side = (token: string, amount: bigint) => ({ token, amount })
  // A native unit is worth 10 A, 20 B.
  await uniswap.createPair([side(tokenA, 1000n * WHOLE), side(ZERO_ADDRESS, 100n * WHOLE)])
  await uniswap.createPair([side(tokenB, 2000n * UNIT_B), side(ZERO_ADDRESS, 100n * WHOLE)])
  await uniswap.createPair([side(tokenB, 2000n * UNIT_B), side(connector, 100n * WHOLE)])
  await uniswap.createPair([side(tokenC, 500n * WHOLE), side(connector, 100n * WHOLE)])
  await uniswap.createPool({ sides: [side(tokenA, 5000n * WHOLE), side(ZERO_ADDRESS, 500n * WHOLE)], fee: 3000 })
  await uniswap.createPool({ sides: [side(tokenB, 200n * UNIT_B), side(ZERO_ADDRESS, 10n * WHOLE)], fee: 500 })
  await uniswap.createPool({ sides: [side(tokenB, 8000n * UNIT_B), side(ZERO_ADDRESS, 400n * WHOLE)], fee: 10_000 })
})
afterAll(() => world?.chain.close())
beforeEach(() => {
  calls.length = 0
})

const rpcOver = (http: string) =>
  new JsonRpcClient({
    protocol: evmProtocol(CHAIN_ID),
    endpoints: [{ http }],
    timeoutMs: 5000,
    logger: pino({ level: 'silent' }),
    onRpcCall: (method) => calls.push(method),
  })

const swapsWith = (
  changes: Parameters<SwapWorld['uniswap']['options']>[1] = {},
  rpc = rpcOver(world.chain.rpcUrl),
  clock: Clock = systemClock,
) =>
  new EvmSwaps({
    chainId: CHAIN_ID,
    settings: resolveSwapOptions(world.uniswap.options(RECEIVER, { connectors: [connector], ...changes })),
    rpc,
    clock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })

const selling = (from: string, to: string, amount: bigint): SwapRequest => ({ kind: 'exact-input', from, to, amount })
const buying = (from: string, to: string, amount: bigint): SwapRequest => ({ kind: 'exact-output', from, to, amount })

const offersFor = async (request: SwapRequest, limits = ANY, swaps = swapsWith()): Promise<readonly SwapOffer[]> => {
  const [offers = []] = await swaps.offers([request], limits)
  return offers
}

const offerOf = async (source: string, request: SwapRequest, limits = ANY): Promise<SwapOffer> => {
  const found = (await offersFor(request, limits)).find((offer) => offer.source === source)
  if (found === undefined) throw new Error(`${source} offered nothing.`)
  return found
}

describe.each(['uniswap-v2', 'uniswap-v3'])('what %s offers is what running it gives', (source) => {
  test.each([
    ['one pool, native in', () => selling(ZERO_ADDRESS, tokenA, WHOLE / 2n)],
    ['one pool, native out', () => selling(tokenA, ZERO_ADDRESS, 3n * WHOLE)],
    ['two pools', () => selling(tokenA, tokenB, 7n * WHOLE)],
  ])('exact input, %s', async (_, request) => {
    const offer = await offerOf(source, request())
    const { received, left } = await world.run(soonOrder(offer, offer.amountOut))
    expect(received).toBe(offer.amountOut)
    expect(left).toBe(0n)
  })

  test.each([
    ['one pool, native in', () => buying(ZERO_ADDRESS, tokenA, WHOLE)],
    ['one pool, native out', () => buying(tokenA, ZERO_ADDRESS, WHOLE / 3n)],
    ['two pools', () => buying(tokenA, tokenB, 5n * UNIT_B)],
  ])('exact output, %s: the input named is enough, and hardly more than that', async (_, request) => {
    const offer = await offerOf(source, request())
    expect(offer.amountOut).toBe(request().amount)
    const less = { ...offer, amountIn: (offer.amountIn * 9999n) / 10_000n }
    await expect(world.run(soonOrder(less, offer.amountOut))).rejects.toThrow('reverted')
    const { received } = await world.run(soonOrder(offer, offer.amountOut))
    expect(received).toBeGreaterThanOrEqual(offer.amountOut)
  })
})

test('the best source comes first: the deeper pool, whichever way it is asked', async () => {
  const sold = await offersFor(selling(ZERO_ADDRESS, tokenA, 5n * WHOLE))
  expect(sold.map(({ source }) => source)).toEqual(['uniswap-v3', 'uniswap-v2'])
  expect(sold[0]?.amountOut).toBeGreaterThan(sold[1]?.amountOut ?? 0n)
  const bought = await offersFor(buying(ZERO_ADDRESS, tokenA, 50n * WHOLE))
  expect(bought.map(({ source }) => source)).toEqual(['uniswap-v3', 'uniswap-v2'])
  expect(bought[0]?.amountIn).toBeLessThan(bought[1]?.amountIn ?? 0n)
})

test('Uniswap V3 takes the tier that pays most for the amount: the cheap one for little, the deep one for much', async () => {
  const tierFor = async (amount: bigint) =>
    readRoute((await offerOf('uniswap-v3', selling(ZERO_ADDRESS, tokenB, amount))).route)
  expect(await tierFor(WHOLE / 100n)).toMatchObject({ fees: [500] })
  expect(await tierFor(20n * WHOLE)).toMatchObject({ fees: [10_000] })
})

test('all requests and sources take one round trip, also when nothing is known of the pools; then one multicall', async () => {
  const proxy = await startFaultProxy(world.chain.rpcUrl)
  const rpc = rpcOver(proxy.url)
  await rpc.call('eth_blockNumber', [])
  const swaps = swapsWith({}, rpc)
  const before = proxy.requests()
  const requests = [
    selling(tokenA, tokenB, WHOLE),
    buying(ZERO_ADDRESS, tokenB, UNIT_B),
    selling(tokenC, connector, WHOLE),
  ]
  const cold = await swaps.offers(requests, ANY)
  expect(proxy.requests() - before).toBe(1)
  calls.length = 0
  const warm = await swaps.offers(requests, ANY)
  expect(calls).toEqual(['eth_call'])
  const names = (all: readonly (readonly SwapOffer[])[]) => all.map((offers) => offers.map(({ source }) => source))
  expect(names(warm)).toEqual(names(cold))
  expect(names(warm)).toEqual([['uniswap-v3', 'uniswap-v2'], ['uniswap-v3', 'uniswap-v2'], ['uniswap-v2']])
  await proxy.close()
})

test('without a multicall contract, single calls share one HTTP request and tell the same', async () => {
  const { multicall: _, ...options } = world.uniswap.options(RECEIVER, { connectors: [connector] })
  const plain = new EvmSwaps({
    chainId: CHAIN_ID,
    settings: resolveSwapOptions(options),
    rpc: rpcOver(world.chain.rpcUrl),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
  const request = selling(tokenA, tokenB, WHOLE)
  const withoutGas = (offers: readonly SwapOffer[]) => offers.map(({ gas: _, ...offer }) => offer)
  expect(withoutGas(await offersFor(request, ANY, plain))).toEqual(withoutGas(await offersFor(request)))
})

describe('limits (wire.md 1.2)', () => {
  test('included and excluded sources', async () => {
    const request = selling(ZERO_ADDRESS, tokenA, WHOLE)
    const names = async (limits: object) =>
      (await offersFor(request, { ...ANY, ...limits })).map(({ source }) => source)
    expect(await names({ included: ['uniswap-v2'] })).toEqual(['uniswap-v2'])
    expect(await names({ excluded: ['uniswap-v2'] })).toEqual(['uniswap-v3'])
    expect(await names({ included: ['uniswap-v2'], excluded: ['uniswap-v2'] })).toEqual([])
    expect(await names({ included: ['nobody'] })).toEqual([])
  })

  test('the most pools in a row', async () => {
    const swaps = swapsWith({ connectors: [connector, tokenB] })
    const hops = async (maxHops: number) =>
      (await offersFor(selling(tokenA, tokenC, WHOLE), { maxHops }, swaps))[0]?.hops
    expect(await hops(1)).toBeUndefined()
    expect(await hops(3)).toBeUndefined()
    expect(await hops(4)).toBe(4)
  })
})

test('the mid price knows no fee and no depth', async () => {
  const amount = 10n * WHOLE
  const [pair, pool] = await Promise.all([
    offerOf('uniswap-v2', selling(connector, tokenC, amount)),
    offerOf('uniswap-v3', selling(ZERO_ADDRESS, tokenA, amount)),
  ])
  expect(pair.midAmountOut).toBe(50n * WHOLE)
  expect(pair.amountOut).toBeLessThan((50n * WHOLE * 92n) / 100n)
  expect(pool.midAmountOut).toBeGreaterThan(pool.amountOut)
})

test('nothing is offered for nothing, for a currency in itself, for tokens without pools or beyond what a pool holds', async () => {
  expect(await offersFor(selling(tokenA, tokenB, 0n))).toEqual([])
  expect(await offersFor(selling(tokenA, tokenA, 1n))).toEqual([])
  expect(await offersFor(selling(RECEIVER, tokenB, WHOLE))).toEqual([])
  expect(await offersFor(buying(ZERO_ADDRESS, tokenA, 100_000n * WHOLE))).toEqual([])
  expect(await offersFor(selling(tokenA, tokenB, 2n ** 256n - 1n))).toEqual([])
})

test('wrapping is one to one, needs no call and no source', async () => {
  const [wrap] = await offersFor(selling(ZERO_ADDRESS, wrapped, WHOLE), { ...ANY, included: [] } as typeof ANY)
  expect(wrap).toMatchObject({ source: 'wrapped-native', amountIn: WHOLE, amountOut: WHOLE, midAmountOut: WHOLE })
  const [unwrap] = await offersFor(buying(wrapped, ZERO_ADDRESS, WHOLE))
  expect(unwrap).toMatchObject({ source: 'wrapped-native', amountIn: WHOLE, amountOut: WHOLE })
  expect(calls).toEqual([])
  expect(swapsWith().sources).toEqual(['uniswap-v2', 'uniswap-v3'])
})

test('pools that the factory does not know, and empty ones, are not asked again', async () => {
  const lonely = await world.chain.deployToken({ name: 'Lonely', symbol: 'LO', decimals: 18 })
  const swaps = swapsWith()
  expect(await offersFor(selling(lonely, tokenA, WHOLE), { maxHops: 1 }, swaps)).toEqual([])
  calls.length = 0
  expect(await offersFor(selling(lonely, tokenA, WHOLE), { maxHops: 1 }, swaps)).toEqual([])
  expect(calls).toEqual([])
})

test('a pool that comes to life is found after some minutes', async () => {
  const { chain, uniswap } = world
  const late = await chain.deployToken({ name: 'Late', symbol: 'LT', decimals: 18 })
  let now = 0
  const swaps = swapsWith({}, undefined, { now: () => now })
  const offered = async () => (await offersFor(selling(late, tokenA, WHOLE), ANY, swaps)).map(({ source }) => source)
  expect(await offered()).toEqual([])
  const sides = [
    { token: late, amount: 100n * WHOLE },
    { token: ZERO_ADDRESS, amount: 100n * WHOLE },
  ] as const
  await uniswap.createPair([...sides])
  await uniswap.createPool({ sides, fee: 500 })
  expect(await offered()).toEqual([])
  now += 6 * 60_000
  expect((await offered()).sort()).toEqual(['uniswap-v2', 'uniswap-v3'])
})

test('pairs whose creation code is not the configured one serve from the second time on', async () => {
  const { factory, router } = world.uniswap.v2
  const initCodeHash = `0x${'11'.repeat(32)}`
  const swaps = swapsWith({ uniswapV2: [{ name: 'fork', factory, router, initCodeHash }], uniswapV3: [] })
  const request = selling(ZERO_ADDRESS, tokenA, WHOLE)
  expect(await offersFor(request, ANY, swaps)).toEqual([])
  expect(await offersFor(request, ANY, swaps)).toHaveLength(1)
})

test('a chain that does not answer is an error, not an empty list', async () => {
  const swaps = new EvmSwaps({
    chainId: CHAIN_ID,
    settings: world.settings,
    rpc: rpcOver('http://127.0.0.1:1'),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
  await expect(swaps.offers([selling(tokenA, tokenB, 1n)], ANY)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})

test('two sources of one name are refused', () => {
  const { factory, router } = world.uniswap.v2
  const source = { name: 'twice', factory, router }
  expect(() => swapsWith({ uniswapV2: [source, source] })).toThrow('"twice"')
  expect(() => swapsWith({ uniswapV2: [{ ...source, name: 'wrapped-native' }] })).toThrow('"wrapped-native"')
})

describe('mid prices', () => {
  const near = (value: bigint | null | undefined, expected: bigint) => {
    expect(value).toBeGreaterThan((expected * 97n) / 100n)
    expect(value).toBeLessThan((expected * 103n) / 100n)
  }
  const SCALE = 10n ** 18n

  test('direct, over a connector, for native currency, in one call; null where there is no pool', async () => {
    const prices = await swapsWith().midPrices([
      { from: tokenA, to: wrapped, unit: WHOLE },
      { from: ZERO_ADDRESS, to: tokenB, unit: WHOLE },
      { from: tokenC, to: tokenB, unit: WHOLE },
      { from: ZERO_ADDRESS, to: wrapped, unit: WHOLE },
      { from: RECEIVER, to: tokenB, unit: WHOLE },
    ])
    near(prices[0], (WHOLE / 10n) * SCALE)
    near(prices[1], 20n * UNIT_B * SCALE)
    near(prices[2], 4n * UNIT_B * SCALE)
    expect(prices[3]).toBe(WHOLE * SCALE)
    expect(prices[4]).toBeNull()
    expect(calls.filter((method) => method === 'eth_call')).toHaveLength(1)
  })

  test('a shallow pool of another price, or one with money on one side only, moves nothing', async () => {
    const { chain, uniswap } = world
    const token = await chain.deployToken({ name: 'P', symbol: 'P', decimals: 18 })
    const sides = (mine: bigint, native: bigint) =>
      [
        { token, amount: mine },
        { token: ZERO_ADDRESS, amount: native },
      ] as const
    await uniswap.createPair([...sides(100n * WHOLE, 100n * WHOLE)])
    await uniswap.createPool({ sides: sides(WHOLE, 5n * WHOLE), fee: 3000 })
    const [price] = await swapsWith().midPrices([{ from: token, to: ZERO_ADDRESS, unit: WHOLE }])
    near(price, WHOLE * SCALE)
    const demand = (amount: bigint) => swapsWith({ priceDepths: [{ token: wrapped, amount: amount.toString() }] })
    const pair = [{ from: token, to: ZERO_ADDRESS, unit: WHOLE }]
    near((await demand(50n * WHOLE).midPrices(pair))[0], WHOLE * SCALE)
    expect(await demand(500n * WHOLE).midPrices(pair)).toEqual([null])
  })
})
