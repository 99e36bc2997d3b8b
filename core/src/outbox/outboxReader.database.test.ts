import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PostgresNotifier } from '../database/notifier.js'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import type { Hex } from '../money/hex.js'
import { changeStatuses } from '../request/changeStatus.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { compareCursors, decodeCursor, encodeCursor, OUTBOX_START, type OutboxCursor } from './outboxCursor.js'
import { OutboxReader } from './outboxReader.js'
import { type OutboxEvent, statusEventBody, statusEventId } from './statusEvent.js'

let database: TestDatabase
let reader: OutboxReader
let notifier: PostgresNotifier
const stop = new AbortController()

beforeAll(async () => {
  database = await createTestDatabase({
    packages: [{ name: '@causeway/core', migrations: coreMigrations }],
    poolSize: 16,
  })
  reader = new OutboxReader({ pool: database.pool })
  notifier = new PostgresNotifier({ connectionString: database.url })
  void notifier.run(stop.signal)
})
afterAll(async () => {
  stop.abort()
  await database.drop()
})

const NOW = Date.UTC(2026, 10, 21)
let made = 0

const insert = async (apiKeyId: string | null = null): Promise<Hex> => {
  made += 1
  const id = made.toString(16).padStart(64, '0')
  await database.pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at, api_key_id, referrer)
     values (decode($1, 'hex'), 'waiting', 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), 'decide', now(), $2, 'shop')`,
    [id, apiKeyId],
  )
  return `0x${id}`
}

const NEXT = { action: 'decide', at: NOW }
const move = (client: PoolClient, requestId: Hex, to: 'pending' | 'waiting' | 'submitted') =>
  changeStatuses(client, [{ requestId, to, next: NEXT }], NOW)
const moveNow = (requestId: Hex, to: 'pending' | 'waiting') =>
  withTransaction(database.pool, (client) => move(client, requestId, to))

/** So many events after a cursor: one of another database that just ends holds them back until the next look. */
const settled = (from: OutboxCursor, count: number, limit = 100): Promise<readonly OutboxEvent[]> =>
  vi.waitFor(
    async () => {
      const events: OutboxEvent[] = []
      for (let full = true; full; ) {
        const batch = await reader.after(events.at(-1)?.cursor ?? from, limit)
        events.push(...batch.events)
        full = batch.full
      }
      expect(events).toHaveLength(count)
      return events
    },
    { timeout: 60_000 },
  )

const follow = async (from: OutboxCursor, limit = 3) => {
  const told: OutboxEvent[] = []
  const over = new AbortController()
  const done = reader.follow(from, { notifier, limit, signal: over.signal }, (events) => {
    told.push(...events)
  })
  return {
    told,
    end: async () => {
      over.abort()
      await done
    },
  }
}

describe('the order of the outbox (architecture.md 6)', () => {
  it('holds back what a transaction under way may still precede, and skips nothing', async () => {
    const [early, late] = [await insert(), await insert()]
    const from = await reader.end()
    const slow = await database.pool.connect()
    await slow.query('begin')
    await move(slow, early, 'pending')
    await moveNow(late, 'pending')
    const held = await reader.after(from, 10)
    await slow.query('commit')
    slow.release()
    expect(held).toMatchObject({ events: [], full: false, unsettled: true })
    for (const start of [from, held.end]) {
      expect((await settled(start, 2)).map(({ requestId }) => requestId)).toEqual([early, late])
    }
  })

  it('does not wait for transactions of other databases of the server', async () => {
    const elsewhere = await createTestDatabase({ packages: [] })
    const slow = await elsewhere.pool.connect()
    try {
      await slow.query('begin')
      await slow.query('select pg_current_xact_id()')
      const request = await insert()
      const from = await reader.end()
      await moveNow(request, 'pending')
      expect((await settled(from, 1)).map(({ requestId }) => requestId)).toEqual([request])
      // At any one look a transaction of yet another test may be ending.
      await expect.poll(async () => (await reader.after(from, 10)).unsettled).toBe(false)
    } finally {
      await slow.query('rollback')
      slow.release()
      await elsewhere.drop()
    }
  })

  it('keeps the versions of a request in order though the later change comes from the earlier transaction', async () => {
    const [other, request] = [await insert(), await insert()]
    const from = await reader.end()
    const slow = await database.pool.connect()
    await slow.query('begin')
    await move(slow, other, 'pending')
    await moveNow(request, 'pending')
    await move(slow, request, 'waiting')
    await slow.query('commit')
    slow.release()
    const seen = await settled(from, 3, 1)
    expect(seen.filter(({ requestId }) => requestId === request).map(({ version }) => version)).toEqual([2, 3])
  })

  it('tells a follower everything once and in order, whatever order transactions end in', async () => {
    const requests = await Promise.all(Array.from({ length: 12 }, () => insert()))
    const followed = await follow(await reader.end())
    // A generator of one's own: a failure shows the same run again.
    let state = 7
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * below)
    }
    let written = 0
    const writer = async () => {
      for (let round = 0; round < 15; round += 1) {
        const client = await database.pool.connect()
        const abandoned = random(5) === 0
        let moved = 0
        await client.query('begin')
        // In one order, so that writers never wait for each other in a circle.
        const chosen = [...new Set([random(12), random(12), random(12)])].sort((a, b) => a - b)
        for (const at of chosen) {
          const request = requests[at] ?? '0x'
          for (const to of ['pending', 'waiting'] as const) moved += (await move(client, request, to)).size
        }
        await client.query(abandoned ? 'rollback' : 'commit')
        client.release()
        if (!abandoned) written += moved
      }
    }
    await Promise.all(Array.from({ length: 6 }, writer))
    await expect.poll(() => followed.told).toHaveLength(written)
    await followed.end()
    expect([...followed.told].sort((a, b) => compareCursors(a.cursor, b.cursor))).toEqual(followed.told)
    for (const request of requests) {
      const versions = followed.told.filter(({ requestId }) => requestId === request).map(({ version }) => version)
      expect(versions).toEqual(versions.map((_, at) => at + 2))
    }
  })

  it('wakes a follower when the change commits, and the key of the request comes along', async () => {
    const request = await insert('key-1')
    const followed = await follow(await reader.end())
    await moveNow(request, 'pending')
    await expect.poll(() => followed.told).toHaveLength(1)
    expect(followed.told[0]).toMatchObject({ requestId: request, version: 2, status: 'pending', apiKeyId: 'key-1' })
    await followed.end()
  })

  it('starts anywhere: from the start everything, from the end nothing', async () => {
    expect((await reader.after(OUTBOX_START, 1)).full).toBe(true)
    expect((await reader.after(await reader.end(), 1)).events).toEqual([])
  })
})

describe('the body of an event (wire.md 5.2)', () => {
  it('has every field of the event in its order, numbers as numbers, and the bytes of plain JSON.stringify', async () => {
    const request = await insert()
    await moveNow(request, 'pending')
    const from = await reader.end()
    await withTransaction(database.pool, (client) =>
      changeStatuses(
        client,
        [{ requestId: request, to: 'failure', failReason: 'DOUBLE_SPEND', details: 'a "quoted" word é' }],
        NOW,
      ),
    )
    const event = (await settled(from, 1))[0]
    if (event === undefined) throw new Error('no event')
    const body = statusEventBody(event)
    expect(JSON.stringify(JSON.parse(body))).toBe(body)
    expect(body).toBe(
      `{"event":"request.status.updated","timestamp":${NOW},"data":{"status":"failure","inTxHashes":[],"txHashes":[],"updatedAt":${NOW},"originChainId":1,"destinationChainId":2,"depositAddress":null,"requestId":"${request}","referrer":"shop","details":{"message":"a \\"quoted\\" word é"},"failReason":"DOUBLE_SPEND","refundFailReason":"N/A"}}`,
    )
  })

  it('tells the deposit address with its kind, depositor and transfer', async () => {
    const request = await insert()
    const id = Buffer.from(request.slice(2), 'hex')
    await database.pool.query(
      `update requests set deposit_address = '0xaa', depositor = '0xbb', transfer_tx = '0x77', terms = '{"address":{"type":"strict"}}' where id = $1`,
      [id],
    )
    await database.pool.query(
      `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, status, created_at) values ($1, 'in', 'deposit', 1, '0x01', 'success', now())`,
      [id],
    )
    const from = await reader.end()
    await moveNow(request, 'pending')
    const event = (await settled(from, 1))[0]
    expect(JSON.parse(statusEventBody(event ?? { payload: '{}', createdAt: 0 })).data).toMatchObject({
      inTxHashes: ['0x01'],
      depositAddress: { address: '0xaa', depositAddressType: 'strict', depositor: '0xbb', depositTxHash: '0x77' },
    })
  })

  it('has an id that is a UUID and the same for every reader', () => {
    const requestId: Hex = `0x${'ab'.repeat(32)}`
    const id = statusEventId({ requestId, version: 2 })
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(statusEventId({ requestId, version: 2 })).toBe(id)
    expect(statusEventId({ requestId, version: 3 })).not.toBe(id)
  })
})

it('a cursor is an opaque word, and other words are no cursor', () => {
  const cursor = { xid: 123_456_789_012n, seq: 42n }
  expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
  const hash = createHash('sha256').update('x').digest('base64url')
  for (const text of ['', 'A', 'A'.repeat(21), 'A'.repeat(23), '='.repeat(22), '_'.repeat(22), hash]) {
    expect(decodeCursor(text)).toBeNull()
  }
})
