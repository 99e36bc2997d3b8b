import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.js'
import { keepDayPartitions } from '../dayPartitions.js'
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

it('hosts that start together make the partitions around an instant once (architecture.md 6, Partitioning)', async () => {
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

describe('partitions by day', () => {
  const DAY = 86_400_000
  const NOW = Date.UTC(2030, 0, 10, 12)

  const partitions = async (table: string): Promise<readonly string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    )
    return rows.map(({ name }) => name)
  }

  it('hosts that keep them together make those of five days once and drop what is older than it is kept', async () => {
    await database.pool.query(`create table calls (at timestamptz not null) partition by range (at);
      create table calls_default partition of calls default`)
    const keep = (now: number) => keepDayPartitions(database.pool, { table: 'calls', column: 'at', now, days: 2 })
    await Promise.all(Array.from({ length: 4 }, () => keep(NOW)))
    const made = ['calls_20300109', 'calls_20300110', 'calls_20300111', 'calls_20300112', 'calls_20300113']
    expect(await partitions('calls')).toEqual([...made, 'calls_default'])
    await database.pool.query(`insert into calls values ('2030-01-10'), ('2029-12-01'), ('2030-02-01')`)
    await keep(NOW + 4 * DAY)
    expect(await partitions('calls')).toEqual([
      ...['calls_20300112', 'calls_20300113', 'calls_20300114', 'calls_20300115', 'calls_20300116', 'calls_20300117'],
      'calls_default',
    ])
    const { rows } = await database.pool.query('select at from calls')
    expect(rows).toEqual([{ at: new Date('2030-02-01') }])
  })

  it('a day whose rows already lie in the default partition stays there', async () => {
    await database.pool.query(`create table jumps (at timestamptz not null) partition by range (at);
      create table jumps_default partition of jumps default; insert into jumps values ('2030-01-11')`)
    await keepDayPartitions(database.pool, { table: 'jumps', column: 'at', now: NOW, days: 2 })
    expect(await partitions('jumps')).not.toContain('jumps_20300111')
    expect((await database.pool.query('select from jumps')).rowCount).toBe(1)
  })
})
