import type { Hex } from '@causeway/core'
import { coreMigrations, moveClock } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { newApiKey } from '../harness/host/host.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, nativeTransfer, type QuoteAnswer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from '../operator/operatorDesk.js'
import { nativeBody } from './httpWorld.js'

const DAY_MS = 86_400_000
/** Later than the week ends in which 30 days are over. */
const LATER_MS = 38 * DAY_MS

let network: LocalNetwork
let database: TestDatabase
/** Without watcher and solver: the operator's place, and where statuses are read. */
let desk: Deployment
const hosts: HostProcess[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  await start()
  desk = await startDeployment({ network, databaseUrl: database.url, roles: [] })
})
afterAll(async () => {
  await moveClock(database.pool, 0)
  await desk?.kill()
  for (const host of hosts) {
    host.signal('SIGKILL')
    await host.ended
  }
  await database?.drop()
  await network?.close()
})

const start = async (): Promise<HostProcess> => {
  const host = await startHostProcess({
    network,
    databaseUrl: database.url,
    config: { quotes: { anonymousMiBPerDay: 4 } },
  })
  hosts.push(host)
  return host
}

const url = (): string => hosts[0]?.url ?? ''

const transfer = (user: number) => quoteOverHttp(url(), nativeTransfer(network, user, { amount: ether('0.05') }))

const deposit = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

const statusOf = async (requestId: Hex): Promise<number> =>
  (await callApi(url(), `/intents/status/v3?requestId=${requestId}`)).status

describe('F133: a quote that nobody paid for 8 days', () => {
  it('is unknown afterwards; the money of a late deposit is parked with the reason and can be sent back; what was paid stays', async () => {
    const [paid, unpaid] = [await transfer(0), await transfer(1)]
    await deposit(0, paid)
    await waitForStatus(desk.requests, paid.requestId, ['success'])
    await waitForQuiet(desk.pool)
    expect(await statusOf(unpaid.requestId)).toBe(200)
    await moveClock(database.pool, LATER_MS)
    // Another host that starts looks at once; the first one goes on beside it.
    await start()
    await until('the quote to be dropped', async () => ((await statusOf(unpaid.requestId)) === 404 ? true : null))
    expect(await statusOf(paid.requestId)).toBe(200)
    await deposit(1, unpaid)
    const parked = await until('the deposit to be parked', async () => {
      const { rows } = await database.pool.query<{ id: string; reason: string }>(
        `select id::text as id, parked_reason as reason from deposits where parked_reason is not null`,
      )
      return rows[0]
    })
    expect(parked.reason).toContain('its quote was dropped after 8 days without a payment')
    const to = freshAddress()
    const office = openDesk(desk)
    await until('the deposit to settle', async () =>
      office.run('parked refund', [parked.id], { yes: true, reason: 'came late', to }).then(
        () => true,
        () => null,
      ),
    )
    await waitForQuiet(desk.pool)
    const { rows } = await database.pool.query<{ what: string }>(
      `select purpose || ' ' || state as what from payouts where deposit_id = $1 order by id`,
      [parked.id],
    )
    expect(rows.map(({ what }) => what)).toContain('refund final')
    // Events of what was paid back then were dropped too.
    const wrong = await findDiscrepancies(desk.pool, network)
    expect(wrong.filter((line) => !line.includes(`${paid.requestId.slice(2)} is not in the outbox`))).toEqual([])
  })
})

describe('F133: what callers without a key make the service store in a day', () => {
  it('is refused beyond the bound, plainly and for them alone', async () => {
    const { apiKey } = await newApiKey(database.pool, 'shop')
    const body = nativeBody({ network }, { padding: 'x'.repeat(200_000) })
    const refused = await until('the bound', async () => {
      const answer = await callApi(url(), '/quote', { body })
      return answer.status === 200 ? null : answer
    })
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      message:
        'Your calls used up the daily storage of one caller. Send an API key that the operator trusts, or try again after midnight UTC.',
    })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    expect(refused.headers.get('ratelimit-reset')).toBe(`${seconds}`)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('ratelimit-limit'))).toBe(2)
    const { rows } = await database.pool.query<{ bytes: bigint }>(
      `select coalesce(sum(octet_length(body)), 0)::bigint as bytes from quotes where integrator_id is null`,
    )
    expect(rows[0]?.bytes).toBeLessThanOrEqual(1024n ** 2n / 2n)
    expect((await callApi(url(), '/quote', { body, apiKey })).status).toBe(200)
  })
})
