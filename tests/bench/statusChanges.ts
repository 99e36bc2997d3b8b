import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from '@causeway/core'
import { changeStatuses, fromBytea, toBytea } from '@causeway/core/plugin'
import type pg from 'pg'
import { WebSocket } from 'ws'

const GIVE_UP_MS = 10_000

/** A request between two chains that waits for its deposit and that no host does anything about. */
export const insertRequest = async (pool: pg.Pool, chainIds: readonly [number, number]): Promise<Hex> => {
  const id = randomBytes(32)
  await pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
     values ($1, 'waiting', $2, $3, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), 'await-deposit', '2200-01-01')`,
    [id, ...chainIds],
  )
  return fromBytea(id)
}

/** Moves the request there or back; the time at which the commit began. */
export const moveStatus = async (pool: pg.Pool, requestId: Hex): Promise<number> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ status: string }>('select status from requests where id = $1', [
      toBytea(requestId),
    ])
    const to = rows[0]?.status === 'pending' ? 'waiting' : 'pending'
    const next = { action: 'await-deposit', at: Date.UTC(2200, 0) }
    await changeStatuses(client, [{ requestId, to, next }], Date.now())
    const at = performance.now()
    await client.query('commit')
    return at
  } finally {
    client.release()
  }
}

/** The next message; throws when none comes. */
export const nextMessage = (socket: WebSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('A websocket stayed silent.')), GIVE_UP_MS)
    socket.once('message', (data) => {
      clearTimeout(late)
      socket.off('error', reject)
      resolve(data.toString())
    })
    socket.once('error', reject)
  })

/** A socket that has been told where its request stands. */
export const followStatus = async (url: string, id: Hex): Promise<WebSocket> => {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await nextMessage(socket)
  socket.send(JSON.stringify({ type: 'subscribe', event: 'request.status.updated', filters: { id } }))
  await nextMessage(socket)
  // The present status, if there is one to tell.
  await wait(50)
  return socket
}
