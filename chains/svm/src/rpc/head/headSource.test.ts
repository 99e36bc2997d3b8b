import { HeadPace, type JsonRpcClient, type RpcOutcome } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { HeadSource } from './headSource.js'

const KEY = 'So11111111111111111111111111111111111111112'

const outcomes: readonly RpcOutcome[] = [
  { ok: true, result: { context: { slot: 9 }, value: { blockhash: KEY, lastValidBlockHeight: 158 } } },
  { ok: true, result: { context: { slot: 9 }, value: null } },
  { ok: true, result: { absoluteSlot: 5, blockHeight: 4, epoch: 0, slotIndex: 5, slotsInEpoch: 432_000 } },
]

test('F160: a slot of another shape is dropped and counted; the next one is read over HTTP', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: id }))
    })
  })
  const address = server.address()
  const failures: unknown[] = []
  let asked = 0
  const heads = new HeadSource({
    // CAST: nothing else of the client is used.
    rpc: {
      endpoints: [{ distrust: null, lateness: 'none', fail: (error: unknown) => failures.push(error) }],
      call: async () => 1,
      batch: async () => {
        asked += 1
        return outcomes
      },
    } as unknown as JsonRpcClient,
    endpoints: [{ http: '', ws: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }],
    pollIntervalMs: 60_000,
    maxHeadAgeSeconds: 0,
    pace: new HeadPace(400),
    logger: pino({ level: 'silent' }),
  })
  const push = (result: unknown) => {
    for (const socket of server.clients) socket.send(JSON.stringify({ params: { subscription: 1, result } }))
  }
  heads.start()
  const pushed = () => {
    push({ slot: 9 })
    return asked
  }
  await expect.poll(pushed).toBeGreaterThan(1)
  const strange = [null, 'text', 7, [], {}, { slot: null }, { slot: 'late' }]
  for (const slot of strange) push(slot)
  await expect.poll(() => failures.length).toBe(strange.length)
  const before = asked
  push({ slot: 10 })
  await expect.poll(() => asked).toBeGreaterThan(before)
  heads.stop()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
