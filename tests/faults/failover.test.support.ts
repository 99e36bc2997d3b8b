import { coreMigrations } from '@causeway/core/host'
import { createPool, migrate } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import {
  type ClusterServer,
  type PostgresCluster,
  type Standby,
  startPostgresCluster,
} from '../harness/database/postgresCluster.js'
import { depositNative } from '../harness/depositing.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.01')
export const TIMEOUT_MS = 480_000

export let network: LocalNetwork
export let cluster: PostgresCluster
export let pool: Pool
/** The server that is in use. */
export let serving: ClusterServer
const hosts: HostProcess[] = []

export const start = async (leaseSeconds: number): Promise<HostProcess> => {
  const config = { database: { url: cluster.url, leaseSeconds } }
  const host = await startHostProcess({ network, databaseUrl: cluster.url, config })
  hosts.push(host)
  return host
}

export const quoteMany = (host: HostProcess, count: number): Promise<QuoteAnswer[]> =>
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

export const deposit = (quotes: readonly QuoteAnswer[]): Promise<unknown> =>
  Promise.all(
    quotes.map((quote, user) =>
      depositNative(network.chains[0], userOf(network, user), quote.protocol.v2.orderId, AMOUNT),
    ),
  )

/** How often the chain shows the order of each quote paid. */
export const fills = async (quotes: readonly QuoteAnswer[]): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return quotes.map((quote) => paid.get(quote.protocol.v2.orderId)?.fills ?? 0)
}

export const paidOnChain = (quotes: readonly QuoteAnswer[]): Promise<true> =>
  until('the chain to show every fill', async () => ((await fills(quotes)).every((count) => count > 0) ? true : null))

export const logged = (host: HostProcess, words: string): Promise<true> =>
  until(`the log to say ${words}`, async () => (host.log().includes(words) ? true : null))

/** Clients lose the server at the moment that it crashes; the standby takes its place. */
export const failOverTo = async (
  standby: Standby,
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> => {
  await cluster.disconnect()
  await serving.crash()
  await standby.promote()
  await before()
  serving = standby
  await cluster.switchTo(standby)
}

/** Starts two chains and a PostgreSQL with three standbys before the tests of a file, and stops them afterwards; hosts end with their test. */
export const useCluster = (): void => {
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
}
