import 'reflect-metadata'
import { CURRENCIES, ServiceError, systemClock } from '@causeway/core'
import { type ChainAdapter, type ChainConfig, PRICES, type PriceSource, type TokenFacts } from '@causeway/core/chain'
import { CheckedPrices, ConfiguredCurrencies } from '@causeway/core/host'
import { CHAINS, type Chain, ChainRegistry, parseUsd } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { container as root } from 'tsyringe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import plugin from './index.js'

const ZERO = `0x${'00'.repeat(20)}`
const USDC = `0x${'c0'.repeat(20)}`
const TIDE = `0x${'7d'.repeat(20)}`

const listed = (symbol: string, address: string, decimals: number) => ({
  address,
  symbol,
  name: symbol,
  decimals,
  groupId: symbol.toLowerCase(),
})

let readToken: (address: string) => Promise<TokenFacts | null>

const chainOf = (id: number, nativeSymbol: string, config: Partial<ChainConfig> = {}): Chain => {
  const adapter: Partial<ChainAdapter> = {
    chainId: id,
    vmType: 'evm',
    native: { address: ZERO, symbol: nativeSymbol, name: nativeSymbol, decimals: 18 },
    normalizeCurrency: (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null),
    readToken: (address) => readToken(address),
  }
  const settings: Partial<ChainConfig> = { id, slug: `chain-${id}`, currencies: [], ...config }
  // CAST: nothing else of a chain is asked for here; adapters are proven in their packages.
  return { config: settings as ChainConfig, adapter: adapter as ChainAdapter }
}

const chains = new ChainRegistry([
  chainOf(1, 'ETH', { currencies: [listed('ETH', ZERO, 18), listed('USDC', USDC, 6)] }),
  chainOf(2, 'GOLD', { currencies: [listed('USDC', USDC, 6), listed('DUST', TIDE, 0)] }),
  chainOf(9, 'HIDDEN', { privateId: '2f6f0c0a-8a3c-4c51-9a52-6f1a3d1b0f11' }),
])

const USUAL: Readonly<Record<string, string>> = {
  [`1:${ZERO}`]: '2000.123456789012345678',
  [`1:${USDC}`]: '1',
  [`1:${TIDE}`]: '0.00000025',
  [`2:${ZERO}`]: '50',
  [`2:${USDC}`]: '0.99',
  [`9:${ZERO}`]: '7',
}
let said: Record<string, string>
let age: number

const source: PriceSource = {
  name: 'test',
  getPrices: async (currencies) =>
    currencies.map(({ chainId, address }) => {
      const text = said[`${chainId}:${address}`]
      return text === undefined ? null : { usd: parseUsd(text) ?? 0n, observedAt: Date.now() - age }
    }),
}

let server: TestServer

beforeAll(async () => {
  const container = root.createChildContainer()
  container.registerInstance(CHAINS, chains)
  container.registerInstance(CURRENCIES, new ConfiguredCurrencies(chains.all()))
  container.registerInstance(PRICES, new CheckedPrices({ sources: [source], clock: systemClock, ttlMs: 0 }))
  server = await startTestServer(plugin.routes?.({ container, options: {} }) ?? [])
})
afterAll(() => server.close())
beforeEach(() => {
  said = { ...USUAL }
  age = 0
  readToken = async () => null
})

const get = async (path: string) => {
  const answer = await fetch(`${server.server.url}${path}`)
  const body = (await answer.json()) as Record<string, unknown>
  return { status: answer.status, cache: answer.headers.get('cache-control'), body }
}
const PLAIN = '/currencies/token/price'
const V2 = '/currencies/token/price/v2'

describe('GET /currencies/token/price (wire.md 4.4)', () => {
  it('is a number, in /v2 a text with every digit; kept 15 seconds; other parameters are ignored (0.1, 0.6)', async () => {
    const query = `?chainId=1&address=${ZERO}&referrer=somebody&x=`
    expect(await get(PLAIN + query)).toEqual({
      status: 200,
      cache: 'public, max-age=15',
      body: { price: 2000.1234567890124 },
    })
    expect(await get(V2 + query)).toEqual({
      status: 200,
      cache: 'public, max-age=15',
      body: { price: '2000.123456789012345678' },
    })
  })

  it('finds native currencies that nobody trades, and addresses in any case', async () => {
    expect((await get(`${PLAIN}?chainId=2&address=${ZERO}`)).body).toEqual({ price: 50 })
    expect((await get(`${V2}?chainId=1&address=${USDC.toUpperCase().replace('0X', '0x')}`)).body).toEqual({
      price: '1.0',
    })
  })

  it('takes a currency nobody listed by what the chain says of it, and never by its name', async () => {
    readToken = async () => ({ symbol: 'USDC', name: 'USD Coin', decimals: 9 })
    expect((await get(`${V2}?chainId=1&address=${TIDE}`)).body).toEqual({ price: '0.00000025' })
    expect((await get(`${PLAIN}?chainId=1&address=${TIDE}`)).body).toEqual({ price: 2.5e-7 })
    expect((await get(`${V2}?chainId=1&address=0x${'ee'.repeat(20)}`)).status).toBe(400)
  })

  it.each([
    ['no chain', `?address=${ZERO}`],
    ['no address', '?chainId=1'],
    ['a chain that is no number', `?chainId=base&address=${ZERO}`],
    ['an unknown chain', `?chainId=77&address=${ZERO}`],
    ['a private chain', `?chainId=9&address=${ZERO}`],
    ['a malformed address', '?chainId=1&address=0x12'],
    ['what is no token', `?chainId=1&address=${TIDE}`],
    ['a listed currency nobody prices', `?chainId=2&address=${TIDE}`],
  ])('%s: 400 {error}, not stored (0.4)', async (_what, query) => {
    for (const path of [PLAIN, V2]) {
      expect(await get(path + query)).toEqual({
        status: 400,
        cache: 'no-store',
        body: { error: expect.any(String), statusCode: 400 },
      })
    }
  })

  it.each(['0', '-1', 'NaN'])('a price of %s is 503 {error} (F79)', async (text) => {
    said[`1:${ZERO}`] = text
    for (const path of [PLAIN, V2]) {
      const { status, body } = await get(`${path}?chainId=1&address=${ZERO}`)
      expect([status, Object.keys(body)]).toEqual([503, ['error', 'statusCode']])
    }
  })

  it('an hour-old price and a node that is away are 503 {error}', async () => {
    readToken = () => Promise.reject(new ServiceError('RPC_HTTP_ERROR', 'A node could not be reached.'))
    expect((await get(`${V2}?chainId=1&address=${TIDE}`)).status).toBe(503)
    age = 3_600_000
    expect((await get(`${V2}?chainId=1&address=${ZERO}`)).status).toBe(503)
  })
})

describe('GET /prices/rates (wire.md 4.10)', () => {
  it('tells native and listed symbols of open chains, the first of each, without those that have no price', async () => {
    expect(await get('/prices/rates?referrer=somebody')).toEqual({
      status: 200,
      cache: 'public, max-age=15',
      body: { ETH: 2000.1234567890124, GOLD: 50, USDC: 1 },
    })
    said[`1:${USDC}`] = '0'
    said[`1:${ZERO}`] = 'NaN'
    expect((await get('/prices/rates')).body).toEqual({ GOLD: 50, USDC: 0.99 })
  })

  it('is 503 {message} when nothing has a price', async () => {
    said = {}
    const { status, body } = await get('/prices/rates')
    expect([status, Object.keys(body)]).toEqual([503, ['message', 'statusCode']])
  })
})
