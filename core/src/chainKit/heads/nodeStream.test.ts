import { type Static, Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { BlockRef } from '../../chain/chainReferences.js'
import { answerOf } from '../endpoints/clients/checkedAnswer.js'
import type { SocketDialect } from '../endpoints/clients/rpcSubscription.js'
import { NodeStream } from './nodeStream.js'

const headSchema = Type.Object({
  kind: Type.Literal('head'),
  height: Type.Integer({ minimum: 0 }),
  hash: Type.String(),
})
const head = (changes: object = {}) => ({ kind: 'head', height: 9, hash: 'AB', ...changes })
const readHead = answerOf(headSchema)
const headOf = ({ height, hash }: Static<typeof headSchema>): BlockRef => ({ height: BigInt(height), hash, time: 0 })

/** Subscriptions by number; heads and transactions come as they are. */
const dialect = (): SocketDialect => ({
  write: ({ method, params }, topic) => ({ id: topic, method, params }),
  read: (message) => {
    const [id, kind]: unknown[] = [Reflect.get(message, 'id'), Reflect.get(message, 'kind')]
    if (typeof id === 'number') return { accepted: id }
    if (kind === 'head') return { topic: 0, result: message }
    return kind === 'transaction' ? { topic: 1, result: message } : null
  },
})

test('F160: heads of another shape are dropped and counted, and transactions of any shape are no more than a hint', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ id }))
    })
  })
  const address = server.address()
  const failures: unknown[] = []
  const heads: BlockRef[] = []
  let hints = 0
  const stream = new NodeStream({
    endpoints: [{ http: '', ws: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }],
    pool: { endpoints: [{ distrust: null, lateness: 'none', fail: (error) => failures.push(error) }] },
    dialect,
    topics: [
      { call: { method: 'heads', params: [] }, headOf: (message) => headOf(readHead(message)) },
      { call: { method: 'transactions', params: ['account'] } },
    ],
    onHead: (shown) => heads.push(shown),
    onHint: () => {
      hints += 1
    },
    logger: pino({ level: 'silent' }),
  })
  const stop = new AbortController()
  stream.open(stop.signal)
  await expect.poll(() => stream.isLive).toBe(true)
  const push = (message: unknown) => {
    for (const socket of server.clients) socket.send(JSON.stringify(message))
  }
  const strange = [null, 'text', 7, head({ hash: null }), head({ height: '9' }), head({ height: -1 }), { kind: 'head' }]
  for (const message of [...strange, [], {}, { kind: 'transaction', meta: null }]) push(message)
  push(head({ height: 10 }))
  await expect.poll(() => heads.map(({ height }) => height)).toEqual([10n])
  expect([failures.length, hints]).toEqual([strange.length, 1])
  stop.abort()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
