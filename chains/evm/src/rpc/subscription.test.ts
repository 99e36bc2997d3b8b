import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { Subscription } from './subscription.js'

let server: WebSocketServer
let url: string

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${id}` }))
      const params = { subscription: `0x${id}`, result: { number: '0x1' } }
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
      socket.send('not json')
    })
  })
  const address = server.address()
  url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})

afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

test('messages reach their topic, and a lost connection is opened again', async () => {
  const seen: number[] = []
  const states: boolean[] = []
  const subscription = new Subscription({
    url,
    topics: [['newHeads'], ['logs', {}]],
    onMessage: (topic) => seen.push(topic),
    onState: (alive) => states.push(alive),
    logger: pino({ level: 'silent' }),
  })
  subscription.open()
  await expect.poll(() => seen).toEqual([0, 1])
  for (const socket of server.clients) socket.terminate()
  await expect.poll(() => states, { timeout: 5000 }).toEqual([true, false, true])
  await expect.poll(() => seen).toEqual([0, 1, 0, 1])
  subscription.close()
  await expect.poll(() => server.clients.size).toBe(0)
})
