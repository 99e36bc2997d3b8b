import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { it } from 'vitest'
import { depositAll, expectPaidOnce, quoteMany, reached, start, useHosts } from './hosts.test.support.js'

useHosts()

const createDatabase = (): Promise<TestDatabase> =>
  createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })

it('F46: two solver hosts race for 50 requests; the leader is stopped past its lease, woken, and changes nothing', {
  timeout: 180_000,
}, async () => {
  const database = await createDatabase()
  const api = await start({ databaseUrl: database.url, roles: ['api'] })
  const leader = await start({ databaseUrl: database.url, roles: ['watcher', 'solver'] })
  await start({ databaseUrl: database.url, roles: ['watcher', 'solver'] })
  const quotes = await quoteMany(api.url, 50)
  const depositing = depositAll(quotes)
  await reached(database.pool, 5)
  leader.signal('SIGSTOP')
  // Lives on without it: the other host takes the leases over when they run out.
  await reached(database.pool, 30)
  leader.signal('SIGCONT')
  await depositing
  await reached(database.pool, 50)
  await expectPaidOnce(database.pool, quotes)
  await database.drop()
})
