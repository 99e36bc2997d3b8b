import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { environmentOf, systemClock } from '@causeway/core'
import type { SwapRequest } from '@causeway/core/chain'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { evmProtocol } from '../../rpc/evmProtocol.js'
import { EvmSwaps } from '../evmSwaps.js'
import { resolveSwapOptions } from '../swapSettings.js'
import { RECEIVER, type SwapWorld, soonOrder, startSwapWorld, WHOLE } from '../swapWorld.test.support.js'
import { uniswapV2Swap } from '../uniswap/uniswapV2Swap.js'

const CHAIN_ID = 31_303
const NATIVE_MARK = `0x${'ee'.repeat(20)}`
const OUT = 900_000_000_000_000_000n

let world: SwapWorld
let url: string
let seen: IncomingMessage[] = []
let answer: (query: URLSearchParams, response: ServerResponse) => void
const lines: string[] = []

const server = createServer((request, response) => {
  seen.push(request)
  answer(new URL(request.url ?? '', 'http://local').searchParams, response)
})

beforeAll(async () => {
  world = await startSwapWorld(CHAIN_ID)
  const sides = [
    { token: world.tokenA, amount: 1000n * WHOLE },
    { token: ZERO_ADDRESS, amount: 1000n * WHOLE },
  ] as const
  await world.uniswap.createPair([...sides])
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await world?.chain.close()
})
afterEach(() => {
  seen = []
})

const swapsOver = (base = url, timeoutMs = 1000) => {
  const log = { write: (line: string) => void lines.push(line) }
  const aggregators = [{ name: 'aggregator', url: base, apiKeyVariable: 'AGGREGATOR_KEY', timeoutMs }]
  return new EvmSwaps({
    chainId: CHAIN_ID,
    settings: resolveSwapOptions(world.uniswap.options(RECEIVER, { aggregators })),
    rpc: new JsonRpcClient({
      protocol: evmProtocol(CHAIN_ID),
      endpoints: [{ http: world.chain.rpcUrl }],
      timeoutMs: 5000,
      logger: pino({ level: 'silent' }),
    }),
    clock: systemClock,
    logger: pino({}, log),
    environment: environmentOf({ AGGREGATOR_KEY: 'secret-key' }),
  })
}

/** A call that an exchange would write: here, of the Uniswap V2 router. */
const exchangeCall = (query: URLSearchParams) => {
  const { router } = world.uniswap.v2
  const native = query.get('sellToken') === NATIVE_MARK
  const route = native ? [world.uniswap.wrappedNative, world.tokenA] : [world.tokenA, world.uniswap.wrappedNative]
  const offer = {
    source: '',
    from: native ? ZERO_ADDRESS : world.tokenA,
    to: native ? world.tokenA : ZERO_ADDRESS,
    amountIn: BigInt(query.get('sellAmount') ?? 0),
    amountOut: 0n,
    hops: 1,
    midAmountOut: null,
    gas: 0n,
    route: null,
  }
  const recipient = query.get('recipient') ?? ''
  return uniswapV2Swap(soonOrder(offer), { kind: 'uniswap-v2', path: route }, { router, recipient })
}

const honest = (query: URLSearchParams) => {
  const { to, data, value } = exchangeCall(query)
  const native = query.get('sellToken') === NATIVE_MARK
  return {
    liquidityAvailable: true,
    sellToken: query.get('sellToken'),
    buyToken: query.get('buyToken'),
    sellAmount: query.get('sellAmount'),
    buyAmount: OUT.toString(),
    minBuyAmount: '1',
    allowanceTarget: native ? null : to,
    issues: { allowance: null, balance: null, simulationIncomplete: true, invalidSourcesPassed: [] },
    transaction: { to, data, value: value.toString(), gas: '288079', gasPrice: '73178385' },
    zid: '0x1',
  }
}

const sends =
  (body: unknown, status = 200) =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const answersHonestly =
  (changes: object = {}) =>
  (query: URLSearchParams, response: ServerResponse) =>
    sends({ ...honest(query), ...changes })(query, response)

const sell = (): SwapRequest => ({ kind: 'exact-input', from: world.tokenA, to: ZERO_ADDRESS, amount: WHOLE })
const only = { included: ['aggregator'], maxHops: 3 }
const offered = async (request = sell(), swaps = swapsOver(), limits: { maxHops: number } = only) =>
  (await swaps.offers([request], limits))[0] ?? []

describe('an aggregator in the form of 0x', () => {
  test('is asked with its key in a header and the swap router as taker and recipient', async () => {
    answer = answersHonestly()
    await offered()
    const [request] = seen
    const { pathname, searchParams } = new URL(request?.url ?? '', url)
    expect(pathname).toBe('/swap/allowance-holder/quote')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      chainId: String(CHAIN_ID),
      sellToken: world.tokenA,
      buyToken: NATIVE_MARK,
      sellAmount: WHOLE.toString(),
      taker: RECEIVER,
      recipient: RECEIVER,
    })
    expect(request?.headers).toMatchObject({ '0x-api-key': 'secret-key', '0x-version': 'v2' })
  })

  test.each([
    ['a token in', () => sell()],
    ['native currency in', () => ({ ...sell(), from: ZERO_ADDRESS, to: world.tokenA })],
  ])('its call runs as offered: %s', async (_, request) => {
    answer = answersHonestly()
    const [offer] = await offered(request())
    expect(offer).toMatchObject({ source: 'aggregator', amountIn: WHOLE, amountOut: OUT, midAmountOut: null })
    if (offer === undefined) return
    const { received, left } = await world.run(soonOrder(offer))
    expect(received).toBeGreaterThan((WHOLE * 99n) / 100n)
    expect(left).toBe(0n)
  })

  test('is compared with the pools, and takes no exact output', async () => {
    answer = answersHonestly({ buyAmount: (2n * WHOLE).toString() })
    const best = await offered(sell(), swapsOver(), { maxHops: 3 })
    expect(best.map(({ source }) => source)).toEqual(['aggregator', 'uniswap-v2'])
    answer = answersHonestly({ buyAmount: '1' })
    const worst = await offered(sell(), swapsOver(), { maxHops: 3 })
    expect(worst.map(({ source }) => source)).toEqual(['uniswap-v2', 'aggregator'])
    expect(await offered({ ...sell(), kind: 'exact-output' })).toEqual([])
  })
})

describe('what an aggregator says counts only if it makes sense', () => {
  test.each<[string, (query: URLSearchParams, response: ServerResponse) => void]>([
    ['no liquidity', sends({ liquidityAvailable: false, zid: '0x1' })],
    ['another sold token', answersHonestly({ sellToken: RECEIVER })],
    ['another bought token', answersHonestly({ buyToken: RECEIVER })],
    ['another amount', answersHonestly({ sellAmount: '5' })],
    ['nothing for it', answersHonestly({ buyAmount: '0' })],
    ['a negative amount', answersHonestly({ buyAmount: '-5' })],
    ['a number where text belongs', answersHonestly({ buyAmount: 5 })],
    ['nobody to allow the token to', answersHonestly({ allowanceTarget: null })],
    ['a target that is no address', answersHonestly({ allowanceTarget: '0x12' })],
    ['native value for a token', answersHonestly({ transaction: { to: RECEIVER, data: '0x12', value: '1' } })],
    ['calldata that is no hex', answersHonestly({ transaction: { to: RECEIVER, data: '0x1', value: '0' } })],
    ['no transaction', answersHonestly({ transaction: null })],
    ['no object', sends('[]')],
    ['no JSON', sends('<html>')],
    ['status 500', sends({}, 500)],
    ['status 401', sends({}, 401)],
    ['status 400', sends({ name: 'INPUT_INVALID' }, 400)],
    ['a megabyte', sends(JSON.stringify({ text: 'x'.repeat(2 ** 20) }))],
    ['a redirect', (_, response) => void response.writeHead(302, { location: `${url}/other` }).end()],
    ['a closed connection', (_, response) => void response.destroy()],
  ])('%s', async (_, lie) => {
    answer = lie
    expect(await offered()).toEqual([])
    answer = lie
    const others = await offered(sell(), swapsOver(), { maxHops: 3 })
    expect(others.map(({ source }) => source)).toEqual(['uniswap-v2'])
  })

  test('one that never answers costs its time limit once, then rests', async () => {
    answer = () => undefined
    const swaps = swapsOver(url, 100)
    expect(await offered(sell(), swaps)).toEqual([])
    expect(await offered(sell(), swaps)).toEqual([])
    expect(seen).toHaveLength(1)
  })

  test('one that is down is not there; its key and address are in no log', async () => {
    expect(await offered(sell(), swapsOver('http://127.0.0.1:1'))).toEqual([])
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toMatch(/secret-key|127\.0\.0\.1/)
  })
})
