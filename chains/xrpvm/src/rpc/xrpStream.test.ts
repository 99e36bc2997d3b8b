import type { BlockRef } from '@causeway/core/chain'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { XrpStream } from './xrpStream.js'

const closed = (changes: object = {}) => ({
  type: 'ledgerClosed',
  ledger_hash: 'AB'.repeat(32),
  ledger_index: 9,
  ledger_time: 5,
  ...changes,
})

test('F160: ledgers of another shape are dropped and counted, and transactions of any shape are no more than a hint', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ type: 'response', id, status: 'success', result: {} }))
    })
  })
  const address = server.address()
  const failures: unknown[] = []
  const ledgers: BlockRef[] = []
  let hints = 0
  const stream = new XrpStream({
    endpoints: [{ http: '', ws: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }],
    pool: { endpoints: [{ distrust: null, lateness: 'none', fail: (error) => failures.push(error) }] },
    accounts: [],
    onLedger: (head) => ledgers.push(head),
    onTransaction: () => {
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
  const strange = [
    ...[null, 'text', 7, closed({ ledger_hash: null }), closed({ ledger_index: '9' }), closed({ ledger_index: -1 })],
    ...[closed({ ledger_time: 1e300 }), { type: 'ledgerClosed' }],
  ]
  for (const message of [...strange, [], {}, { type: 'transaction', meta: null }]) push(message)
  push(closed({ ledger_index: 10 }))
  await expect.poll(() => ledgers.map(({ height }) => height)).toEqual([10n])
  expect([failures.length, hints]).toEqual([strange.length, 1])
  stop.abort()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
