import { accountOf } from '@causeway/chain-bvm/testing'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kill, refunded, type WalkedKills, walkKills } from '../faults/vmKillWalk.js'
import { waitForQuiet } from '../harness/database/books.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { until } from '../harness/until.js'
import type { Quote } from '../transfers/apiClient.js'
import { UserClient, type UserRequest } from '../transfers/userClient.js'
import { type BitcoinNetwork, BVM_ID, EVM_ID, startBitcoinNetwork } from './bitcoinNetwork.js'
import { paymentsOf } from './orderPayments.js'

/** Satoshis of a token with 18 decimals. */
const SATOSHI = 10n ** 10n

/** A fill to an account of its own. */
const fillTo = (at: number): UserRequest & { readonly recipient: string } => ({
  from: EVM_ID,
  to: BVM_ID,
  symbol: 'BTC',
  amount: (150_000n + BigInt(at)) * SATOSHI,
  recipient: accountOf(new Uint8Array(32).fill(100 + at)).addresses.p2wpkh,
})
const FILL = fillTo(0)
/** Fills of the second test. */
const LATER = [fillTo(1), fillTo(2)] as const
const refundOf = (user: number): UserRequest =>
  refunded({ from: BVM_ID, to: EVM_ID, symbol: 'BTC', amount: 90_000n, user })

/**
 * Adds the tests: hosts die at each failpoint over payments on Bitcoin, each of which is made once. With `versions` one more dies while
 * several versions of a fill wait.
 */
export const testBitcoinKills = (places: readonly string[], { versions = false } = {}): void => {
  let network: BitcoinNetwork
  let database: TestDatabase
  let pool: Pool
  let walked: WalkedKills
  const running: HostProcess[] = []

  beforeAll(async () => {
    ;[network, database] = await Promise.all([startBitcoinNetwork(), createTestDatabase({ packages: [] })])
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await pool?.end()
    await database?.drop()
    await network?.close()
  })

  const payments = ({ protocol }: Quote): readonly [paid: number, withdrawn: number] => {
    const all = paymentsOf(network, protocol.v2.orderId)
    const withdrawn = all.filter(({ withdraws }) => withdraws).length
    return [all.length - withdrawn, withdrawn]
  }
  const checkArrived = async (client: UserClient, quotes: readonly Quote[], requests: readonly UserRequest[]) => {
    for (const [at, { recipient = '' }] of requests.entries())
      expect(await client.balance(BVM_ID, recipient, 'BTC')).toBe(BigInt(quotes[at]?.details.currencyOut.amount ?? 0))
  }
  const checkBooks = async (): Promise<void> => {
    const options = { network: network.host, databaseUrl: database.url }
    const { code, output } = await runOperator(options, ['ledger', 'check'])
    expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
  }

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every order on Bitcoin exactly once`, {
    timeout: 600_000,
  }, async () => {
    walked = await walkKills({
      network,
      databaseUrl: database.url,
      places,
      running,
      requests: { fill: [FILL], refund: [refundOf(1)], withdraw: [refundOf(2)] },
      unpaid: versions ? LATER : [],
    })
    await waitForQuiet(pool, 120_000)
    const { orders, client } = walked
    for (const { quote, end } of orders) expect(payments(quote)).toEqual(end === 'success' ? [1, 0] : [1, 1])
    const filled = orders.filter(({ end }) => end === 'success').map(({ quote }) => quote)
    await checkArrived(client, filled, [FILL])
    await checkBooks()
  })

  if (!versions) return

  it('a host killed while several versions of a fill wait: their coins stay held, and one of them is mined', {
    timeout: 180_000,
  }, async () => {
    const [quote, other] = walked.unpaid
    if (quote === undefined || other === undefined) throw new Error('not quoted')
    const versionsOf = async ({ requestId }: Quote) => {
      const { rows } = await pool.query<{ tx_id: string }>(
        `select a.tx_id from payout_attempts a join payouts p on p.id = a.payout_id
         where p.request_id = $1 and p.purpose = 'fill' order by a.version`,
        [Buffer.from(requestId.slice(2), 'hex')],
      )
      return rows.map((row) => row.tx_id)
    }
    const coinsOf = async ({ requestId }: Quote) => {
      const { rows } = await pool.query<{ guard_key: string }>(
        `select g.guard_key from payout_guards g join payouts p on p.id = g.payout_id
         where p.request_id = $1 and p.purpose = 'fill'`,
        [Buffer.from(requestId.slice(2), 'hex')],
      )
      return rows.map((row) => row.guard_key)
    }
    network.miner.pause()
    await walked.client.pay(quote, LATER[0])
    await until(
      'three versions',
      async () => {
        const found = await versionsOf(quote)
        return found.length >= 3 ? found : null
      },
      60_000,
    )
    await kill(walked.last)
    const second = await startHostProcess({ network: network.host, databaseUrl: database.url })
    running.push(second)
    const client = await UserClient.open(network, { url: second.url, apiKey: walked.apiKey })
    // The coins of the first are held: another order is paid from others.
    await client.pay(other, LATER[1])
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
    await checkArrived(client, [quote, other], LATER)
    await checkBooks()
  })
}
