import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { it } from 'vitest'
import { depositAll, expectPaidOnce, hosts, quoteMany, reached, start, useHosts } from './hosts.test.support.js'

useHosts()

const withPool = async (url: string, work: (pool: Pool) => Promise<void>): Promise<void> => {
  const pool = createPool({ connectionString: url, max: 3, applicationName: 'causeway test' })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

it('F43: PostgreSQL stopped and started in the middle loses nothing and pays nothing twice', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-postgres-'))
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'data')
  const server = await startEmbeddedPostgres({ dataDir })
  const host = await start({ databaseUrl: server.url })
  const quotes = await quoteMany(host.url, 20)
  const depositing = depositAll(quotes)
  await withPool(server.url, (pool) => reached(pool, 3).then(() => undefined))
  await server.stop()
  await depositing
  const again = await startEmbeddedPostgres({ dataDir, port: server.port })
  await withPool(again.url, async (pool) => {
    await reached(pool, 20)
    await expectPaidOnce(pool, quotes)
  })
  for (const item of hosts) item.signal('SIGKILL')
  await Promise.all(hosts.map(({ ended }) => ended))
  await again.stop()
  rmSync(folder, { recursive: true, force: true })
})
