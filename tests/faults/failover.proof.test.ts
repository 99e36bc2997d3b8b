import type { Diagnosis } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { createPool, migrate } from '@causeway/core/plugin'
import { runDoctor } from '@causeway/host'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import {
  type ClusterServer,
  type PostgresCluster,
  type Standby,
  startPostgresCluster,
} from '../harness/database/postgresCluster.js'
import { depositNative } from '../harness/depositing.js'
import { type HostProcess, hostCommand, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.01')
const TIMEOUT_MS = 480_000

let network: LocalNetwork
let cluster: PostgresCluster
let pool: Pool
/** The server that is in use. */
let serving: ClusterServer
const hosts: HostProcess[] = []

beforeAll(async () => {
  ;[network, cluster] = await Promise.all([startLocalNetwork({ blockTimeSeconds: 0.25 }), startPostgresCluster()])
  serving = cluster.primary
  pool = createPool({ connectionString: cluster.url, max: 3, applicationName: 'causeway test' })
  await migrate(pool, { packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterEach(async () => {
  for (const host of hosts) host.signal('SIGKILL')
  await Promise.all(hosts.splice(0).map(({ ended }) => ended))
})
afterAll(async () => {
  await pool?.end()
  await cluster?.close()
  await network?.close()
})

const start = async (leaseSeconds: number): Promise<HostProcess> => {
  const config = { database: { url: cluster.url, leaseSeconds } }
  const host = await startHostProcess({ network, databaseUrl: cluster.url, config })
  hosts.push(host)
  return host
}

const quoteMany = (host: HostProcess, count: number): Promise<QuoteAnswer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, user) =>
      quoteOverHttp(host.url, {
        user: userOf(network, user),
        from: network.chains[0].chain.chainId,
        to: network.chains[1].chain.chainId,
        originCurrency: NATIVE,
        destinationCurrency: NATIVE,
        amount: AMOUNT,
        recipient: freshAddress(),
      }),
    ),
  )

const deposit = (quotes: readonly QuoteAnswer[]): Promise<unknown> =>
  Promise.all(
    quotes.map((quote, user) =>
      depositNative(network.chains[0], userOf(network, user), quote.protocol.v2.orderId, AMOUNT),
    ),
  )

/** How often the chain shows the order of each quote paid. */
const fills = async (quotes: readonly QuoteAnswer[]): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return quotes.map((quote) => paid.get(quote.protocol.v2.orderId)?.fills ?? 0)
}

const paidOnChain = (quotes: readonly QuoteAnswer[]): Promise<true> =>
  until('the chain to show every fill', async () => ((await fills(quotes)).every((count) => count > 0) ? true : null))

const succeeded = (quotes: readonly QuoteAnswer[]): Promise<true> =>
  until(
    `${quotes.length} successes`,
    async () => {
      const { rows } = await pool.query<{ done: number }>(
        `select count(*)::int as done from requests where status = 'success' and id = any($1::bytea[])`,
        [quotes.map(({ requestId }) => Buffer.from(requestId.slice(2), 'hex'))],
      )
      return rows[0]?.done === quotes.length ? true : null
    },
    TIMEOUT_MS / 2,
  )

const requestsOf = async (server: ClusterServer, quotes: readonly QuoteAnswer[]): Promise<number> => {
  const rows = await server.query<{ count: number }>(
    'select count(*)::int as count from requests where id = any($1::bytea[])',
    [quotes.map(({ requestId }) => Buffer.from(requestId.slice(2), 'hex'))],
  )
  return rows[0]?.count ?? -1
}

const logged = (host: HostProcess, words: string): Promise<true> =>
  until(`the log to say ${words}`, async () => (host.log().includes(words) ? true : null))

/** Clients lose the server at the moment that it crashes; the standby takes its place. */
const failOverTo = async (standby: Standby, before: () => Promise<unknown> = async () => undefined): Promise<void> => {
  await cluster.disconnect()
  await serving.crash()
  await standby.promote()
  await before()
  serving = standby
  await cluster.switchTo(standby)
}

/** What the doctor says of the database in use. */
const replicationFinding = async (): Promise<Diagnosis | undefined> => {
  const { args, env } = await hostCommand({ network, databaseUrl: cluster.url })
  const findings = await runDoctor({ configPath: args[3] ?? '', timeoutMs: 2_000, environment: env })
  return findings.find(({ check }) => check === 'database replication')
}

it('F121: the doctor says what a failover to an asynchronous standby would cost, and what to set', async () => {
  const found = await replicationFinding()
  expect(found).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/2 standbys are asynchronous beside 1 synchronous.*payments that were made/),
    remedy: expect.stringContaining('synchronous_standby_names'),
  })
})

it('a synchronous standby promoted under load has every commit, and each deposit is paid once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const host = await start(2)
  const quotes = await quoteMany(host, 6)
  // They must not be ahead of the one that is promoted.
  for (const standby of cluster.asynchronous) await standby.cut()
  const depositing = deposit(quotes)
  await until('the first fill', async () => ((await fills(quotes)).some((count) => count > 0) ? true : null))
  await failOverTo(cluster.synchronous)
  await depositing
  await succeeded(quotes)
  await waitForQuiet(pool)
  expect(await fills(quotes)).toEqual(quotes.map(() => 1))
  expect(await findDiscrepancies(pool, network)).toEqual([])
  for (const standby of cluster.asynchronous) await standby.follow(cluster.synchronous)
})

it('F121: an asynchronous standby promoted within a lease without the last commits: a host that goes on from memory pays nothing twice', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [first, second] = cluster.asynchronous
  const host = await start(20)
  const quotes = await quoteMany(host, 6)
  await second.caughtUp(serving)
  await first.caughtUp(serving)
  await second.cut()
  await first.cut()
  const [sent, open] = [quotes.slice(0, 4), quotes.slice(4)]
  await deposit(sent)
  await paidOnChain(sent)
  await failOverTo(first, async () => {
    expect(await requestsOf(first, sent)).toBe(0)
    // However long the payments took: the rows of the leases are those of a promotion at once.
    await first.query(
      `update leases set expires_at = clock_timestamp() + interval '20 seconds' where holder is not null`,
    )
  })
  await deposit(open)
  await succeeded(quotes)
  await waitForQuiet(pool)
  expect(await fills(quotes)).toEqual(quotes.map(() => 1))
  expect(await findDiscrepancies(pool, network)).toEqual([])
  await logged(host, 'failed over')
  await second.follow(first)
})

it('F121: promoted beyond every lease: what was paid is known again, what has no quote any more quarantines the lane and is told', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [, second] = cluster.asynchronous
  const host = await start(2)
  const quotes = await quoteMany(host, 4)
  await second.caughtUp(serving)
  await second.cut()
  const forgotten = await quoteMany(host, 1)
  await deposit([...forgotten, ...quotes.slice(1, 3)])
  await paidOnChain([...forgotten, ...quotes.slice(1, 3)])
  await failOverTo(second, () =>
    until('every lease to run out', async () => {
      const rows = await second.query('select from leases where expires_at > clock_timestamp()')
      return rows.length === 0 ? true : null
    }),
  )
  const lane = await until('the lane to be judged', async () => {
    const { rows } = await pool.query<{ reason: string }>(
      `select reason from lanes where chain_id = $1 and state = 'quarantined'`,
      [network.chains[1].chain.chainId],
    )
    return rows[0]
  })
  expect(lane.reason).toContain('orders this database does not know')
  const parked = await until('the deposit without a quote to be parked', async () => {
    const { rows } = await pool.query<{ parked: string }>(
      'select parked_reason as parked from deposits where order_id = $1',
      [Buffer.from(forgotten[0]?.protocol.v2.orderId.slice(2) ?? '', 'hex')],
    )
    return rows[0]
  })
  expect(parked.parked).not.toBeNull()
  await deposit(quotes.slice(0, 1))
  await network.chains[1].chain.mine(20)
  expect(await fills([...forgotten, ...quotes])).toEqual([1, 0, 1, 1, 0])
  await logged(host, 'quarantined')
})
