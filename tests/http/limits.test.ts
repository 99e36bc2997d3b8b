import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'

/**
 * The rows of the limits of wire.md H.1, but for those tested elsewhere: `subsidizationBps` (INVALID_SUBSIDIZATION) and the
 * Solana deposit transaction (SOLANA_TX_TOO_LARGE) in quoteErrors.test.ts; the default `limit` of currencies in
 * plugins/currencies; `/authorize`, `/requests/v3`, the bucket of `/requests` and `/requests/v2` and the cut of the latter in
 * plugins/rate-limits (callCounts.test.ts, rateLimits.test.ts).
 */

let world: HttpWorld

beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ 'rate-limits': { storeTimeoutMs: 10_000 } }) })
})

afterAll(() => world.close())

/** Asks one after the other; the statuses. */
const statuses = async (times: number, ask: () => Promise<{ readonly status: number }>): Promise<number[]> => {
  const found: number[] = []
  for (let call = 0; call < times; call += 1) found.push((await ask()).status)
  return found
}

const admitted = (found: readonly number[]): number => found.filter((status) => status !== 429).length

describe('Rate limits: per API key', () => {
  it('each key has 50 quotes a minute, whatever the others do, and 10 without a key', async () => {
    const [one, two] = [await world.host.createApiKey('one'), await world.host.createApiKey('two')]
    const quote = (apiKey?: string) => () => postQuote(world, nativeBody(world), '/quote', apiKey)
    expect(admitted(await statuses(55, quote(one.apiKey)))).toBe(50)
    expect(await statuses(1, quote(two.apiKey))).toEqual([200])
    expect(admitted(await statuses(12, quote()))).toBe(10)
    const refused = await quote(one.apiKey)()
    expect(refused.body).toEqual({ message: expect.stringMatching(/^Too many requests; try again in \d+ seconds?$/) })
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'))
  })

  it('a key it never gave out counts against the address, and the limit answers before the key does', async () => {
    const ask = () => callApi(world.host.url, '/transactions/status', { apiKey: `cct_test_${'B'.repeat(43)}` })
    const found = await statuses(62, ask)
    expect([...new Set(found.slice(0, 60))]).toEqual([401])
    expect(found.slice(60)).toEqual([429, 429])
    expect((await callApi(world.host.url, '/lives')).status).toBe(200)
  })

  it('every limited answer says how much is left, and browsers may read it', async () => {
    const { headers } = await callApi(world.host.url, '/chains', { apiKey: world.host.apiKey })
    expect(headers.get('ratelimit-limit')).toBe('200')
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(200)
    expect(headers.get('access-control-expose-headers')).toMatch(
      /RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After/,
    )
  })

  it('refusals are counted by bucket and tier', async () => {
    const { text } = await callApi(world.host.url, '/metrics')
    expect(text).toMatch(/^causeway_rate_limited_total\{bucket="quote",tier="key"\} [1-9]/m)
    expect(text).toMatch(/^causeway_rate_limited_total\{bucket="quote",tier="anonymous"\} 2$/m)
    expect(text).toMatch(/^causeway_rate_limit_store_failures_total 0$/m)
  })
})

describe('/currencies/v2 limit: maximum 100', () => {
  it('gives what fits, and refuses more than 100', async () => {
    const ask = (body: object) => callApi(world.host.url, '/currencies/v2', { body, apiKey: world.host.apiKey })
    expect((await ask({ limit: 100 })).status).toBe(200)
    expect((await ask({ limit: 1 })).body).toHaveLength(1)
    for (const limit of [0, 101]) expect((await ask({ limit })).status).toBe(400)
  })
})

describe('Slippage tolerances: integer 0 to 10000 basis points', () => {
  it('takes both ends as text and nothing beyond', async () => {
    const { apiKey } = await world.host.createApiKey('slippage')
    const ask = (slippageTolerance: unknown) =>
      postQuote(world, nativeBody(world, { slippageTolerance }), '/price', apiKey)
    for (const bps of ['0', '10000']) expect((await ask(bps)).status, bps).toBe(200)
    for (const bps of ['10001', '-1', '0.5', '', 50]) {
      const { status, body } = await ask(bps)
      expect([status, body], String(bps)).toMatchObject([400, { errorCode: 'INVALID_SLIPPAGE_TOLERANCE' }])
    }
  })
})
