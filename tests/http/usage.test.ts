import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, valueAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ usage: { flushSeconds: 1 } }) })
})
afterAll(() => world?.close())

const usage = (apiKey: string | undefined, query = '') =>
  callApi(world.host.url, `/metrics/usage${query}`, apiKey === undefined ? {} : { apiKey })

/** Outcomes shown of an operation, as `status errorCode count`. */
const outcomes = (body: unknown, path: string): readonly string[] =>
  listAt(body, 'metrics')
    .filter((row) => valueAt(row, 'endpoint') === path)
    .map((row) => [valueAt(row, 'statusCode'), valueAt(row, 'errorCode') ?? '-', valueAt(row, 'count')].join(' '))

describe('GET /metrics/usage on a whole host (wire.md 4.13)', () => {
  it('shows what a key was used for, by the key or its id, to its integrator alone', async () => {
    const mine = await world.host.createApiKey('mine')
    const other = await world.host.createApiKey('other')
    const bad = nativeBody(world, { amount: '0' })
    for (const body of [nativeBody(world), bad, bad]) await postQuote(world, body, '/quote/v2', mine.apiKey)
    await postQuote(world, nativeBody(world), '/quote/v2', other.apiKey)
    const expected = ['200 - 1', '400 AMOUNT_TOO_LOW 2']
    // By the day, so that a minute that ends meanwhile parts nothing.
    const query = '?granularity=daily'
    // Counts are written now and then: calls made together may be parted.
    const shown = await until(`the counts ${expected.join(', ')}`, async () => {
      const answer = await usage(mine.apiKey, query)
      return outcomes(answer.body, '/quote/v2').join() === expected.join() ? answer : null
    })
    expect(listAt(shown.body, 'metrics').every((row) => valueAt(row, 'apiKey') === mine.id)).toBe(true)
    expect(shown.text).not.toContain(mine.apiKey)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    for (const named of [mine.id, mine.apiKey]) {
      expect(outcomes((await usage(mine.apiKey, `${query}&apiKey=${named}`)).body, '/quote/v2')).toEqual(expected)
    }
    for (const foreign of [other.id, other.apiKey, 'no-such-key-anywhere']) {
      expect((await usage(mine.apiKey, `?apiKey=${foreign}`)).status).toBe(403)
    }
  })

  it('needs a key: 401 without and with one that is not valid', async () => {
    expect((await usage(undefined)).status).toBe(401)
    expect((await usage('cct_test_unknown-key-of-nobody')).status).toBe(401)
  })

  it('leaves /metrics to Prometheus', async () => {
    const { status, headers, text } = await callApi(world.host.url, '/metrics')
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/plain'])
    expect(text).toContain('causeway_http_request_seconds_bucket')
  })
})
