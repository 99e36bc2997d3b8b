import { systemClock } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { migrations } from '../migrations.js'
import { DeliveryLog } from './deliveryLog.js'

let database: TestDatabase
let log: DeliveryLog

beforeAll(async () => {
  const packages = [
    { name: '@causeway/core', migrations: coreMigrations },
    { name: '@causeway/plugin-webhooks', migrations },
  ]
  database = await createTestDatabase({ packages })
  log = new DeliveryLog({ pool: database.pool, clock: systemClock })
})
afterAll(() => database?.drop())
beforeEach(() => database.pool.query('truncate webhook_deliveries, webhook_queue restart identity'))

const range = { endpointId: 1n, from: new Date(0), to: new Date(Date.now() + 60_000) }

/** Deliveries that are over, with ids from 1 on as the queue gave them. */
const insert = (outcome: 'delivered' | 'parked', count: number) =>
  database.pool.query(
    `insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at, outcome, tries)
     select nextval(pg_get_serial_sequence('webhook_queue', 'id')), 1, '\\x01', gen_random_uuid(), 'pending', '{}', now(), now(), now(), $1, '[]'
     from generate_series(1, $2::int)`,
    [outcome, count],
  )

/** What waits is over. */
const endAll = (outcome: 'delivered' | 'parked') =>
  database.pool.query(
    `with gone as (delete from webhook_queue returning *)
     insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at, outcome, tries, replay_of)
     select id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, now(), $1, tries, replay_of from gone`,
    [outcome],
  )

const taken = async () => {
  const { rows } = await database.pool.query<{ replay_of: bigint }>('select replay_of from webhook_queue order by id')
  return rows.map((row) => row.replay_of)
}

it('a range of all deliveries goes on behind the last of the call before, and has each event once', async () => {
  await insert('delivered', 5)
  const seen: bigint[] = []
  let after: bigint | null = 0n
  for (let calls = 0; after !== null; calls += 1) {
    expect(calls).toBeLessThan(4)
    const { last } = await log.replayRange({ ...range, all: true, after, limit: 2 })
    seen.push(...(await taken()))
    // Their copies stand in the log by then.
    await endAll('delivered')
    after = last
  }
  expect(seen).toEqual([1n, 2n, 3n, 4n, 5n])
})

it('a range of those parked takes what was parked once more, and not what it stands for; the list says what was sent again', async () => {
  await insert('parked', 2)
  expect(await log.replayRange({ ...range, all: false, limit: 10 })).toEqual({ queued: 2, last: null })
  await endAll('parked')
  expect(await log.replayRange({ ...range, all: false, limit: 10 })).toEqual({ queued: 2, last: null })
  expect(await taken()).toEqual([3n, 4n])
  await endAll('delivered')
  expect(await log.replayRange({ ...range, all: false, limit: 10 })).toEqual({ queued: 0, last: null })
  const listed = await log.list({ endpointId: 1n, limit: 10 })
  expect(listed.filter(({ replayed }) => !replayed).map(({ id }) => id)).toEqual([6n, 5n])
  expect(await log.replay(1n, 6n)).toBe(7n)
  expect((await log.list({ endpointId: 1n, limit: 2 })).map(({ id, replayed }) => [id, replayed])).toEqual([
    [7n, false],
    [6n, true],
    [5n, false],
  ])
})
