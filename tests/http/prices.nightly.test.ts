import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'

const KEY = 'price-server-key'
const FEED = 'e1'.repeat(32)

/** Dollars of ETH that each server says; null hangs. */
const says: { coingecko: string | null; pyth: string | null } = { coingecko: '2000', pyth: '2010' }
const asked: string[] = []
const SERVERS = ['coingecko', 'pyth']

const seconds = (): number => Math.floor(Date.now() / 1000)

const coinGeckoAnswer = (usd: string): string =>
  `{"ethereum":{"usd":${usd},"last_updated_at":${seconds()}},"usd-coin":{"usd":1,"last_updated_at":${seconds()}}}`

const pythAnswer = (usd: string): string =>
  JSON.stringify({ parsed: [{ id: FEED, price: { price: usd, conf: '1', expo: 0, publish_time: seconds() } }] })

/** Answers that a hanging server never gives; closed once their client leaves. */
const hanging: ServerResponse[] = []

const answer = (response: ServerResponse, text: string | null): void => {
  if (text === null) hanging.push(response)
  else response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

let priceServer: Server
let world: HttpWorld

beforeAll(async () => {
  priceServer = createServer(({ url = '', headers }, response) => {
    const isPyth = url.startsWith('/v2/updates/price/latest')
    asked.push(`${isPyth ? 'pyth' : 'coingecko'} ${headers['x-cg-demo-api-key'] ?? headers.authorization}`)
    if (isPyth) answer(response, says.pyth === null ? null : pythAnswer(says.pyth))
    else answer(response, says.coingecko === null ? null : coinGeckoAnswer(says.coingecko))
  })
  await new Promise<void>((resolve) => priceServer.listen(0, '127.0.0.1', resolve))
  // CAST: it listens on a TCP port.
  const url = `http://127.0.0.1:${(priceServer.address() as AddressInfo).port}`
  process.env.TEST_PRICE_KEY = KEY
  const common = { url, apiKey: { env: 'TEST_PRICE_KEY' }, keepSeconds: 2, timeoutMs: 2_000 }
  world = await startHttpWorld({
    plugins: () => ({ 'rate-limits': { scale: 1_000 } }),
    prices: {
      coingecko: [{ ...common, ids: { eth: 'ethereum', USDC: 'usd-coin' } }],
      pyth: [{ ...common, feeds: { ETH: `0x${FEED.toUpperCase()}` } }],
      maxAgeSeconds: 10,
      maxDeviationBps: 500,
    },
  })
})
afterAll(async () => {
  await world?.close()
  priceServer?.closeAllConnections()
  priceServer?.close()
  delete process.env.TEST_PRICE_KEY
})
afterEach(() => Object.assign(says, { coingecko: '2000', pyth: '2010' }))

const quote = () => postQuote(world, nativeBody(world, { recipient: freshAddress() }))
const priceNow = async (): Promise<unknown> => {
  const [{ chain }] = world.network.chains
  const path = `/currencies/token/price/v2?chainId=${chain.chainId}&address=0x${'00'.repeat(20)}`
  const { status, body } = await callApi(world.host.url, path, { apiKey: world.host.apiKey })
  return status === 200 ? valueAt(body, 'price') : status
}
const priceToBe = (wanted: unknown) =>
  until(`the price to be ${wanted}`, async () => ((await priceNow()) === wanted ? true : null))

describe('prices from servers', () => {
  it('make quotes, the lower of two; each server has its key, in a header', async () => {
    await priceToBe('2000.0')
    const { status, body } = await quote()
    expect(status).toBe(200)
    expect(Number(valueAt(body, 'details.currencyIn.amountUsd'))).toBe(20)
    expect(new Set(asked)).toEqual(new Set([`coingecko ${KEY}`, `pyth Bearer ${KEY}`]))
    expect((await callApi(world.host.url, '/prices/rates')).body).toMatchObject({ ETH: 2000, USDC: 1 })
  })

  it('are fetched ahead of need: the market moves without a quote', async () => {
    Object.assign(says, { coingecko: '2100', pyth: '2110' })
    const askedOf = (server: string) => asked.filter((item) => item.startsWith(server)).length
    const before = SERVERS.map(askedOf)
    // The third is sent when the second was answered, which was asked after the market moved.
    await until('three requests to each server', async () =>
      SERVERS.every((server, at) => askedOf(server) >= (before[at] ?? 0) + 3) ? true : null,
    )
    expect(await priceNow()).toBe('2100.0')
  })

  it('of one server that hangs are not waited for', async () => {
    await priceToBe('2000.0')
    says.coingecko = null
    await until('the server to hang', async () => hanging.at(-1))
    await until('a price while one request hangs', async () => {
      const request = hanging.findLast(({ closed }) => !closed)
      expect(await priceNow()).toMatch(/^20[01]0\.0$/)
      return request?.closed === false ? true : null
    })
    expect((await quote()).status).toBe(200)
  })
})
