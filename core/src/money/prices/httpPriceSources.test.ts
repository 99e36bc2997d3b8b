import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Currency } from '../currency/currency.js'
import { parseUsd } from '../usdMath.js'
import { CheckedPrices } from './checkedPrices.js'
import { CoinGeckoPriceSource } from './coinGeckoPriceSource.js'
import { HTTP_FAULTS, type PriceServer, sendJson, startPriceServer } from './priceServer.test.support.js'
import type { PriceSource } from './priceSource.js'
import { PythPriceSource } from './pythPriceSource.js'

const TOKEN = `0x${'Ab'.repeat(20)}`
const FEEDS = { eth: `0x${'E1'.repeat(32)}`, usdc: 'c5'.repeat(32) }
const SECRET = 'very-secret-key'
const SECONDS = 1_800_000_000
const clock = { now: () => SECONDS * 1000 }
/** For servers that fail; the others may take what time a busy machine needs. */
const SOON = 300
const paceOf = (timeoutMs: number) => ({ keepMs: 30_000, retryMs: 0, timeoutMs })

const currency = (symbol: string, address = '0x00', chainId = 1): Currency => ({
  chainId,
  address,
  symbol,
  name: symbol,
  decimals: 18,
  vmType: 'evm',
  groupId: symbol.toLowerCase(),
  metadata: { logoURI: '', verified: true, isNative: address === '0x00' },
})
const eth = currency('ETH')
const usdc = currency('USDC', '0xc0')
const token = currency('TIDE', TOKEN.toLowerCase())
const refused = { code: 'PRICE_FETCH_FAILED', retryable: true }
const isListed = ({ address }: Currency): boolean => address === '0x00' || address === '0xc0'

let server: PriceServer
let other: PriceServer
beforeEach(async () => {
  server = await startPriceServer()
  other = await startPriceServer()
})
afterEach(() => Promise.all([server.close(), other.close()]))

const coinGecko = (url = server.url, timeoutMs = 30_000): PriceSource =>
  new CoinGeckoPriceSource({
    name: 'coingecko',
    url,
    headers: { 'x-cg-demo-api-key': SECRET },
    ids: { eth: 'ethereum', USDC: 'usd-coin' },
    platforms: { '1': 'ethereum', '10': 'optimistic-ethereum' },
    contractsPerRequest: 2,
    isListed,
    pace: paceOf(timeoutMs),
  })
const pyth = (url = server.url, timeoutMs = 30_000): PriceSource =>
  new PythPriceSource({ name: 'pyth', url, feeds: FEEDS, maxConfidenceBps: 200, isListed, pace: paceOf(timeoutMs) })

const checked = (...sources: PriceSource[]) => new CheckedPrices({ sources, clock })
const coin = (usd: string, seconds = SECONDS) => `{"usd":${usd},"last_updated_at":${seconds}}`
const sayEth = (usd: string, seconds?: number, at = server) => {
  at.answer = (response) => sendJson(response, `{"ethereum":${coin(usd, seconds)}}`)
}
const feed = (id: string, price: object = {}) => ({
  id: id.toLowerCase().replace('0x', ''),
  price: { price: '200050000000', conf: '100000000', expo: -8, publish_time: SECONDS, ...price },
})
const sayFeeds = (...feeds: object[]) => {
  server.answer = (response) => sendJson(response, { binary: { data: ['00'] }, parsed: feeds })
}

describe('CoinGecko', () => {
  it('asks once for all coins and once for each platform, with the key in a header', async () => {
    server.answer = (response, { pathname }) =>
      sendJson(
        response,
        pathname === '/base/simple/price'
          ? `{"ethereum":${coin('2000.123456789012345678')},"usd-coin":${coin('1e0')}}`
          : `{"${TOKEN.toUpperCase().replace('0X', '0x')}":${coin('2.5e-7')}}`,
      )
    const answers = await coinGecko().getPrices([eth, usdc, token, eth, currency('ETH', '0xdead')])
    const observedAt = SECONDS * 1000
    expect(answers).toEqual([
      { usd: parseUsd('2000.123456789012345678'), observedAt },
      { usd: parseUsd('1'), observedAt },
      { usd: parseUsd('0.00000025'), observedAt },
      { usd: parseUsd('2000.123456789012345678'), observedAt },
      // Named like a listed currency, but none: found by its contract or not at all.
      null,
    ])
    expect(
      server.requests.map(({ url }) => `${url.pathname} ${[...url.searchParams.values()].join(' ')}`).sort(),
    ).toEqual([
      '/base/simple/price ethereum,usd-coin usd true full',
      `/base/simple/token_price/ethereum ${TOKEN.toLowerCase()},0xdead usd true full`,
    ])
    expect(server.requests.every(({ headers }) => headers['x-cg-demo-api-key'] === SECRET)).toBe(true)
  })

  it('loses no price of others when a platform fails', async () => {
    server.answer = (response, { pathname }) =>
      pathname.includes('token_price')
        ? sendJson(response, '{}', 500)
        : sendJson(response, `{"ethereum":${coin('2000')}}`)
    expect(await coinGecko().getPrices([eth, token])).toMatchObject([{ usd: parseUsd('2000') }, 'unavailable'])
  })

  it.each([
    ['zero', '0'],
    ['negative', '-1'],
    ['tiny beyond what can be exact', '1e-18'],
    ['absurdly large', '1e30'],
    ['too long', '9'.repeat(100)],
    ['NaN', '"NaN"'],
    ['an object', '{"usd":1}'],
    ['true', 'true'],
    ['null', 'null'],
  ])('refuses a price that is %s (F79)', async (_what, usd) => {
    sayEth(usd)
    await expect(checked(coinGecko()).get([eth])).rejects.toMatchObject(refused)
  })

  it('refuses a price without an age, an hour old or an hour ahead (F79)', async () => {
    server.answer = (response) => sendJson(response, '{"ethereum":{"usd":2000}}')
    await expect(checked(coinGecko()).get([eth])).rejects.toMatchObject(refused)
    for (const seconds of [SECONDS - 3600, SECONDS + 3600, -1, 0]) {
      sayEth('2000', seconds)
      await expect(checked(coinGecko()).get([eth])).rejects.toMatchObject(refused)
    }
  })

  it('tells a configured coin that is missing from a contract nobody knows', async () => {
    const prices = checked(coinGecko())
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
    await expect(prices.get([token])).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
    await expect(prices.get([currency('GOLD', '0x0123', 5)])).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
  })
})

describe('Pyth', () => {
  it('reads price and exponent of every feed in one request', async () => {
    sayFeeds(feed(FEEDS.usdc, { price: '99995', expo: -5, conf: '10' }), feed(FEEDS.eth))
    const prices = await pyth().getPrices([eth, usdc, token])
    expect(prices).toMatchObject([{ usd: parseUsd('2000.5') }, { usd: parseUsd('0.99995') }, null])
    expect(server.requests.map(({ url }) => url.searchParams.getAll('ids[]'))).toEqual([
      [FEEDS.eth, FEEDS.usdc].map((id) => id.toLowerCase().replace('0x', '')),
    ])
  })

  it.each([
    ['an interval wider than 2 % of it', { conf: '4001000001' }],
    ['no interval', { conf: undefined }],
    ['zero', { price: '0', conf: '0' }],
    ['negative', { price: '-200050000000' }],
    ['a fraction', { price: '2000.5', expo: 0 }],
    ['an exponent of its own', { price: '2e3', expo: 0 }],
    ['no exponent', { expo: undefined }],
    ['an absurd exponent', { expo: 4000 }],
    ['an exponent that is a text', { expo: '; drop' }],
    ['no time', { publish_time: null }],
    ['an hour of age', { publish_time: SECONDS - 3600 }],
  ])('refuses a price with %s (F79)', async (_what, change) => {
    sayFeeds(feed(FEEDS.eth, change))
    await expect(checked(pyth()).get([eth])).rejects.toMatchObject(refused)
  })

  it('takes no feed for another', async () => {
    sayFeeds(feed(FEEDS.usdc, { price: '1', expo: 0, conf: '0' }))
    await expect(checked(pyth()).get([eth])).rejects.toMatchObject(refused)
  })
})

describe.each([
  ['CoinGecko', coinGecko],
  ['Pyth', pyth],
])('a server of %s that fails (F79)', (_name, makeSource) => {
  it.each(Object.entries(HTTP_FAULTS))('%s: refused, said without address and key', async (_what, fault) => {
    server.answer = fault
    const said: string[] = []
    const onSourceError = (source: string, error: unknown) => {
      const { message, stack } = Object(error)
      said.push(`${source} ${message} ${stack} ${JSON.stringify(error)} ${String(Object(error).cause)}`)
    }
    const prices = new CheckedPrices({ sources: [makeSource(server.url, SOON)], clock, onSourceError })
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
    expect(said.length).toBe(1)
    expect(said.join()).not.toMatch(new RegExp(`${SECRET}|${new URL(server.url).host}`))
    expect(server.requests.some(({ url }) => url.pathname === '/elsewhere')).toBe(false)
  })
})

describe('two servers (F79)', () => {
  it('30 % apart are refused; nearer ones give the lower price', async () => {
    sayEth('2000')
    sayEth('2600', SECONDS, other)
    await expect(checked(coinGecko(), coinGecko(other.url)).get([eth])).rejects.toMatchObject(refused)
    sayEth('2599.9', SECONDS, other)
    const [price] = await checked(coinGecko(), coinGecko(other.url)).get([eth])
    expect(price?.usd).toBe(parseUsd('2000'))
  })

  it.each(Object.entries(HTTP_FAULTS))(
    'F131: one that %s leaves the price to one source: refused, unless one is said to be enough',
    async (_what, fault) => {
      sayEth('2000')
      other.answer = fault
      const sources = [coinGecko(), coinGecko(other.url, SOON)]
      await expect(checked(...sources).get([eth])).rejects.toMatchObject(refused)
      const one = new CheckedPrices({ sources, clock, minimumSources: 1 })
      await expect(one.get([eth])).resolves.toMatchObject([{ usd: parseUsd('2000') }])
    },
  )
})
