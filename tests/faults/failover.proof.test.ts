import { expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import type { ClusterServer } from '../harness/database/postgresCluster.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  cluster,
  deposit,
  failOverTo,
  fills,
  logged,
  network,
  paidOnChain,
  pool,
  quoteMany,
  serving,
  start,
  TIMEOUT_MS,
  useCluster,
} from './failover.test.support.js'

useCluster()

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
