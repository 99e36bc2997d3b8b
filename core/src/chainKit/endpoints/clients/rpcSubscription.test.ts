import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
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
