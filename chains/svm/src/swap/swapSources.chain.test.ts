import { environmentOf } from '@causeway/core'
import type { SwapLimits, SwapOffer, SwapRequest } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { type LocalSvmChain, type SwapServer, startLocalSvm, startSwapServer } from '../testing/index.js'
import { resolveSwapSources } from './swapOptions.js'
import { SwapSources } from './swapSources.js'
import { WRAPPED_SOL } from './wrappedSol.js'

const SOL = WRAPPED_SOL.address
const UNIT = 1_000_000n
const KEY = 'SWAP_TEST_KEY'

let chain: LocalSvmChain
let near: SwapServer
let far: SwapServer
let one: string
let two: string

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  one = await chain.createToken({ decimals: 6 })
  two = await chain.createToken({ decimals: 6 })
  near = await startSwapServer(chain, {
    apiKey: 'secret',
    pools: [
      { mints: [SOL, one], reserves: [1_000_000_000_000n, 150_000n * UNIT] },
      { mints: [one, two], reserves: [1_000_000n * UNIT, 1_000_000n * UNIT] },
      { mints: [SOL, two], reserves: [10_000_000_000n, 1_000n * UNIT] },
    ],
  })
  far = await startSwapServer(chain, {
    pools: [{ mints: [SOL, one], reserves: [1_000_000_000_000n, 140_000n * UNIT] }],
  })
})
afterEach(() => {
  near.lie(null)
  far.lie(null)
})
afterAll(async () => {
  await near?.close()
  await far?.close()
  await chain?.close()
})

const sourcesOf = () =>
  new SwapSources({
    sources: resolveSwapSources(
      {
        sources: [
          { name: 'far', url: far.url, timeoutMs: 1000 },
          { name: 'near', url: `${near.url}/`, timeoutMs: 1000, apiKeyVariable: KEY },
        ],
      },
      environmentOf({ [KEY]: 'secret' }),
    ),
    logger: pino({ level: 'silent' }),
  })

const sell = (to = one, from = NATIVE): SwapRequest => ({ kind: 'exact-input', from, to, amount: 1_000_000_000n })
const offersOf = async (request: SwapRequest, limits: Partial<SwapLimits> = {}): Promise<readonly SwapOffer[]> => {
  const [offers] = await sourcesOf().offers([request], { maxHops: 3, ...limits })
  return offers ?? []
}

describe('offers', () => {
  test('come from every source, best first, in the currencies asked for', async () => {
    const [best, other, ...none] = await offersOf(sell())
    expect(none).toEqual([])
    expect(best).toMatchObject({ source: 'near', from: NATIVE, to: one, amountIn: 1_000_000_000n, hops: 1 })
    expect(other?.source).toBe('far')
    expect(best?.amountOut).toBe((150_000n * UNIT * 9970n) / (1000n * 10_000n + 9970n))
    expect(sourcesOf().sources).toEqual(['far', 'near'])
  })

  test('exact output: the cheapest first, and what they take gives what is wanted', async () => {
    const wanted = 150n * UNIT
    const [best, other] = await offersOf({ kind: 'exact-output', from: NATIVE, to: one, amount: wanted })
    expect([best?.source, best?.amountOut]).toEqual(['near', wanted])
    expect((other?.amountIn ?? 0n) > (best?.amountIn ?? 0n)).toBe(true)
    const [back] = await offersOf({ ...sell(), amount: best?.amountIn ?? 0n })
    expect((back?.amountOut ?? 0n) >= wanted).toBe(true)
  })

  test('named sources only (wire.md 1.2 includedSwapSources, excludedSwapSources)', async () => {
    const names = async (limits: Partial<SwapLimits>) => (await offersOf(sell(), limits)).map(({ source }) => source)
    expect(await names({ included: ['far'] })).toEqual(['far'])
    expect(await names({ excluded: ['near'] })).toEqual(['far'])
    expect(await names({ included: ['far'], excluded: ['far'] })).toEqual([])
    expect(await names({ included: [] })).toEqual([])
  })

  test('at most maxHops pools in a row, whatever the source answers (wire.md 1.2 maxRouteLength)', async () => {
    const [long] = await offersOf(sell(two))
    expect(long).toMatchObject({ hops: 2 })
    const [short] = await offersOf(sell(two), { maxHops: 1 })
    expect(short).toMatchObject({ hops: 1 })
    expect((short?.amountOut ?? 0n) < (long?.amountOut ?? 0n)).toBe(true)
    near.lie('long-way')
    expect(await offersOf(sell(two), { maxHops: 2 })).toMatchObject([{ hops: 2 }])
  })

  test('lamports for wrapped lamports are no swap', async () => {
    expect(await offersOf(sell(SOL))).toEqual([])
    expect(await offersOf({ ...sell(), amount: 0n })).toEqual([])
  })
})

describe('a source that does not serve', () => {
  test.each(['fail', 'hang', 'garbage', 'endless', 'other-mint', 'other-amount'] as const)(
    '%s: offers nothing, and the others still do',
    async (lie) => {
      near.lie(lie)
      expect((await offersOf(sell())).map(({ source }) => source)).toEqual(['far'])
    },
  )

  test('a key that is not set is said at the start, without its value', () => {
    const sources = [{ name: 'near', url: near.url, apiKeyVariable: KEY }]
    expect(() => resolveSwapSources({ sources }, environmentOf({}))).toThrow(`environment variable ${KEY}`)
    const twice = [sources[0], sources[0]].flatMap((source) => source ?? [])
    expect(() => resolveSwapSources({ sources: twice }, environmentOf({ [KEY]: 'x' }))).toThrow('twice')
  })
})
