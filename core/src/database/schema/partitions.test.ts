import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { coreMigrations } from './coreMigrations.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database.drop())

const ensure = (at: string) => database.pool.query(`select ensure_partitions('request_events', $1::timestamptz)`, [at])

const partitionOf = async (at: string): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ partition: string }>(
    `insert into request_events (request_id, version, status, payload, created_at) values ('\\x00', 1, 'pending', '{}', $1)
     returning tableoid::regclass::text as partition`,
    [at],
  )
  return rows[0]?.partition
}

it('hosts that start together make the partitions around an instant once (design 6, Partitioning)', async () => {
  await Promise.all(Array.from({ length: 5 }, () => ensure('2030-01-09T12:00:00Z')))
  expect(await partitionOf('2030-01-09T12:00:00Z')).toBe('request_events_20300107')
  expect(await partitionOf('2030-01-29T12:00:00Z')).toBe('request_events_20300128')
})

it('a clock that jumps ahead loses nothing: rows go to the default partition and stay readable', async () => {
  expect(await partitionOf('2031-06-01T00:00:00Z')).toBe('request_events_default')
  await ensure('2031-06-01T00:00:00Z')
  const { rows } = await database.pool.query(`select 1 from request_events where created_at = '2031-06-01T00:00:00Z'`)
  expect(rows).toHaveLength(1)
})
