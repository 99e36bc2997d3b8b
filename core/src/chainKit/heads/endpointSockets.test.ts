import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Lateness } from '../endpoints/monitor/headRace.js'
import { EndpointSockets } from './endpointSockets.js'

/** A node that accepts every topic; `tell` sends a value to the subscriptions of the topic. */
const startNode = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const open = new Set<WebSocket>()
  let accepted = 0
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: id }))
      accepted += 1
    })
  })
  const address = server.address()
  return {
    server,
    ws: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    accepted: () => accepted,
    tell: (topic: number, result: unknown) => {
      const params = { subscription: topic + 1, result }
      for (const socket of open) socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'told', params }))
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

test('F131: each endpoint with a websocket has its say, unless it is contradicted or late', async () => {
  const [one, other] = await Promise.all([startNode(), startNode()])
  const fail = () => undefined
  const thought = { distrust: null as string | null, lateness: 'none' as Lateness, fail }
  const seen: unknown[] = []
  const sockets = new EndpointSockets({
    endpoints: [{ http: 'http://127.0.0.1:1' }, { http: 'http://127.0.0.1:1', ws: one.ws }, { http: '', ws: other.ws }],
    pool: {
      endpoints: [
        { distrust: 'it lies', lateness: 'stands', fail },
        thought,
        { distrust: null, lateness: 'none', fail },
      ],
    },
    onMessage: (topic, result) => seen.push([topic, result]),
    logger: pino({ level: 'silent' }),
  })
  expect(sockets.isLive).toBe(false)
  const topics = ['heads', 'logs'].map((method) => ({ method, params: [] }))
  sockets.open(topics)
  sockets.open(topics)
  await expect.poll(() => [one.accepted(), other.accepted(), sockets.isLive]).toEqual([2, 2, true])
  one.tell(1, 'a log')
  await expect.poll(() => seen).toEqual([[1, 'a log']])

  thought.lateness = 'behind'
  one.tell(0, 'a head of a late node')
  other.tell(0, 'a head')
  await expect.poll(() => seen).toContainEqual([0, 'a head'])
  thought.lateness = 'none'
  thought.distrust = 'it lies'
  one.tell(0, 'a head of a liar')
  other.tell(0, 'the next head')
  await expect.poll(() => seen).toContainEqual([0, 'the next head'])
  thought.distrust = null
  one.tell(0, 'the last head')
  await expect.poll(() => seen).toContainEqual([0, 'the last head'])
  expect(seen).toHaveLength(4)

  sockets.close()
  expect(sockets.isLive).toBe(false)
  await expect.poll(() => one.server.clients.size + other.server.clients.size).toBe(0)
  await Promise.all([one.close(), other.close()])
})

test('F160: a message that is none is dropped and counts against its endpoint; those after it are heard', async () => {
  const node = await startNode()
  const seen: unknown[] = []
  const failures: unknown[] = []
  const sockets = new EndpointSockets({
    endpoints: [{ http: '', ws: node.ws }],
    pool: { endpoints: [{ distrust: null, lateness: 'none', fail: (error) => failures.push(error) }] },
    onMessage: (_, result) => {
      if (result === 'strange') throw new TypeError('no such member')
      seen.push(result)
    },
    logger: pino({ level: 'silent' }),
  })
  sockets.open([{ method: 'heads', params: [] }])
  await expect.poll(() => sockets.isLive).toBe(true)
  const texts = ['null', '7', 'not json', '"text"', '{"params":null}', '{"params":{"subscription":{"toString":null}}}']
  for (const socket of node.server.clients) for (const text of texts) socket.send(text)
  node.tell(0, 'strange')
  node.tell(0, 'a head')
  await expect.poll(() => seen).toEqual(['a head'])
  expect(failures).toHaveLength(5)
  expect(sockets.isLive).toBe(true)
  sockets.close()
  await node.close()
})
