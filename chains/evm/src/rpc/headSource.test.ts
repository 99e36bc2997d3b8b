import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { HeadPace } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { HeadSource } from './headSource.js'

const hashOf = (height: number) => `0x${height.toString(16).padStart(64, '0')}`

const block = (height: number, changes: object = {}) => ({
  number: `0x${height.toString(16)}`,
  hash: hashOf(height),
  parentHash: hashOf(height - 1),
  timestamp: '0x65f00000',
  baseFeePerGas: '0x7',
  ...changes,
})

const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

/** A node that takes every subscription and is told what to push. */
const startNode = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const sockets = new Set<WebSocket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${id}` }))
    })
  })
  opened.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.address()
  return {
    ws: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    push: (topic: number, result: unknown) => {
      const message = { method: 'eth_subscription', params: { subscription: `0x${topic + 1}`, result } }
      for (const socket of sockets) socket.send(JSON.stringify(message))
    },
  }
}

/** Heads of a chain whose node answers nothing over HTTP: what is known was pushed. */
const follow = (ws: string) => {
  const failures: unknown[] = []
  const endpoint = { distrust: null, lateness: 'none', fail: (error: unknown) => failures.push(error) }
  const heads = new HeadSource({
    // CAST: nothing else of the client is used.
    rpc: { endpoints: [endpoint], call: () => new Promise(() => undefined) } as unknown as JsonRpcClient,
    endpoints: [{ http: 'http://127.0.0.1:1', ws }],
    pollIntervalMs: 60_000,
    maxHeadAgeSeconds: 0,
    pace: new HeadPace(1000),
    logFilters: [{}],
    logger: pino({ level: 'silent' }),
  })
  heads.start()
  opened.push(async () => heads.stop())
  return { heads, failures }
}

test('F160: heads and logs of another shape are dropped and counted; what comes after them is taken', async () => {
  const node = await startNode()
  const { heads, failures } = follow(node.ws)
  const pushed = () => {
    node.push(0, block(1))
    return heads.latest?.height
  }
  await expect.poll(pushed).toBe(1n)
  const { hash: _, ...hashless } = block(2)
  const strange = [null, 'text', 7, [], {}, hashless, block(2, { number: null }), block(2, { timestamp: 'late' })]
  for (const head of strange) node.push(0, head)
  for (const log of [null, 'text', { blockNumber: 'x' }, { blockNumber: {} }]) node.push(1, log)
  node.push(0, block(3, { baseFeePerGas: null }))
  await expect.poll(() => heads.latest).toMatchObject({ height: 3n, hash: hashOf(3), baseFee: null })
  expect(failures).toHaveLength(strange.length + 4)
})
