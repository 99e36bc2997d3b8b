import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from '../migrations.js'
import { readStatus } from './readStatus.js'
import { statusCommand } from './statusCommand.js'

const NOW = Date.UTC(2026, 10, 28, 12)
const HOUR = 3_600_000

let database: TestDatabase
beforeAll(async () => {
  const packages = [
    { name: '@causeway/core', migrations: coreMigrations },
    { name: '@causeway/plugin-webhooks', migrations },
  ]
  database = await createTestDatabase({ packages })
})
afterAll(() => database?.drop())

const deps = () => ({ pool: database.pool, clock: { now: () => NOW } })
const at = (ago: number): Date => new Date(NOW - ago)

const endpoint = (key: string, enabled: boolean, reason: string | null, failing: Date | null) =>
  database.pool.query(
    `insert into webhook_endpoints (api_key_id, sealed_id, enabled, disabled_reason, failing_since, created_at, changed_at)
     values ($1, gen_random_uuid(), $2, $3, $4, $5, $5)`,
    [key, enabled, reason, failing, at(HOUR)],
  )

const ended = (outcome: string, calls: number, ago: number) =>
  database.pool.query(
    `insert into webhook_deliveries (id, endpoint_id, request_id, event_id, status, body, event_at, queued_at, ended_at, outcome, tries)
     values (nextval(pg_get_serial_sequence('webhook_queue', 'id')), 1, '\\x01', gen_random_uuid(), 'pending', '{}', $1, $1, $1, $2,
       (select coalesce(jsonb_agg(jsonb_build_object('status', 500)), '[]') from generate_series(1, $3::int)))`,
    [at(ago), outcome, calls],
  )

it('tells nothing of nothing', async () => {
  expect(await readStatus(deps())).toMatchObject({
    endpoints: { on: 0, off: 0, failing: 0 },
    queue: { waiting: 0, oldestSeconds: null },
    day: { delivered: 0, parked: 0, calls: 0, failureBps: null },
    outbox: { behind: 0, oldestSeconds: null },
    troubled: [],
  })
})

it('tells endpoints, what waits and for how long, what failed in a day, and how far the outbox is read', async () => {
  await endpoint('good', true, null, null)
  await endpoint('flaky', true, null, at(HOUR))
  await endpoint('dead', false, 'failing', at(3 * HOUR))
  await endpoint('paused', false, null, null)
  await database.pool.query(
    `insert into webhook_queue (endpoint_id, request_id, event_id, status, body, event_at, queued_at)
     select 2, '\\x02', gen_random_uuid(), 'pending', '{}', $1, t from unnest($2::timestamptz[]) t`,
    [at(0), [at(90_000), at(10_000)]],
  )
  await ended('delivered', 1, HOUR)
  await ended('delivered', 3, HOUR)
  await ended('parked', 11, 2 * HOUR)
  await ended('parked', 0, 2 * HOUR)
  await ended('parked', 5, 25 * HOUR)
  await database.pool.query(
    `insert into request_events (request_id, version, status, payload, created_at)
     select '\\x03', n, 'pending', '{}', $1::timestamptz + n * interval '1 second' from generate_series(0, 2) n`,
    [at(60_000)],
  )
  expect(await readStatus(deps())).toEqual({
    schemaVersion: 1,
    at: '2026-11-28T12:00:00.000Z',
    endpoints: { on: 2, off: 2, failing: 1 },
    queue: { waiting: 2, oldestSeconds: 90 },
    day: { delivered: 2, parked: 2, calls: 15, failedCalls: 13, failureBps: 8_666 },
    outbox: { behind: 3, oldestSeconds: 60 },
    troubled: [
      {
        apiKeyId: 'dead',
        enabled: false,
        disabledReason: 'failing',
        failingSince: at(3 * HOUR).toISOString(),
        waiting: 0,
      },
      { apiKeyId: 'flaky', enabled: true, disabledReason: null, failingSince: at(HOUR).toISOString(), waiting: 2 },
    ],
  })
  const lines: string[] = []
  await statusCommand(deps()).run({ arguments: [], options: {}, print: (line) => lines.push(line) })
  const text = lines.join(' ')
  for (const part of ['2 on, 2 off, 1 failing', '2 waiting, the oldest for 90 s', '13 of 15 calls failed'])
    expect(text).toContain(part)
})
