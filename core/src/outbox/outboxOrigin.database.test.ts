import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { changeStatuses } from '../request/changeStatus.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import type { OutboxCursor } from './outboxCursor.js'
import { alignOutbox, noteOutbox } from './outboxOrigin.js'
import { OutboxReader } from './outboxReader.js'

let database: TestDatabase
let reader: OutboxReader

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  reader = new OutboxReader({ pool: database.pool })
  await database.pool.query(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
     values ('\\x01', 'waiting', 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), 'decide', now())`,
  )
})
afterAll(() => database.drop())

const STEPS = ['pending', 'waiting'] as const
let step = 0

/** Writes one more event of the request. */
const move = (): Promise<unknown> =>
  withTransaction(database.pool, (client) =>
    changeStatuses(
      client,
      [{ requestId: '0x01', to: STEPS[step++ % 2] ?? 'pending', next: { action: 'decide', at: 0 } }],
      0,
    ),
  )

const versionsAfter = async (cursor: OutboxCursor, count: number): Promise<number[]> =>
  vi.waitFor(async () => {
    const { events } = await reader.after(cursor, 100)
    expect(events).toHaveLength(count)
    return events.map(({ version }) => version)
  }, 60_000)

/** What a database looks like to a server whose transactions have lower numbers than those it was dumped from. */
const restore = async (): Promise<void> => {
  for (const [table, column, type] of [
    ['request_events', 'xid', 'xid8'],
    ['requests', 'event_xid', 'xid8'],
    ['outbox_origin', 'seen', 'bigint'],
  ]) {
    await database.pool.query(
      `update ${table} set ${column} = (${column}::text::bigint + 1000000000)::text::${type} where ${column} is not null`,
    )
  }
}

const added = async (): Promise<bigint> => {
  const { rows } = await database.pool.query<{ added: bigint }>('select added from outbox_origin')
  return rows[0]?.added ?? -1n
}

it('a database restored into a younger server: what waited is told, then what is new, and cursors still hold', async () => {
  await alignOutbox(database.pool)
  const start = await reader.end()
  await move()
  await move()
  await versionsAfter(start, 2)
  await noteOutbox(database.pool)
  await alignOutbox(database.pool)
  expect(await added()).toBe(0n)
  const first = (await reader.after(start, 1)).events[0]?.cursor ?? start
  await restore()
  const cursor = { ...first, xid: first.xid + 1_000_000_000n }
  expect((await reader.after(cursor, 100)).events).toEqual([])
  await alignOutbox(database.pool)
  await move()
  expect(await versionsAfter(cursor, 2)).toEqual([3, 4])
})

it('also where no event is left that says how far the other server had counted', async () => {
  await noteOutbox(database.pool)
  await database.pool.query('delete from request_events')
  await restore()
  await alignOutbox(database.pool)
  const end = await reader.end()
  await move()
  expect(await versionsAfter(end, 1)).toEqual([5])
})
