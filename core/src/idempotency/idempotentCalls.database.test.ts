import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { type ErrorCode, errorCatalog } from '../errors/errorCatalog.js'
import { ServiceError } from '../errors/serviceError.js'
import { type Caller, type IntegratorAuth, invalidApiKey } from '../http/access/integratorAuth.js'
import { HttpError, tooManyRequests } from '../http/httpError.js'
import { reply } from '../http/reply.js'
import { defineRoute, type Route, type RouteInput } from '../http/route.js'
import { startTestServer, type TestServer } from '../http/testServer.js'
import { type RawAnswer, sendRaw } from '../testing/sendRaw.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { removeExpiredCalls, SqlIdempotentCalls } from './idempotentCallsSql.js'

const DAY_MS = 24 * 60 * 60 * 1000
const callers: Readonly<Record<string, Caller>> = {
  one: { kind: 'integrator', integratorId: 'i', apiKeyId: 'one', keyName: null, elevated: false },
  two: { kind: 'integrator', integratorId: 'i', apiKeyId: 'two', keyName: null, elevated: false },
  shop: { kind: 'integrator', integratorId: 'i', apiKeyId: 'one', keyName: null, elevated: false, proxied: true },
}
const auth: IntegratorAuth = {
  authenticate: async (key) => {
    if (key === undefined) return { kind: 'anonymous' }
    const caller = callers[key]
    if (caller === undefined) throw invalidApiKey()
    return caller
  },
}

/** What the handler does next, by the `how` of the body. */
let handlers: Record<string, (input: Pick<RouteInput, 'body' | 'ctx'>) => Promise<object> | object> = {}
let runs = 0
let offsetMs = 0

const Body = Type.Object({ how: Type.String({ default: 'plain' }), n: Type.Optional(Type.Number()) })
const route = (path: string, more: Partial<Route> = {}): Route =>
  defineRoute({
    method: 'POST',
    path,
    summary: 'Changes something',
    bucket: 'other',
    auth: 'optional',
    changes: true,
    errors: 'quote',
    body: Body,
    responses: {},
    ...more,
    handler: ({ body, ctx }) => {
      runs += 1
      // CAST: the schema.
      const { how } = body as { readonly how: string }
      return (
        handlers[how]?.({ body, ctx }) ?? reply({ run: runs }, { status: 201, headers: { 'x-made': String(runs) } })
      )
    },
  })

let database: TestDatabase
const hosts: TestServer[] = []

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await database.pool.query('create table effects (n integer)')
  const idempotentCalls = new SqlIdempotentCalls({ pool: database.pool, clock: { now: () => Date.now() + offsetMs } })
  const routes = [
    route('/make'),
    route('/other'),
    route('/secret', { secretAnswer: true }),
    route('/read', { changes: false }),
    route('/told', { errors: 'plain' }),
  ]
  for (let host = 0; host < 2; host += 1) {
    hosts.push(
      await startTestServer(routes, {
        checkResponses: false,
        auth,
        idempotentCalls,
        limits: { requestMilliseconds: 2_000 },
        trustedProxies: ['127.0.0.0/8'],
      }),
    )
  }
})
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()))
  await database?.drop()
})
beforeEach(async () => {
  handlers = {}
  runs = 0
  offsetMs = 0
  await database.pool.query('truncate idempotent_calls, effects')
})

interface Sent {
  readonly key?: string
  readonly body?: unknown
  readonly path?: string
  readonly host?: number
  readonly headers?: Record<string, string>
}

const post = ({ key, body = {}, path = '/make', host = 0, headers = {} }: Sent): Promise<RawAnswer> =>
  sendRaw(`${hosts[host]?.server.url}${path}`, {
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    body: JSON.stringify(body),
  })

const told = ({ status, text, headers }: RawAnswer) => [
  status,
  JSON.parse(text),
  headers['idempotency-replayed'] ?? null,
]
const kept = async () => (await database.pool.query('select status, answer from idempotent_calls')).rows

/** A handler that waits until it is let go. */
const gate = () => {
  let open = (): void => {}
  let entered = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const wait = async () => {
    entered()
    await opened
  }
  return { open: () => open(), inside, wait }
}

describe('Idempotency-Key (faults.md F94)', () => {
  it('a repeat with the same body gets the first answer, its status and headers, and says so', async () => {
    const first = await post({ key: 'a' })
    const again = await post({ key: 'a' })
    expect([told(first), told(again)]).toEqual([
      [201, { run: 1 }, null],
      [201, { run: 1 }, 'true'],
    ])
    expect([again.headers['x-made'], again.headers['cache-control']]).toEqual(['1', 'no-store'])
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(again.headers['access-control-expose-headers']).toContain('Idempotency-Replayed')
    expect(runs).toBe(1)
  })

  it('the order of names and blanks in the body do not make another body', async () => {
    await post({ key: 'a', body: { how: 'plain', n: 1 } })
    expect(told(await post({ key: 'a', body: { n: 1, how: 'plain' } }))).toEqual([201, { run: 1 }, 'true'])
  })

  it('another body with the same key is 422 {message}', async () => {
    await post({ key: 'a' })
    const answer = await post({ key: 'a', body: { n: 2 } })
    expect(told(answer)).toEqual([
      422,
      { message: 'This Idempotency-Key was used for another call', statusCode: 422 },
      null,
    ])
    expect(runs).toBe(1)
  })

  it('while the first runs a repeat is 409 {message} with Retry-After, on another host too: one effect', async () => {
    const { open, inside, wait } = gate()
    handlers.slow = async () => {
      await wait()
      return { done: true }
    }
    const first = post({ key: 'a', body: { how: 'slow' } })
    await inside
    for (const host of [0, 1]) {
      const repeat = await post({ key: 'a', body: { how: 'slow' }, host })
      expect([repeat.status, Object.keys(JSON.parse(repeat.text)), repeat.headers['retry-after']]).toEqual([
        409,
        ['message', 'statusCode'],
        '1',
      ])
    }
    expect((await post({ key: 'a', body: { n: 1 }, host: 1 })).status).toBe(422)
    open()
    expect(told(await first)).toEqual([200, { done: true }, null])
    expect(told(await post({ key: 'a', body: { how: 'slow' }, host: 1 }))).toEqual([200, { done: true }, 'true'])
    expect(runs).toBe(1)
  })

  it('what ran past its time limit, or whose client left, is kept for the repeat', async () => {
    const { open, inside, wait } = gate()
    handlers.slow = async () => {
      await wait()
      return { done: true }
    }
    const late = post({ key: 'a', body: { how: 'slow' } })
    await inside
    expect((await late).status).toBe(503)
    open()
    await expect
      .poll(async () => told(await post({ key: 'a', body: { how: 'slow' } })))
      .toEqual([200, { done: true }, 'true'])
  })

  it('a refusal by the handler is kept; a 5xx, a 429 and a code to try again free the key, for another body too', async () => {
    handlers.refuse = () => {
      throw new HttpError(404, `not there ${runs}`)
    }
    handlers.crash = () => {
      throw new TypeError('broken')
    }
    handlers.limit = () => {
      throw tooManyRequests(1)
    }
    handlers.restrict = () => {
      throw new ServiceError('ROUTE_TEMPORARILY_RESTRICTED', 'Not now')
    }
    const refused = { message: 'not there 1', errorCode: 'INVALID_REQUEST', statusCode: 404 }
    expect(told(await post({ key: 'r', body: { how: 'refuse' } }))).toEqual([404, refused, null])
    expect(told(await post({ key: 'r', body: { how: 'refuse' } }))).toEqual([404, refused, 'true'])
    for (const [how, status] of [
      ['crash', 500],
      ['limit', 429],
      ['restrict', 400],
    ] as const) {
      expect((await post({ key: how, body: { how } })).status).toBe(status)
      expect((await post({ key: how, body: { how } })).status).toBe(status)
      expect((await post({ key: how, body: {} })).status).toBe(201)
    }
  })

  it.each([
    ['/make', 'the quote family'],
    ['/told', 'a family that shows no codes'],
  ])('every code is kept or not by what the catalogue says of it: %s, %s (F94)', async (path) => {
    for (const [code, { passing }] of Object.entries(errorCatalog)) {
      handlers.refuse = () => {
        // CAST: the names of the catalogue.
        throw new ServiceError(code as ErrorCode, 'Not now')
      }
      const call = { key: code, path, body: { how: 'refuse' } }
      await post(call)
      handlers.refuse = () => ({ fine: true })
      const { status, headers } = await post(call)
      const replay = passing ? undefined : 'true'
      expect([code, status < 400, headers['idempotency-replayed']]).toEqual([code, passing, replay])
    }
  })

  it('a refusal before the handler takes no key', async () => {
    expect((await post({ key: 'a', body: { n: 'x' } })).status).toBe(400)
    expect((await post({ key: 'a', headers: { 'x-api-key': 'unknown' } })).status).toBe(401)
    expect(await kept()).toEqual([])
    expect((await post({ key: 'a' })).status).toBe(201)
  })

  it('a key is 1 to 255 visible ASCII characters, given once', async () => {
    for (const key of ['', 'two words', 'é', 'x'.repeat(256)]) {
      const answer = await post({ key })
      expect([answer.status, JSON.parse(answer.text).errorCode]).toEqual([400, 'INVALID_REQUEST'])
    }
    const twice = new Headers({ 'content-type': 'application/json', 'idempotency-key': 'a' })
    twice.append('idempotency-key', 'a')
    const answer = await fetch(`${hosts[0]?.server.url}/make`, { method: 'POST', headers: twice, body: '{}' })
    expect(answer.status).toBe(400)
    expect((await post({ key: 'x'.repeat(255) })).status).toBe(201)
    expect(runs).toBe(1)
  })

  it('counts nothing where nothing is changed, and costs nothing without the header', async () => {
    expect(told(await post({ path: '/read', key: 'two words' }))).toEqual([201, { run: 1 }, null])
    expect(told(await post({ path: '/read', key: 'a' }))).toEqual([201, { run: 2 }, null])
    await post({})
    expect(await kept()).toEqual([])
  })

  it('keys, operations and addresses have their own; one with a key of a browser origin has its address', async () => {
    const callsOf: readonly Sent[] = [
      {},
      { path: '/other' },
      { headers: { 'x-forwarded-for': '10.0.0.1' } },
      { headers: { 'x-forwarded-for': '10.0.0.2' } },
      { headers: { 'x-api-key': 'one' } },
      { headers: { 'x-api-key': 'two' } },
      { headers: { 'x-api-key': 'shop', 'x-forwarded-for': '10.0.0.1' } },
      { headers: { 'x-api-key': 'shop', 'x-forwarded-for': '10.0.0.2' } },
      { headers: { cookie: 'session=1' } },
    ]
    for (const [at, call] of callsOf.entries()) {
      expect(told(await post({ ...call, key: 'a' }))).toEqual([201, { run: at + 1 }, null])
    }
    const moved = { 'x-api-key': 'one', 'x-forwarded-for': '10.0.0.9' }
    expect(told(await post({ key: 'a', headers: moved }))).toEqual([201, { run: 5 }, 'true'])
  })

  it('after 24 hours the key is new, and the old answer is removed', async () => {
    await post({ key: 'a' })
    offsetMs = DAY_MS - 60_000
    expect(told(await post({ key: 'a' }))).toEqual([201, { run: 1 }, 'true'])
    offsetMs = DAY_MS + 1_000
    expect(told(await post({ key: 'a', body: { n: 2 } }))).toEqual([201, { run: 2 }, null])
    await removeExpiredCalls(database.pool, Date.now() + offsetMs)
    expect(await kept()).toHaveLength(1)
    await database.pool.query(`update idempotent_calls set running_until = now() - interval '1 second'`)
    await removeExpiredCalls(database.pool, Date.now() + 2 * DAY_MS + 2_000)
    expect(await kept()).toEqual([])
  })

  it('an answer that is too long or secret is not kept: the repeat is refused, and nothing is done twice', async () => {
    handlers.long = () => ({ text: 'x'.repeat(300_000) })
    handlers.cookie = () => reply({}, { headers: { 'Set-Cookie': 'session=1' } })
    handlers.tied = async ({ ctx }) => {
      const tie = ctx.effect?.statement({ secret: true })
      if (tie !== undefined) await database.pool.query(tie.text, [...tie.values])
      return { secret: true }
    }
    for (const call of [
      { body: { how: 'long' } },
      { body: { how: 'cookie' } },
      { path: '/secret' },
      { path: '/secret', body: { how: 'tied' } },
    ]) {
      const key = JSON.stringify(call)
      expect((await post({ key, ...call })).status).toBeLessThan(300)
      const repeat = await post({ key, ...call })
      expect([repeat.status, repeat.headers['retry-after']]).toEqual([409, undefined])
    }
    expect(runs).toBe(4)
    expect((await kept()).map(({ answer }) => answer)).toEqual([null, null, null, null])
  })

  it('an effect tied to the call happens once, however late the first run ends', async () => {
    const { open, inside, wait } = gate()
    let first = true
    handlers.tied = async ({ ctx }) => {
      const mine = runs
      if (first) {
        first = false
        await wait()
      }
      const answer = { by: mine }
      await withTransaction(database.pool, async (client) => {
        await client.query('insert into effects values ($1)', [mine])
        const tie = ctx.effect?.statement(answer)
        if (tie !== undefined) await client.query(tie.text, [...tie.values])
      })
      return answer
    }
    const slow = post({ key: 'a', body: { how: 'tied' } })
    await inside
    // As after a crash: the lease of the first run is over.
    await database.pool.query(`update idempotent_calls set running_until = now() - interval '1 second'`)
    expect((await post({ key: 'a', body: { n: 1 } })).status).toBe(422)
    expect(told(await post({ key: 'a', body: { how: 'tied' }, host: 1 }))).toEqual([200, { by: 2 }, null])
    open()
    expect((await slow).status).toBe(409)
    expect(told(await post({ key: 'a', body: { how: 'tied' } }))).toEqual([200, { by: 2 }, 'true'])
    expect((await database.pool.query('select n from effects')).rows).toEqual([{ n: 2 }])
  })

  it('any interleaving of calls over two hosts does each thing once and tells all the same (property)', async () => {
    handlers.race = async ({ ctx, body }) => {
      const mine = runs
      // CAST: the schema.
      const { n = 0 } = body as { readonly n?: number }
      const answer = { mine, n }
      await withTransaction(database.pool, async (client) => {
        await client.query('insert into effects values ($1)', [n])
        const tie = ctx.effect?.statement(answer)
        if (tie !== undefined) await client.query(tie.text, [...tie.values])
      })
      if (n === 3) throw new TypeError('broken after the effect')
      return answer
    }
    const call = fc.record({ key: fc.constantFrom('a', 'b'), n: fc.constantFrom(1, 2, 3), host: fc.constantFrom(0, 1) })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(call, { minLength: 1, maxLength: 5 }), { maxLength: 4 }), async (rounds) => {
        await database.pool.query('truncate idempotent_calls, effects')
        const done = new Map<string, string>()
        for (const round of rounds) {
          const answers = await Promise.all(
            round.map(async ({ key, n, host }) => ({
              key,
              answer: await post({ key, body: { how: 'race', n }, host }),
            })),
          )
          for (const { key, answer } of answers) {
            expect([200, 409, 422, 500]).toContain(answer.status)
            if (answer.status !== 200) continue
            expect(done.get(key) ?? answer.text).toBe(answer.text)
            done.set(key, answer.text)
          }
        }
        const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from effects')
        expect(rows[0]?.count).toBe(new Set(rounds.flat().map(({ key }) => key)).size)
      }),
      { numRuns: 25 },
    )
  })
})
