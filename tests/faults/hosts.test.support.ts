import type { Pool } from 'pg'
import { afterEach, beforeEach, expect } from 'vitest'
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
export const hosts: HostProcess[] = []

export const start = async (options: Omit<HostProcessOptions, 'network'>): Promise<HostProcess> => {
  const host = await startHostProcess({ network, ...options })
  hosts.push(host)
  return host
}

export const quoteMany = (url: string, count: number): Promise<QuoteAnswer[]> =>
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
export const depositAll = async (quotes: readonly QuoteAnswer[]): Promise<void> => {
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

export const reached = (pool: Pool, count: number, milliseconds = 60_000): Promise<true> =>
  until(
    `${count} successes`,
    async () => {
      const done = await successes(pool).catch(() => 0)
      return done >= count ? true : null
    },
    milliseconds,
  )

export const expectPaidOnce = async (pool: Pool, quotes: readonly QuoteAnswer[]): Promise<void> => {
  await waitForQuiet(pool)
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  expect(quotes.map((quote) => paid.get(quote.protocol.v2.orderId)?.fills ?? 0)).toEqual(quotes.map(() => 1))
  expect(await findDiscrepancies(pool, network)).toEqual([])
}

/** Starts two chains before each test of a file, and afterwards kills the hosts that it started. */
export const useHosts = (): void => {
  beforeEach(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  })
  afterEach(async () => {
    for (const host of hosts) host.signal('SIGKILL')
    await Promise.all(hosts.splice(0).map(({ ended }) => ended))
    await network?.close()
  })
}
