import type { Hex } from '@causeway/core'
import { moveClock } from '@causeway/core/host'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, textAt, valueAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, nativeBody, postQuote, rowCounts, startHttpWorld } from './httpWorld.js'

/** From this instant every `POST /quote/v2` needs a key (wire.md H.7). */
const KEY_REQUIRED_FROM = Date.parse('2026-10-02T00:00:00.000Z')
const UNKNOWN_KEY = `cct_test_${'A'.repeat(43)}`
const UNKNOWN_REQUEST: Hex = `0x${'11'.repeat(32)}`
const QUOTE_PATHS = ['/quote', '/quote/v2', '/price'] as const

let world: HttpWorld

beforeAll(async () => {
  world = await startHttpWorld()
  expect((await postQuote(world, nativeBody(world))).status).toBe(200)
})
afterAll(() => world?.close())

const outcome = ({ status, body }: ApiAnswer): string => {
  const code = valueAt(body, 'errorCode')
  return code === undefined ? String(status) : `${status} ${String(code)}`
}

/** Puts the service's time this far from ours and waits until the host follows. */
const setClock = async (now: number): Promise<void> => {
  await moveClock(world.database.pool, now - Date.now())
  const expected = now < KEY_REQUIRED_FROM ? 200 : 401
  await until('the host to take over the time', async () => {
    const { status } = await postQuote(world, nativeBody(world), '/quote/v2')
    return status === expected ? true : null
  })
}

describe('a referrer needs a valid key (wire.md 1.1 1; wire.md K.1 7; faults.md F85)', () => {
  it.each(QUOTE_PATHS)('%s: 401 UNAUTHORIZED_QUOTE without one, and nothing is written', async (path) => {
    const before = await rowCounts(world)
    for (const key of [undefined, UNKNOWN_KEY, 'x', ' ']) {
      const answer = await postQuote(world, nativeBody(world, { referrer: 'shop' }), path, key)
      expect(outcome(answer)).toBe('401 UNAUTHORIZED_QUOTE')
      expect(Object.keys(Object(answer.body)).sort()).toEqual(['errorCode', 'message'])
      expect(leakIn(world, answer.text)).toBeNull()
    }
    expect(await rowCounts(world)).toEqual(before)
  })

  it.each(QUOTE_PATHS)('%s: quoted with one', async (path) => {
    const body = nativeBody(world, { referrer: 'shop' })
    expect(outcome(await postQuote(world, body, path, world.host.apiKey))).toBe('200')
  })

  it('the key comes before the schema, the chains and the amount (K.1 1)', async () => {
    const faulty = nativeBody(world, { referrer: 'shop', user: 5, amount: 'x', originChainId: 1, slippageTolerance: 1 })
    expect(outcome(await postQuote(world, faulty))).toBe('401 UNAUTHORIZED_QUOTE')
  })

  it('a referrer of another type needs a key as well, and JSON comes before both', async () => {
    expect(outcome(await postQuote(world, nativeBody(world, { referrer: 5 })))).toBe('401 UNAUTHORIZED_QUOTE')
    expect(outcome(await postQuote(world, '{"referrer":"shop",'))).toBe('400 INVALID_REQUEST')
  })

  it('an empty referrer is refused without asking for a key (K.1 7)', async () => {
    for (const path of ['/quote', '/price']) {
      expect(outcome(await postQuote(world, nativeBody(world, { referrer: '' }), path))).toMatch(/^400/)
    }
  })

  it('the referrer is kept with the quote, the key is not', async () => {
    const body = nativeBody(world, { referrer: 'shop-7', apiKey: world.host.apiKey })
    const { body: answer } = await postQuote(world, body, '/quote', world.host.apiKey)
    const id = Buffer.from(textAt(answer, 'requestId').slice(2), 'hex')
    const { rows } = await world.database.pool.query<{ referrer: string; text: string; owned: boolean }>(
      'select referrer, quotes::text as text, integrator_id is not null as owned from quotes where id = $1',
      [id],
    )
    expect(rows[0]).toMatchObject({ referrer: 'shop-7', owned: true })
    expect(rows[0]?.text).not.toContain(world.host.apiKey)
  })
})

describe('an invalid key is refused even where none is needed (wire.md H.1)', () => {
  it.each([UNKNOWN_KEY, 'x', 'short-key', 'k'.repeat(129), 'key with spaces in it', "' or 1=1 --'"])(
    '%s',
    async (apiKey) => {
      for (const path of ['/quote', '/price']) {
        const answer = await postQuote(world, nativeBody(world), path, apiKey)
        expect(outcome(answer)).toBe('401 UNAUTHORIZED')
        expect(leakIn(world, answer.text)).toBeNull()
        expect(answer.text).not.toContain(apiKey)
      }
      expect(outcome(await postQuote(world, nativeBody(world), '/quote/v2', apiKey))).toBe('401 UNAUTHORIZED_QUOTE')
    },
  )

  it('the other operations answer 401 {message}', async () => {
    const { url } = world.host
    const answers = [
      ...(await Promise.all(
        [
          '/chains',
          `/intents/status?requestId=${UNKNOWN_REQUEST}`,
          `/intents/status/v3?requestId=${UNKNOWN_REQUEST}`,
        ].map((path) => callApi(url, path, { apiKey: UNKNOWN_KEY })),
      )),
      ...(await Promise.all(
        ['/currencies/v1', '/currencies/v2', '/transactions/index', '/transactions/single'].map((path) =>
          callApi(url, path, { body: {}, apiKey: UNKNOWN_KEY }),
        ),
      )),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(Object.keys(Object(body))).toEqual(['message'])
    }
  })

  it('health looks at no key', async () => {
    expect((await callApi(world.host.url, '/lives', { apiKey: UNKNOWN_KEY })).status).toBe(200)
  })
})

describe('POST /quote/v2 needs a key from 2026-10-02 on (wire.md H.7)', () => {
  afterEach(() => moveClock(world.database.pool, 0))

  it('the day after: 401 UNAUTHORIZED_QUOTE without one, quoted with one; /quote and /price stay open', async () => {
    await setClock(KEY_REQUIRED_FROM + 86_400_000)
    const body = nativeBody(world)
    expect(outcome(await postQuote(world, body, '/quote/v2'))).toBe('401 UNAUTHORIZED_QUOTE')
    expect(outcome(await postQuote(world, body, '/quote/v2', world.host.apiKey))).toBe('200')
    expect(outcome(await postQuote(world, body, '/quote'))).toBe('200')
    expect(outcome(await postQuote(world, body, '/price'))).toBe('200')
  })

  it('the day before: quoted without one, and a referrer or a bad key is refused all the same', async () => {
    await setClock(KEY_REQUIRED_FROM - 86_400_000)
    const body = nativeBody(world)
    expect(outcome(await postQuote(world, body, '/quote/v2'))).toBe('200')
    expect(outcome(await postQuote(world, { ...body, referrer: 'shop' }, '/quote/v2'))).toBe('401 UNAUTHORIZED_QUOTE')
    expect(outcome(await postQuote(world, body, '/quote/v2', UNKNOWN_KEY))).toBe('401 UNAUTHORIZED')
    expect(outcome(await postQuote(world, body, '/quote/v2', world.host.apiKey))).toBe('200')
  })
})

describe('GET /integrators/quote-data (wire.md 1.10, H.3)', () => {
  const dataOf = (requestId: string, apiKey?: string) =>
    callApi(world.host.url, `/integrators/quote-data?requestId=${requestId}`, apiKey === undefined ? {} : { apiKey })
  const quoteId = async (more: object, apiKey?: string) =>
    textAt((await postQuote(world, nativeBody(world, { ...more }), '/quote', apiKey)).body, 'requestId')

  it('shows the quote as it was asked for and given, without the key', async () => {
    const { apiKey } = world.host
    const sent = nativeBody(world, { referrer: 'shop-8', slippageTolerance: '77' })
    const given = await postQuote(world, { ...sent, apiKey }, '/quote', apiKey)
    const id = textAt(given.body, 'requestId')
    const answer = await dataOf(id, apiKey)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.body).toEqual({
      requestId: id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      request: sent,
      feeSponsorship: null,
      fees: valueAt(given.body, 'fees'),
      details: valueAt(given.body, 'details'),
    })
    // Other tests of this file move the deployment's clock, so the time is held against what was stored.
    const { rows } = await world.database.pool.query<{ created_at: Date }>(
      'select created_at from quotes where id = $1',
      [Buffer.from(textAt(given.body, 'requestId').slice(2), 'hex')],
    )
    expect(textAt(answer.body, 'createdAt')).toBe(rows[0]?.created_at.toISOString())
    expect(answer.text).not.toContain(apiKey)
    expect((await dataOf(`0x${id.slice(2).toUpperCase()}`, apiKey)).status).toBe(200)
  })

  it('needs a key: 401; of another integrator or of nobody 403; unknown 404; malformed 400', async () => {
    const { apiKey } = world.host
    const other = await world.host.createApiKey('another integrator')
    const [own, nobodys] = [await quoteId({}, apiKey), await quoteId({})]
    const answers = [
      [await dataOf(own), 401],
      [await dataOf(own, UNKNOWN_KEY), 401],
      [await dataOf(own, other.apiKey), 403],
      [await dataOf(nobodys, apiKey), 403],
      [await dataOf(UNKNOWN_REQUEST, apiKey), 404],
      [await dataOf('0x12', apiKey), 400],
      [await dataOf('', apiKey), 400],
    ] as const
    for (const [answer, status] of answers) {
      expect([answer.status, Object.keys(Object(answer.body))]).toEqual([status, ['message']])
      expect(leakIn(world, answer.text)).toBeNull()
    }
  })
})
