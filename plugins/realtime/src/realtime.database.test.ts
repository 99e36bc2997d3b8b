import { encodeCursor, OUTBOX_START, toBytea } from '@causeway/core/plugin'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  connectClient,
  createRequests,
  startSocketHost,
  TestClient,
  type TestRequests,
  type TestSocketHost,
} from './realtime.test.support.js'

const EVENT = 'request.status.updated'

let requests: TestRequests
let host: TestSocketHost
const clients: TestClient[] = []

beforeAll(async () => {
  requests = await createRequests()
  host = await startSocketHost(requests, { socketsPerAddress: 1_000 })
  host.auth.give('key-a', 'id-a')
  host.auth.give('key-b', 'id-b')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.terminate()
})
afterAll(async () => {
  await host?.stop()
  await requests?.database.drop()
})

const connect = async (path = '', headers?: Readonly<Record<string, string>>, to = host): Promise<TestClient> => {
  const client = await connectClient(`${to.url}${path}`, headers)
  clients.push(client)
  return client
}

describe('the protocol (wire.md 5.1)', () => {
  it.each(['/', '/ws', '/ws/'])('%s: says ready, answers the subscription, tells events as text', async (path) => {
    const id = await requests.insert()
    const client = await connect(path)
    expect(client.messages).toEqual([{ type: 'connection', status: 'ready', data: { id: expect.any(String) } }])
    expect(await client.subscribe({ id })).toEqual({ event: EVENT, filters: { id }, cursor: expect.any(String) })
    const before = Date.now()
    await requests.move(id, 'pending')
    await client.until('the event', () => client.events.length === 1)
    const published = client.events[0]?.publishedAt ?? 0
    expect(published).toBeGreaterThanOrEqual(before - 1)
    expect(published).toBeLessThanOrEqual(Date.now() + 1)
    expect(client.events[0]).toEqual({
      event: EVENT,
      timestamp: Date.UTC(2026, 10, 21),
      data: {
        status: 'pending',
        inTxHashes: [],
        txHashes: [],
        updatedAt: Date.UTC(2026, 10, 21),
        originChainId: 1,
        destinationChainId: 2,
        depositAddress: null,
        requestId: id,
        referrer: null,
        details: null,
        failReason: 'N/A',
        refundFailReason: 'N/A',
      },
      publishedAt: published,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cursor: expect.any(String),
    })
  })

  it('takes a subscription sent at once, without waiting for ready, and an id in upper case', async () => {
    const id = await requests.insert()
    const client = new TestClient(host.url)
    clients.push(client)
    client.socket.once('open', () =>
      client.send({ type: 'subscribe', event: EVENT, filters: { id: `0x${id.slice(2).toUpperCase()}` } }),
    )
    await client.until('the answer', () => client.messages.some(({ type }) => type === 'subscribe'))
    await requests.move(id, 'pending')
    await client.until('the event', () => client.statuses.length === 1)
  })

  it('tells nothing more after unsubscribe, of one request or of all', async () => {
    const [first, second, third] = [await requests.insert(), await requests.insert(), await requests.insert()]
    const client = await connect()
    for (const id of [first, second]) await client.subscribe({ id })
    const unsubscribed = () => client.messages.filter(({ type }) => type === 'unsubscribe')
    client.send({ type: 'unsubscribe', event: EVENT, filters: { id: first } })
    await client.until('the answer', () => unsubscribed().length === 1)
    expect(unsubscribed()).toEqual([{ type: 'unsubscribe', status: 'success', data: { event: EVENT } }])
    await requests.move(first, 'pending')
    await requests.move(second, 'pending')
    await client.until('the other', () => client.events.length > 0)
    client.send({ type: 'unsubscribe', event: EVENT })
    await client.until('the answer', () => unsubscribed().length === 2)
    await client.subscribe({ id: third })
    await requests.move(second, 'submitted')
    await requests.move(third, 'pending')
    await client.until('the third', () => client.events.length > 1)
    expect(client.events.map(({ data }) => data.requestId)).toEqual([second, third])
  })

  it('tells the present status right after the answer, unless it is waiting (wire.md H.4)', async () => {
    const [fresh, paid, back] = [await requests.insert(), await requests.insert(), await requests.insert()]
    for (const status of ['pending', 'submitted'] as const) await requests.move(paid, status)
    for (const status of ['pending', 'waiting'] as const) await requests.move(back, status)
    // Once one client has heard it all, it is the past for the next.
    const earlier = await connect()
    for (const id of [paid, back]) await earlier.subscribe({ id }, encodeCursor(OUTBOX_START))
    await earlier.until('all', () => earlier.events.length === 4)
    const client = await connect()
    for (const id of [fresh, back, paid]) await client.subscribe({ id })
    await requests.move(fresh, 'pending')
    await client.until('both', () => client.events.length === 2)
    expect(client.events.map(({ data }) => [data.requestId, data.status])).toEqual([
      [paid, 'submitted'],
      [fresh, 'pending'],
    ])
    const last = client.messages.findLastIndex(({ type }) => type === 'subscribe')
    expect(client.messages[last + 1]).toMatchObject({ data: { requestId: paid } })
  })

  it('tells the present status also when the events of the request were dropped after their time (F133)', async () => {
    const [paid, fresh] = [await requests.insert(), await requests.insert()]
    for (const status of ['pending', 'submitted'] as const) await requests.move(paid, status)
    await requests.database.pool.query('delete from request_events where request_id = $1', [toBytea(paid)])
    // What comes after it settles the place of the one that has no event any more.
    await requests.move(fresh, 'pending')
    const client = await connect()
    await client.subscribe({ id: fresh })
    await client.until('the feed', () => client.events.length === 1)
    await client.subscribe({ id: paid })
    await client.until('the present status', () => client.events.length === 2)
    expect(client.events[1]?.data).toMatchObject({ requestId: paid, status: 'submitted' })
  })

  it('tells of a regenerated quote under the id that owns the fill, and nothing of the quote-time one: live, later or by cursor (wire.md 5.2)', async () => {
    host.auth.give('key-deposit', 'id-deposit')
    const [quoted, owner] = [await requests.insert('id-deposit'), await requests.insert('id-deposit')]
    await requests.database.pool.query('update requests set superseded_by = $2 where id = $1', [
      Buffer.from(quoted.slice(2), 'hex'),
      Buffer.from(owner.slice(2), 'hex'),
    ])
    const live = await connect('/?apiKey=key-deposit')
    await live.subscribe()
    await live.subscribe({ id: quoted })
    for (const id of [quoted, owner]) await requests.move(id, 'pending')
    await live.until('the event', () => live.events.length > 0)
    const later = await connect()
    await later.subscribe({ id: quoted })
    await later.subscribe({ id: owner })
    // Another host, which has none of it in memory.
    const other = await startSocketHost(requests)
    other.auth.give('key-deposit', 'id-deposit')
    const back = await connect('/?apiKey=key-deposit', undefined, other)
    await back.subscribe({ id: quoted }, encodeCursor(OUTBOX_START))
    await back.subscribe({}, encodeCursor(OUTBOX_START))
    await requests.move(quoted, 'submitted')
    await requests.move(owner, 'submitted')
    for (const client of [live, later, back]) {
      await client.until('both', () => client.events.length === 2)
      expect(client.events.map(({ data }) => [data.requestId, data.status])).toEqual([
        [owner, 'pending'],
        [owner, 'submitted'],
      ])
    }
    await other.stop()
  })

  it('tells `waiting` when a request returns to it (wire.md K.2 rules 6 and 7)', async () => {
    const id = await requests.insert()
    const client = await connect()
    await client.subscribe({ id })
    for (const status of ['pending', 'waiting', 'pending'] as const) await requests.move(id, status)
    await client.until('the third', () => client.events.length === 3)
    expect(client.statuses).toEqual(['pending', 'waiting', 'pending'])
  })

  it('accepts an id nobody knows yet: the quote may still be paid', async () => {
    const client = await connect()
    expect(await client.subscribe({ id: `0x${'fe'.repeat(32)}` })).toBeDefined()
  })
})

describe('whose events (wire.md H.4, 5.3)', () => {
  it('the stream of a key has the requests of that key only; the referrer is for any key of its integrator (wire.md H.1)', async () => {
    const [own, other, nobodys] = [
      await requests.insert('id-a'),
      await requests.insert('id-b'),
      await requests.insert(null),
    ]
    const owner = await connect('/?apiKey=key-a')
    const byHeader = await connect('/ws', { 'x-api-key': 'key-b' })
    host.auth.give('key-of-another', 'id-c', 'another')
    const [stranger, another] = [await connect(), await connect('/?apiKey=key-of-another')]
    await owner.subscribe()
    await byHeader.subscribe({})
    for (const client of [stranger, another]) for (const id of [own, other]) await client.subscribe({ id })
    await owner.subscribe({ id: other })
    for (const id of [own, other, nobodys]) await requests.move(id, 'pending')
    await owner.until('both', () => owner.events.length === 2)
    await stranger.until('both', () => stranger.events.length === 2)
    await byHeader.until('one', () => byHeader.events.length === 1)
    const told = (client: TestClient) => client.events.map(({ data }) => [data.requestId, data.referrer])
    expect(told(owner)).toEqual([
      [own, 'shop'],
      [other, 'shop'],
    ])
    expect(told(byHeader)).toEqual([[other, 'shop']])
    await another.until('both', () => another.events.length === 2)
    for (const client of [stranger, another]) {
      expect(told(client)).toEqual([
        [own, null],
        [other, null],
      ])
    }
  })

  it('an event of the stream and of an id is told once', async () => {
    const own = await requests.insert('id-a')
    const client = await connect('/?apiKey=key-a')
    await client.subscribe()
    await client.subscribe({ id: own })
    for (const status of ['pending', 'submitted', 'success'] as const) await requests.move(own, status)
    await client.until('the last', () => client.statuses.includes('success'))
    expect(client.statuses).toEqual(['pending', 'submitted', 'success'])
  })

  it('a key that is not valid is closed with 4401 at once', async () => {
    for (const path of ['/?apiKey=nonsense', '/?apiKey=', '/ws?a=b&apiKey=key-c']) {
      const client = new TestClient(`${host.url}${path}`)
      expect(await client.closed).toMatchObject({ code: 4401 })
      expect(client.messages).toEqual([])
    }
  })

  it('sockets of a key that is revoked are closed with 4401, others stay (wire.md H.1)', async () => {
    host.auth.give('key-d', 'id-d')
    const [revoked, also, kept] = [
      await connect('/?apiKey=key-d'),
      await connect('/?apiKey=key-d'),
      await connect('/?apiKey=key-a'),
    ]
    host.auth.keys.delete('key-d')
    await host.server.checkKeys()
    expect([(await revoked.closed).code, (await also.closed).code]).toEqual([4401, 4401])
    expect(await kept.subscribe()).toBeDefined()
  })
})

describe('continuing by cursor', () => {
  it('tells what was missed in order, and then what comes', async () => {
    const id = await requests.insert('id-a')
    const first = await connect()
    await first.subscribe({ id })
    await requests.move(id, 'pending')
    await first.until('the event', () => first.events.length === 1)
    first.socket.terminate()
    for (const status of ['submitted', 'pending'] as const) await requests.move(id, status)
    const cursor = first.events[0]?.cursor
    const [byId, byKey] = [await connect(), await connect('/?apiKey=key-a')]
    await byId.subscribe({ id }, cursor)
    await byKey.subscribe(undefined, cursor)
    await requests.move(id, 'submitted')
    for (const client of [byId, byKey]) {
      await client.until('all', () => client.events.length === 3)
      expect(client.statuses).toEqual(['submitted', 'pending', 'submitted'])
    }
  })

  it('the answer to a subscription has a cursor, for a client that heard nothing since', async () => {
    const id = await requests.insert()
    const first = await connect()
    const { cursor } = await first.subscribe({ id })
    first.socket.terminate()
    await requests.move(id, 'pending')
    const second = await connect()
    await second.subscribe({ id }, cursor)
    await second.until('the event', () => second.events.length === 1)
    expect(second.events[0]?.data.status).toBe('pending')
  })

  it('reads a long absence from the database, page after page', async () => {
    const id = await requests.insert('id-long')
    host.auth.give('key-long', 'id-long')
    const { cursor } = await (await connect('/?apiKey=key-long')).subscribe()
    // Another host, whose memory does not reach back.
    const other = await startSocketHost(requests)
    other.auth.give('key-long', 'id-long')
    await requests.move(
      id,
      Array.from({ length: 450 }, (_, at) => (at % 2 === 0 ? 'pending' : 'waiting')),
    )
    const client = await connect('/?apiKey=key-long', undefined, other)
    await client.subscribe(undefined, cursor)
    await client.until('all of them', () => client.events.length === 450)
    await requests.move(id, 'pending')
    await client.until('the next', () => client.events.length === 451)
    expect(client.statuses).toEqual(
      Array.from({ length: 451 }, (_, at): string => (at % 2 === 0 ? 'pending' : 'waiting')),
    )
    await other.stop()
  })

  it('a word that is no cursor is a bad message; a cursor of another database is told to be unknown', async () => {
    const [id, kept] = [await requests.insert(), await requests.insert()]
    const client = await connect()
    await client.subscribe({ id: kept })
    for (const cursor of ['x', 7, '_'.repeat(22), Buffer.alloc(16, 0x3f).toString('base64url')]) {
      const before = client.messages.length
      client.send({ type: 'subscribe', event: EVENT, filters: { id }, cursor })
      await client.until('the refusal', () => client.messages.length > before)
      expect(client.messages.at(-1)).toMatchObject({
        type: 'error',
        data: { message: expect.stringMatching(/cursor/) },
      })
      await client.subscribe({ id })
    }
  })

  it('a cursor of another database ends a socket without another subscription, so that its client asks instead (wire.md A.8)', async () => {
    const client = await connect()
    const cursor = Buffer.alloc(16, 0x3f).toString('base64url')
    client.send({ type: 'subscribe', event: EVENT, filters: { id: await requests.insert() }, cursor })
    expect((await client.closed).code).toBe(1008)
    expect(client.messages.at(-1)).toMatchObject({ type: 'error' })
  })

  it('goes on at a host that heard of nothing since the answer to the subscription, or since it began to listen', async () => {
    const other = await startSocketHost(requests, { socketsPerAddress: 1_000 })
    const [quiet, busy] = [await requests.insert(), await requests.insert()]
    const idle = await connect('', undefined, other)
    await idle.subscribe({ id: quiet })
    // Transactions of others that tell nobody anything.
    for (let at = 0; at < 5; at += 1) await requests.insert()
    const first = await connect()
    const { cursor } = await first.subscribe({ id: busy })
    const second = await connect('', undefined, other)
    await second.subscribe({ id: busy }, cursor)
    await requests.move(busy, 'pending')
    await second.until('the event', () => second.events.length === 1)
    await other.stop()
  })
})
