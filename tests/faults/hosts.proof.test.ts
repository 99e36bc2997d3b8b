import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreMigrations, startEmbeddedPostgres } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.01')
const USERS = 5

let network: LocalNetwork
const hosts: HostProcess[] = []

beforeEach(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
})
afterEach(async () => {
  for (const host of hosts) host.signal('SIGKILL')
  await Promise.all(hosts.splice(0).map(({ ended }) => ended))
  await network?.close()
})

const start = async (options: Omit<HostProcessOptions, 'network'>): Promise<HostProcess> => {
  const host = await startHostProcess({ network, ...options })
  hosts.push(host)
  return host
}

const quoteMany = (url: string, count: number): Promise<QuoteAnswer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      quoteOverHttp(url, {
        user: userOf(network, index % USERS),
        from: network.chains[0].chain.chainId,
        to: network.chains[1].chain.chainId,
        originCurrency: NATIVE,
        destinationCurrency: NATIVE,
        amount: AMOUNT,
        recipient: freshAddress(),
      }),
    ),
  )

/** Every user sends the deposits of its quotes one after the other; the users at once. */
const depositAll = async (quotes: readonly QuoteAnswer[]): Promise<void> => {
  await Promise.all(
    Array.from({ length: USERS }, async (_, user) => {
      for (const quote of quotes.filter((_item, index) => index % USERS === user)) {
        await depositNative(network.chains[0], userOf(network, user), quote.protocol.v2.orderId, AMOUNT)
      }
    }),
  )
}

const successes = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ done: number }>(
    `select count(*)::int as done from requests where status = 'success'`,
  )
  return rows[0]?.done ?? 0
}

const reached = (pool: Pool, count: number, milliseconds = 60_000): Promise<true> =>
  until(
    `${count} successes`,
    async () => {
      const done = await successes(pool).catch(() => 0)
      return done >= count ? true : null
    },
    milliseconds,
  )

const expectPaidOnce = async (pool: Pool, quotes: readonly QuoteAnswer[]): Promise<void> => {
  await waitForQuiet(pool)
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  expect(quotes.map((quote) => paid.get(quote.protocol.v2.orderId)?.fills ?? 0)).toEqual(quotes.map(() => 1))
  expect(await findDiscrepancies(pool, network)).toEqual([])
}

const withPool = async (url: string, work: (pool: Pool) => Promise<void>): Promise<void> => {
  const pool = createPool({ connectionString: url, max: 3, applicationName: 'causeway test' })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

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
