import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { statusEventData } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { newApiKey } from '../harness/host/host.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { followSocket, type SocketFollower, type ToldEvent } from '../harness/socketFollower.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.01')
const TRANSFERS = 6

let network: LocalNetwork
let database: TestDatabase
const hosts: HostProcess[] = []

beforeAll(async () => {
  const packages = [{ name: '@causeway/core', migrations: coreMigrations }]
  ;[network, database] = await Promise.all([
    startLocalNetwork({ blockTimeSeconds: 0.25 }),
    createTestDatabase({ packages }),
  ])
})
afterAll(async () => {
  for (const host of hosts) host.signal('SIGKILL')
  await Promise.all(hosts.map(({ ended }) => ended))
  await network?.close()
  await database?.drop()
})

const start = async (): Promise<HostProcess> => {
  const morePlugins = [{ package: '@causeway/plugin-realtime' }]
  const host = await startHostProcess({ network, databaseUrl: database.url, morePlugins })
  hosts.push(host)
  return host
}

const quote = (url: string, apiKey: string, user: number): Promise<QuoteAnswer> =>
  until('a quote', async () => {
    const response = await fetch(`${url}/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({
        user: userOf(network, user).address,
        originChainId: network.chains[0].chain.chainId,
        destinationChainId: network.chains[1].chain.chainId,
        originCurrency: NATIVE,
        destinationCurrency: NATIVE,
        amount: AMOUNT.toString(),
        tradeType: 'EXACT_INPUT',
        recipient: freshAddress(),
        referrer: user === 0 ? 'debug-force-refund' : 'shop.example',
      }),
    })
    // CAST: the shape is the quote schema's, checked by the plugin's own tests.
    return response.ok ? ((await response.json()) as QuoteAnswer) : null
  })

const begun = (follower: SocketFollower) => until('the subscription', async () => follower.cursor)

interface Stored {
  readonly payload: string
  readonly request: Hex
}

it('a client of a host that is killed goes on at another by its cursor: every event of its key, once and in order, as the outbox has it', async () => {
  const [first, second] = [await start(), await start()]
  const { apiKey } = await newApiKey(database.pool, 'shop')
  const quotes = await Promise.all(Array.from({ length: TRANSFERS }, (_, user) => quote(first.url, apiKey, user)))
  const at = followSocket(first.url, { apiKey })
  const beginning = await begun(at)
  const depositing = (async () => {
    for (const [user, { protocol }] of quotes.entries()) {
      await depositNative(network.chains[0], userOf(network, user), protocol.v2.orderId, AMOUNT)
    }
  })()
  await until('a few events', async () => (at.events.length >= 3 ? true : null))
  first.signal('SIGKILL')
  await at.closed
  const again = followSocket(second.url, { apiKey, cursor: at.events.at(-1)?.cursor ?? beginning })
  await depositing
  const told = (): readonly ToldEvent[] => [...at.events, ...again.events]
  const ended = () => told().filter(({ data }) => ['success', 'refund'].includes(data.status))
  await until('the end of every transfer', async () => (ended().length === TRANSFERS ? true : null), 60_000)

  const { rows } = await database.pool.query<Stored>(
    `select payload, '0x' || encode(request_id, 'hex') as request from request_events order by xid, seq`,
  )
  expect(told().map(({ data }) => data)).toEqual(rows.map((row) => statusEventData(row)))
  expect(new Set(told().map(({ id }) => id)).size).toBe(rows.length)
  expect(ended().filter(({ data }) => data.status === 'refund')).toHaveLength(1)
  await waitForQuiet(database.pool, 60_000)
  expect(await findDiscrepancies(database.pool, network)).toEqual([])

  second.signal('SIGTERM')
  expect(await again.closed).toBe(1012)
  expect(await second.ended).toBe('0')
})
