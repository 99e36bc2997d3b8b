import { createPool, FAILPOINTS } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import { until } from '../harness/until.js'
import type { Quote } from '../transfers/apiClient.js'
import { BitcoinClient } from './bitcoinClient.js'
import { type BitcoinNetwork, BVM_ID, EVM_ID, startBitcoinNetwork } from './bitcoinNetwork.js'
import { paymentsOf } from './orderPayments.js'

const MONEY = ['watcher', 'solver']
/** Where a payment of each kind is stored, sent, and seen on the chain but not yet noted. */
const PLACES = FAILPOINTS.filter((name) =>
  /^(fill|refund|withdraw)\.(store\.after|broadcast\.after|included\.before)$/.test(name),
)

let network: BitcoinNetwork
let database: TestDatabase
let pool: Pool
let client: BitcoinClient
const running: HostProcess[] = []

beforeAll(async () => {
  ;[network, database] = await Promise.all([startBitcoinNetwork(), createTestDatabase({ packages: [] })])
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  const api = await start({ roles: ['api'] })
  const apiKey = await createApiKey({ network: network.host, databaseUrl: database.url })
  client = await BitcoinClient.open(network, { url: api.url, apiKey })
})
afterAll(async () => {
  for (const host of running) host.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await pool?.end()
  await database?.drop()
  await network?.close()
})

const start = async (options: { readonly roles: readonly string[]; readonly failpoint?: string }) => {
  const host = await startHostProcess({ network: network.host, databaseUrl: database.url, ...options })
  running.push(host)
  return host
}

const fill = { from: EVM_ID, to: BVM_ID, satoshis: 150_000n } as const
const refund = {
  from: BVM_ID,
  to: EVM_ID,
  satoshis: 90_000n,
  user: 1,
  more: { referrer: 'debug-force-refund' },
} as const

const payments = ({ protocol }: Quote): readonly [paid: number, withdrawn: number] => {
  const all = paymentsOf(network, protocol.v2.orderId)
  const withdrawn = all.filter(({ withdraws }) => withdraws).length
  return [all.length - withdrawn, withdrawn]
}

const checkBooks = async (): Promise<void> => {
  const { code, output } = await runOperator({ network: network.host, databaseUrl: database.url }, ['ledger', 'check'])
  expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
}

it(`F39, F42: a host killed at each of ${PLACES.length} places pays every order on Bitcoin exactly once`, {
  timeout: 600_000,
}, async () => {
  const orders: { readonly quote: Quote; readonly end: 'fill' | 'refund' }[] = []
  for (const failpoint of PLACES) {
    // Each host first finishes what the one before it left behind.
    const host = await start({ roles: MONEY, failpoint })
    const quotes = await Promise.all([client.quote(fill), client.quote(refund)])
    await Promise.all([client.pay(quotes[0], fill), client.pay(quotes[1], refund)])
    orders.push({ quote: quotes[0], end: 'fill' }, { quote: quotes[1], end: 'refund' })
    expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
  }
  const last = await start({ roles: MONEY })
  for (const { quote, end } of orders) {
    await client.waitFor(quote.requestId, [end === 'fill' ? 'success' : 'refund'], 120_000)
  }
  await waitForQuiet(pool, 120_000)
  for (const { quote, end } of orders) expect(payments(quote)).toEqual(end === 'fill' ? [1, 0] : [1, 1])
  await checkBooks()
  last.signal('SIGKILL')
  await last.ended
  console.info(`${PLACES.length} places, ${orders.length} orders`)
})

it('a host killed while several versions of a fill wait: their coins stay held, and one of them is mined', {
  timeout: 180_000,
}, async () => {
  const versionsOf = async ({ requestId }: Quote) => {
    const { rows } = await pool.query<{ tx_id: string }>(
      `select a.tx_id from payout_attempts a join payouts p on p.id = a.payout_id
       where p.request_id = $1 and p.purpose = 'fill' order by a.version`,
      [Buffer.from(requestId.slice(2), 'hex')],
    )
    return rows.map((row) => row.tx_id)
  }
  network.miner.pause()
  const first = await start({ roles: MONEY })
  const quote = await client.quote(fill)
  await client.pay(quote, fill)
  await until(
    'three versions',
    async () => {
      const found = await versionsOf(quote)
      return found.length >= 3 ? found : null
    },
    60_000,
  )
  first.signal('SIGKILL')
  await first.ended
  await start({ roles: MONEY })
  const coinsOf = async ({ requestId }: Quote) => {
    const { rows } = await pool.query<{ guard_key: string }>(
      `select g.guard_key from payout_guards g join payouts p on p.id = g.payout_id
       where p.request_id = $1 and p.purpose = 'fill'`,
      [Buffer.from(requestId.slice(2), 'hex')],
    )
    return rows.map((row) => row.guard_key)
  }
  // The coins of the first are held: another order is paid from others.
  const other = await client.quote(fill)
  await client.pay(other, fill)
  await until('a second fill', async () => ((await versionsOf(other)).length > 0 ? true : null))
  const [held, taken] = [await coinsOf(quote), await coinsOf(other)]
  expect(Math.min(held.length, taken.length)).toBeGreaterThan(0)
  expect(held.filter((guard) => taken.includes(guard))).toEqual([])
  network.miner.resume()
  for (const { requestId } of [quote, other]) await client.waitFor(requestId, ['success'], 60_000)
  await waitForQuiet(pool, 60_000)
  expect([payments(quote), payments(other)]).toEqual([
    [1, 0],
    [1, 0],
  ])
  await checkBooks()
})
