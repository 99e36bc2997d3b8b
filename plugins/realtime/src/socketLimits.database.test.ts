import { connect as connectTcp } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RealtimeOptions } from './options.js'
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
const hosts: TestSocketHost[] = []
const clients: TestClient[] = []

beforeAll(async () => {
  requests = await createRequests()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate()
  for (const host of hosts.splice(0)) await host.stop()
})
afterAll(() => requests?.database.drop())

const start = async (options: Partial<RealtimeOptions> = {}): Promise<TestSocketHost> => {
  const host = await startSocketHost(requests, options)
  hosts.push(host)
  return host
}
const connect = async (url: string): Promise<TestClient> => {
  const client = await connectClient(url)
  clients.push(client)
  return client
}
const refusalOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const { socket } = new TestClient(url)
    socket.on('unexpected-response', (_, answer) => {
      resolve(answer.statusCode ?? 0)
      answer.destroy()
    })
  })

describe('bad messages (wire.md H.4)', () => {
  const BAD = [
    '',
    'null',
    '[]',
    '{',
    '{"type":"subscribe"}',
    '{"type":"other","event":"request.status.updated"}',
    '{"type":"subscribe","event":"other","filters":{"id":"0x00"}}',
    '{"type":"subscribe","event":"request.status.updated"}',
    '{"type":"subscribe","event":"request.status.updated","filters":[]}',
    '{"type":"subscribe","event":"request.status.updated","filters":{"id":"0x00"}}',
    '{"type":"subscribe","event":"request.status.updated","filters":{"id":null}}',
    `{"type":"subscribe","event":"request.status.updated","filters":{"id":"0x${'0'.repeat(64)}","status":"x"}}`,
    '{"__proto__":{"type":"subscribe"},"constructor":1}',
    '['.repeat(8_000),
  ]

  it('each is answered with an error, and a good one in between keeps the socket', async () => {
    const host = await start()
    const client = await connect(host.url)
    const id = await requests.insert()
    for (const text of BAD) {
      const before = client.messages.length
      client.send(text)
      await client.until('the answer', () => client.messages.length > before)
      expect(client.messages.at(-1)).toEqual({
        type: 'error',
        status: 'error',
        data: { message: expect.any(String) },
      })
      await client.subscribe({ id })
    }
  })

  it.each(BAD.filter((text) => text.startsWith('{"type":"subscribe"')))(
    '%s: a socket without another subscription is ended after the error, so that its client asks instead (wire.md A.8)',
    async (text) => {
      const host = await start()
      const client = await connect(host.url)
      client.send(text)
      expect(await client.closed).toEqual({ code: 1008, reason: 'the subscription was refused' })
      expect(client.messages.at(-1)).toMatchObject({ type: 'error', status: 'error' })
    },
  )

  it('three in a row end the socket with 1008, binary ones too', async () => {
    const host = await start()
    const client = await connect(host.url)
    for (let sent = 0; sent < 3; sent += 1) client.socket.send(Buffer.from([1, 2, 3]))
    expect(await client.closed).toMatchObject({ code: 1008 })
    expect(client.messages.filter(({ type }) => type === 'error')).toHaveLength(3)
  })

  it('F105: a frame over 16 KiB is closed with 1009, text that is no UTF-8 with 1007, a broken frame with 1002', async () => {
    const host = await start()
    const tooLong = await connect(host.url)
    tooLong.send('x'.repeat(16 * 1024 + 1))
    expect((await tooLong.closed).code).toBe(1009)
    for (const [frame, code] of [
      // Masked text frames by hand: the byte 0xff is no UTF-8; the reserved bits must be zero.
      [Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
      [Buffer.from([0xf1, 0x81, 0, 0, 0, 0, 0x61]), 1002],
    ] as const) {
      const client = await connect(host.url)
      Reflect.get(client.socket, '_socket').write(frame)
      expect((await client.closed).code).toBe(code)
    }
  })
})

describe('limits (wire.md H.4)', () => {
  it('F105: of 10,000 subscriptions a socket gets 100; the others are refused and it is sent away', async () => {
    const host = await start()
    const client = await connect(host.url)
    const answered = () => client.messages.filter(({ type }) => type === 'subscribe').length
    for (let at = 0; at < 10_000; at += 1) {
      client.send({ type: 'subscribe', event: EVENT, filters: { id: `0x${at.toString(16).padStart(64, '0')}` } })
      if (at === 99) await client.until('as many as it gets', () => answered() === 100)
    }
    expect((await client.closed).code).toBe(1008)
    expect(answered()).toBe(100)
    expect(await connect(host.url)).toBeDefined()
  })

  it('one hundred subscriptions may come at once', async () => {
    const host = await start()
    const client = await connect(host.url)
    for (let at = 0; at < 100; at += 1) {
      client.send({ type: 'subscribe', event: EVENT, filters: { id: `0x${at.toString(16).padStart(64, '0')}` } })
    }
    await client.until('all', () => client.messages.filter(({ type }) => type === 'subscribe').length === 100)
  })

  it('more than 20 messages a second end the socket with 1008', async () => {
    const host = await start({ subscriptionsPerSocket: 1 })
    const client = await connect(host.url)
    for (let at = 0; at < 400; at += 1) client.send({ type: 'unsubscribe', event: EVENT })
    expect((await client.closed).code).toBe(1008)
  })

  it('pings are answered, and count as messages: a flood of them ends the socket with 1008, and gets no more answers than it may ask', async () => {
    const host = await start()
    const client = await connect(host.url)
    const answers: string[] = []
    client.socket.on('pong', (data) => answers.push(data.toString()))
    client.socket.ping('are you there')
    await expect.poll(() => answers).toEqual(['are you there'])
    for (let sent = 0; sent < 10_000; sent += 1) client.socket.ping('x'.repeat(100))
    expect((await client.closed).code).toBe(1008)
    // The first burst, and what a few seconds of a busy machine earn.
    expect(answers.length).toBeLessThan(400)
  })

  it('an address without a key has 10 sockets, the next is 429; one that closes makes room', async () => {
    const host = await start()
    const open = await Promise.all(Array.from({ length: 10 }, () => connect(host.url)))
    expect(await refusalOf(host.url)).toBe(429)
    open[0]?.socket.close()
    await open[0]?.closed
    await vi.waitFor(() => connect(host.url), { timeout: 60_000 })
  })

  it('a key has 100 sockets, which are not those of its address', async () => {
    const host = await start({ socketsPerKey: 12 })
    host.auth.give('key', 'id')
    await Promise.all(Array.from({ length: 12 }, () => connect(`${host.url}/?apiKey=key`)))
    expect(await refusalOf(`${host.url}/?apiKey=key`)).toBe(429)
    expect(await connect(host.url)).toBeDefined()
  })

  it('an address with many keys has as many sockets as it may with keys, which are not those without', async () => {
    const host = await start({ socketsPerKey: 5, keyedSocketsPerAddress: 12 })
    for (let at = 0; at < 13; at += 1) host.auth.give(`key-${at}`, `id-${at}`)
    const open = await Promise.all(Array.from({ length: 12 }, (_, at) => connect(`${host.url}/?apiKey=key-${at}`)))
    expect(await refusalOf(`${host.url}/?apiKey=key-12`)).toBe(429)
    expect(await connect(host.url)).toBeDefined()
    open[0]?.socket.close()
    await open[0]?.closed
    await vi.waitFor(() => connect(`${host.url}/?apiKey=key-12`), { timeout: 60_000 })
  })

  it('a storm of keys is looked up three at a time, also when sockets are checked, which is no use of their keys', async () => {
    const host = await start()
    for (let at = 0; at < 20; at += 1) host.auth.give(`key-${at}`, `id-${at}`)
    let open: () => void = () => undefined
    host.auth.gate = new Promise((resolve) => {
      open = resolve
    })
    const arrivals = Array.from({ length: 40 }, (_, at) => new TestClient(`${host.url}/?apiKey=key-${at}`))
    clients.push(...arrivals)
    // A later one without a key is in: all have arrived.
    await connect(host.url)
    open()
    await Promise.all(arrivals.map((client, at) => (at < 20 ? client.ready() : client.closed)))
    expect(host.auth.asked).toMatchObject({ most: 3, calls: 40 })
    host.auth.asked.most = 0
    await Promise.all(Array.from({ length: 10 }, () => host.server.checkKeys()))
    expect(host.auth.asked).toMatchObject({ most: 1, calls: 40 })
  })

  it('a full host answers 503', async () => {
    const host = await start({ maxSockets: 2 })
    await Promise.all([connect(host.url), connect(host.url)])
    expect(await refusalOf(host.url)).toBe(503)
  })

  it('F105: a reconnect storm is served and leaves nothing behind', async () => {
    const host = await start({ socketsPerAddress: 1_000 })
    const id = await requests.insert()
    await requests.move(id, 'pending')
    const storm = Array.from({ length: 300 }, async () => {
      const client = await connectClient(host.url)
      await client.subscribe({ id })
      await client.until('the status', () => client.events.length === 1)
      client.socket.terminate()
    })
    await Promise.all(storm)
    const last = await connect(host.url)
    await last.subscribe({ id })
    await requests.move(id, 'submitted')
    await last.until('both', () => last.events.length === 2)
  })
})

describe('clients that are slow or gone (faults.md F105)', () => {
  it('one that reads nothing is dropped, what waits for it stays bounded, and others are told all the while', async () => {
    const host = await start({ bufferKiB: 64 })
    const id = await requests.insert()
    const [slow, quick] = [await connect(host.url), await connect(host.url)]
    await quick.subscribe({ id })
    const begun = await slow.subscribe({ id })
    slow.socket.pause()
    let moved = 0
    // More than the buffers of the system hold too.
    while (moved < 150 && host.server.connections > 1) {
      await requests.move(id, moved % 2 === 0 ? 'pending' : 'waiting', 'x'.repeat(200_000))
      moved += 1
    }
    await expect.poll(() => host.server.connections).toBe(1)
    await quick.until('all', () => quick.events.length === moved)
    slow.socket.resume()
    expect([4408, 1006]).toContain((await slow.closed).code)
    // What it missed is there for the cursor of the last event it heard.
    const again = await connect(host.url)
    await again.subscribe({ id }, slow.events.at(-1)?.cursor ?? begun.cursor)
    await again.until('the rest', () => again.events.length + slow.events.length === moved)
  })

  it('one that answers no ping is cut off', async () => {
    const host = await start({ pingSeconds: 1 })
    const socket = connectTcp(Number(new URL(host.url).port), '127.0.0.1')
    socket.write(
      'GET /ws HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    let heard = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk])
    })
    await new Promise((resolve) => socket.once('close', resolve))
    // An unmasked ping without words.
    expect(heard.includes(Buffer.from([0x89, 0x00]))).toBe(true)
  })

  it('one without a subscription goes after its time, one with a subscription stays', async () => {
    const host = await start({ pingSeconds: 1, idleSeconds: 1 })
    const [idle, kept] = [await connect(host.url), await connect(host.url)]
    await kept.subscribe({ id: await requests.insert() })
    expect((await idle.closed).code).toBe(1000)
    expect(kept.socket.readyState).toBe(kept.socket.OPEN)
  })
})

describe('the end (wire.md 5.1, H.4)', () => {
  it('closes with 1012 and takes nobody in any more', async () => {
    const host = await start()
    const client = await connect(host.url)
    await client.subscribe({ id: await requests.insert() })
    const stopping = host.server.close()
    expect(await refusalOf(host.url)).toBe(503)
    expect(await client.closed).toMatchObject({ code: 1012 })
    await stopping
  })

  it('closes with 1013 where events can no longer be read, so that clients ask instead of waiting (wire.md A.8)', async () => {
    const host = await start({ silenceSeconds: 1 })
    const client = await connect(host.url)
    await client.subscribe({ id: await requests.insert() })
    await host.stopReading()
    expect((await client.closed).code).toBe(1013)
    const late = await connect(host.url)
    late.send({ type: 'subscribe', event: EVENT, filters: { id: `0x${'00'.repeat(32)}` } })
    expect((await late.closed).code).toBe(1013)
  })
})
