import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkHistory, checkReplication } from './replicationCheck.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(() => database?.drop())

it('a server alone loses nothing by a failover, and one would be noticed', async () => {
  expect(await checkReplication(database.pool)).toMatchObject([{ check: 'database replication', state: 'ok' }])
  expect(await checkHistory(database.pool)).toMatchObject([{ check: 'database failover', state: 'ok' }])
})

it.each(['-/00000001', '7123/-'])(
  'F121: a server that hides its cluster or timeline (%s) is warned of, with what to grant',
  async (history) => {
    await database.pool.query(
      `create or replace function server_history() returns text language sql as $$ select '${history}' $$`,
    )
    expect(await checkHistory(database.pool)).toMatchObject([
      {
        state: 'warning',
        message: expect.stringContaining('could not be noticed'),
        remedy: expect.stringMatching(/^Grant/),
      },
    ])
  },
)
