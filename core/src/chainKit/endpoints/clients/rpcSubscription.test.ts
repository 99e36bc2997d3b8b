import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { RpcSubscription } from './rpcSubscription.js'

let server: WebSocketServer
let url: string

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id: number; method: string }
      const subscription = method === 'eth_subscribe' ? `0x${id}` : id
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: subscription }))
      const params = { subscription, result: { number: '0x1' } }
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'told', params }))
      socket.send('not json')
    })
  })
  const address = server.address()
  url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})

afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

test('messages reach their topic, whether its id is a text or a number, and a lost connection is opened again', async () => {
  const seen: number[] = []
  const states: boolean[] = []
  const subscription = new RpcSubscription({
    url,
    topics: [
      { method: 'eth_subscribe', params: ['newHeads'] },
      { method: 'slotSubscribe', params: [] },
    ],
    onMessage: (topic) => seen.push(topic),
    onState: (alive) => states.push(alive),
    logger: pino({ level: 'silent' }),
  })
  subscription.open()
  await expect.poll(() => seen).toEqual([0, 1])
  for (const socket of server.clients) socket.terminate()
  await expect.poll(() => states).toEqual([true, false, true])
  await expect.poll(() => seen).toEqual([0, 1, 0, 1])
  subscription.close()
  await expect.poll(() => server.clients.size).toBe(0)
})

/** A node whose first connection does something, and whose later ones push a head. */
const startOddNode = async (odd: (socket: WebSocket, raw: Socket) => void) => {
  const sockets = new WebSocketServer({ noServer: true })
  const node = createServer()
  let opened = 0
  node.on('upgrade', (request, raw: Socket, start: Buffer) => {
    sockets.handleUpgrade(request, raw, start, (socket) => {
      opened += 1
      const isFirst = opened === 1
      socket.on('message', () => {
        socket.send('{"id":1,"result":"0x1"}')
        if (isFirst) odd(socket, raw)
        else socket.send('{"params":{"subscription":"0x1","result":"a head"}}')
      })
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const address = node.address()
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    opened: () => opened,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        node.close(() => resolve())
      }),
  }
}

const HEADS = [{ method: 'eth_subscribe', params: ['newHeads'] }]
const pushed = (result: unknown) => JSON.stringify({ params: { subscription: '0x1', result } })

test.each<[string, (socket: WebSocket, raw: Socket) => void]>([
  // The frame says that 126 or more bytes follow, and four do.
  ['closes in the middle of a frame', (_, raw) => void raw.end(Buffer.from([0x81, 0x7e, 0x10, 0x00, 1, 2, 3, 4]))],
  ['sends bytes that are no frame', (_, raw) => void raw.write(Buffer.from('HTTP/1.1 500 no\r\n\r\n'))],
  ['sends more than 2 MB', (socket) => socket.send(pushed('x'.repeat(2 * 1024 * 1024)))],
  ['closes at once', (socket) => socket.close()],
])('F160: a node that %s is connected to again, and is heard', async (_, odd) => {
  const node = await startOddNode(odd)
  const seen: unknown[] = []
  const states: boolean[] = []
  const subscription = new RpcSubscription({
    url: node.url,
    topics: HEADS,
    onMessage: (topic, result) => seen.push([topic, result]),
    onState: (alive) => states.push(alive),
    logger: pino({ level: 'silent' }),
  })
  subscription.open()
  await expect.poll(() => seen).toEqual([[0, 'a head']])
  expect([node.opened(), states]).toEqual([2, [true, false, true]])
  subscription.close()
  await node.close()
})

test('F160: a message of 1 MB, messages without a subscription, and made-up ones keep the connection', async () => {
  const node = await startOddNode((socket) => {
    for (let id = 1; id <= 1000; id++) socket.send(JSON.stringify({ id: id + 1, result: `made up ${id}` }))
    socket.send(JSON.stringify({ params: { subscription: 'made up 7', result: 'a lie' } }))
    socket.send(JSON.stringify({ params: { subscription: null, result: 'a lie' } }))
    socket.send(pushed('x'.repeat(1024 * 1024)))
    socket.send(pushed('the last head'))
  })
  const seen: string[] = []
  const subscription = new RpcSubscription({
    url: node.url,
    topics: HEADS,
    onMessage: (_, result) => seen.push(String(result)),
    onState: () => undefined,
    logger: pino({ level: 'silent' }),
  })
  subscription.open()
  await expect.poll(() => seen.at(-1)).toBe('the last head')
  expect(seen.map(({ length }) => length)).toEqual([1024 * 1024, 13])
  expect(node.opened()).toBe(1)
  subscription.close()
  await node.close()
})

test('F160: a node that accepts and closes each time is connected to less and less often', async () => {
  let opened = 0
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => sockets.once('listening', resolve))
  const times: number[] = []
  sockets.on('connection', (socket) => {
    opened += 1
    times.push(performance.now())
    socket.on('message', () => {
      socket.send('{"id":1,"result":"0x1"}')
      socket.close()
    })
  })
  const address = sockets.address()
  const subscription = new RpcSubscription({
    url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    topics: HEADS,
    onMessage: () => undefined,
    onState: () => undefined,
    logger: pino({ level: 'silent' }),
  })
  subscription.open()
  await expect.poll(() => opened, { timeout: 5000 }).toBe(4)
  const waits = times.map((at, place) => at - (times[place - 1] ?? at)).slice(1)
  expect(waits[1]).toBeGreaterThanOrEqual(490)
  expect(waits[2]).toBeGreaterThanOrEqual(990)
  subscription.close()
  await new Promise<void>((resolve) => sockets.close(() => resolve()))
})

test('a dialect says what a subscription is begun with, and which message tells of what', async () => {
  const told = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => told.once('listening', resolve))
  told.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { command } = JSON.parse(String(data)) as { command: string }
      for (const message of [{ ok: command }, { other: 1 }, { news: 7 }]) socket.send(JSON.stringify(message))
    })
  })
  const address = told.address()
  const seen: unknown[] = []
  const states: boolean[] = []
  const subscription = new RpcSubscription({
    url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    topics: [{ method: 'listen', params: [] }],
    onMessage: (topic, result) => seen.push([topic, result]),
    onState: (alive) => states.push(alive),
    dialect: () => ({
      write: ({ method }) => ({ command: method }),
      read: (message) => {
        if ('ok' in message) return message.ok === 'listen' ? { accepted: 0 } : null
        return 'news' in message ? { topic: 0, result: message.news } : null
      },
    }),
    logger: pino({ level: 'silent' }),
  })
  subscription.open()
  await expect.poll(() => seen).toEqual([[0, 7]])
  expect(states).toEqual([true])
  subscription.close()
  await new Promise<void>((resolve) => told.close(() => resolve()))
})
