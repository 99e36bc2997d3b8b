import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, textAt, valueAt } from '../harness/apiCall.js'
import { newApiKey, startTestHost, type TestHost } from '../harness/host/host.js'
import { until } from '../harness/until.js'
import { type HttpWorld, nativeBody, startHttpWorld } from './httpWorld.js'

const SHOP = 'https://shop.example'
const OTHER_SHOP = 'http://localhost:5173'

let world: HttpWorld
/** A second host on the same database that adds keys for two origins. */
let proxying: TestHost
let shopKey: { readonly id: string; readonly apiKey: string }
let otherKey: { readonly id: string; readonly apiKey: string }

beforeAll(async () => {
  world = await startHttpWorld()
  const { network, database } = world
  shopKey = await newApiKey(database.pool, 'shop')
  otherKey = await newApiKey(database.pool, 'other shop')
  const origins = [
    { origin: SHOP, key: shopKey.id },
    { origin: OTHER_SHOP, key: otherKey.id },
  ]
  proxying = await startTestHost({ network, database, plugins: { 'api-keys': { proxy: { origins } } } })
})
afterAll(async () => {
  await proxying?.stop()
  await world?.close()
})

const outcome = ({ status, body }: ApiAnswer): string => {
  const code = valueAt(body, 'errorCode')
  return code === undefined ? String(status) : `${status} ${String(code)}`
}

/** Whose key a quote was made with, and its referrer. */
const quoteOf = async (answer: ApiAnswer) => {
  expect(outcome(answer)).toBe('200')
  const id = Buffer.from(textAt(answer.body, 'requestId').slice(2), 'hex')
  const { rows } = await world.database.pool.query<{ api_key_id: string | null; referrer: string | null }>(
    'select api_key_id, referrer from quotes where id = $1',
    [id],
  )
  return rows[0]
}

/** As the client library of a page does it: `referrer` set, no key. */
const quoteFrom = (origin: string | undefined, more: object = {}, path = '/quote/v2', apiKey?: string) =>
  callApi(proxying.url, path, {
    body: nativeBody(world, { referrer: 'shop.example', ...more }),
    headers: origin === undefined ? {} : { origin, 'relay-sdk-version': '7.0.3' },
    ...(apiKey === undefined ? {} : { apiKey }),
  })

describe('Authentication 1: the credential is an API key sent in the request header x-api-key, optional on most operations', () => {
  it.each(['/chains', `/intents/status/v3?requestId=0x${'11'.repeat(32)}`, '/config/v2?originChainId=1'])(
    '%s takes a call without one as with one, and no invalid one',
    async (path) => {
      const [without, withKey, invalid] = await Promise.all([
        callApi(world.host.url, path),
        callApi(world.host.url, path, { apiKey: world.host.apiKey }),
        callApi(world.host.url, path, { apiKey: `cct_test_${'A'.repeat(43)}` }),
      ])
      expect(without.status).toBe(withKey.status)
      expect([401, 404]).toContain(invalid.status)
    },
  )

  it('a quote is attributed to the key in the header, in any case of its name, and to nothing else', async () => {
    const { apiKey, id } = await newApiKey(world.database.pool, 'header')
    const withHeader = (headers: Readonly<Record<string, string>>) =>
      callApi(world.host.url, '/quote', { body: nativeBody(world), headers })
    expect(await quoteOf(await withHeader({ 'X-API-Key': apiKey }))).toMatchObject({ api_key_id: id })
    expect(await quoteOf(await withHeader({ authorization: `Bearer ${apiKey}` }))).toMatchObject({ api_key_id: null })
  })
})

describe('Authentication 6: browser clients call through a proxy that adds the key; the key is not in client code', () => {
  it.each(['/quote', '/quote/v2', '/price'])('%s with a referrer is quoted from a listed origin', async (path) => {
    expect(outcome(await quoteFrom(SHOP, {}, path))).toBe('200')
  })

  it('the quote belongs to the key of that origin', async () => {
    expect(await quoteOf(await quoteFrom(SHOP))).toEqual({ api_key_id: shopKey.id, referrer: 'shop.example' })
    expect(await quoteOf(await quoteFrom(OTHER_SHOP))).toMatchObject({ api_key_id: otherKey.id })
  })

  it.each([
    undefined,
    'https://other.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.evil.example',
    'https://SHOP.example',
    'null',
  ])('from %s it is 401 as ever', async (origin) => {
    expect(outcome(await quoteFrom(origin))).toBe('401 UNAUTHORIZED_QUOTE')
    expect(outcome(await quoteFrom(origin, { referrer: '' }, '/quote'))).toBe('400 INVALID_REQUEST')
  })

  it('a key in the header comes before the one of the origin, also an invalid one', async () => {
    const answer = await quoteFrom(SHOP, {}, '/quote', proxying.apiKey)
    const { api_key_id } = (await quoteOf(answer)) ?? {}
    expect(api_key_id).not.toBe(shopKey.id)
    expect(outcome(await quoteFrom(SHOP, {}, '/quote', 'no such key, and spaces'))).toBe('401 UNAUTHORIZED_QUOTE')
  })

  it('a host that lists no origin adds no key', async () => {
    const body = nativeBody(world, { referrer: 'shop.example' })
    const answer = await callApi(world.host.url, '/quote', { body, headers: { origin: SHOP } })
    expect(outcome(answer)).toBe('401 UNAUTHORIZED_QUOTE')
  })

  it('the page may read the answer, and its preflight allows what the client library sends', async () => {
    const { headers } = await quoteFrom(SHOP)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const asked = {
      origin: SHOP,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,relay-sdk-version',
    }
    const preflight = await callApi(proxying.url, '/quote/v2', { method: 'OPTIONS', headers: asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('relay-sdk-version')
  })

  it('a revoked key behind an origin is 401, and the other origin still works', async () => {
    expect(outcome(await quoteFrom(OTHER_SHOP))).toBe('200')
    await proxying.revokeApiKey(otherKey.id)
    const refused = async () => (outcome(await quoteFrom(OTHER_SHOP)) === '401 UNAUTHORIZED_QUOTE' ? true : null)
    await until('the origin to be refused', refused)
    expect(outcome(await quoteFrom(OTHER_SHOP, { referrer: '' }, '/quote'))).toBe('401 UNAUTHORIZED')
    expect(outcome(await quoteFrom(SHOP))).toBe('200')
  })

  it('an origin that no browser sends keeps the host from starting', async () => {
    const { network, database } = world
    const origins = [{ origin: `${SHOP}/`, key: shopKey.id }]
    const start = startTestHost({ network, database, plugins: { 'api-keys': { proxy: { origins } } } })
    await expect(start).rejects.toThrow(`Write "${SHOP}"`)
  })
})
