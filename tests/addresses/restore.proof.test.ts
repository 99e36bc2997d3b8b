import { coreMigrations } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.05')

interface Given {
  readonly answer: QuoteAnswer
  readonly address: string
  readonly recipient: string
}

let network: LocalNetwork
let database: TestDatabase
let copies: DatabaseCopies
let host: HostProcess
let pool: Pool
/** Given before the backup, paid after it. */
let strict: Given
let open: Given
/** Given and paid after it. */
let forgotten: Given

const give = async (more: object): Promise<Given> => {
  const recipient = freshAddress()
  const [origin, destination] = network.chains
  const answer = await quoteOverHttp(host.url, {
    user: userOf(network, 0),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: AMOUNT,
    recipient,
    more: { useDepositAddress: true, refundTo: freshAddress(), ...more },
  })
  return { answer, address: answer.steps[0]?.items[0]?.data.to ?? '', recipient }
}

const pay = async ({ address: to }: Given, amount = AMOUNT): Promise<void> => {
  const { chain } = network.chains[0]
  await receiptOf(chain, await chain.send(userOf(network, 0), { to, value: amount }))
}

const got = ({ recipient }: Given): Promise<bigint> => balanceOnChain(network.chains[1], recipient, NATIVE)

const filled = ({ answer: { requestId } }: Given): Promise<true> =>
  until(`${requestId} to be filled`, async () => {
    const response = await fetch(`${host.url}/intents/status/v3?requestId=${requestId}`)
    const { status } = (await response.json()) as { readonly status?: string }
    return status === 'success' ? true : null
  })

const start = async (databaseUrl: string): Promise<void> => {
  host = await startHostProcess({ network, databaseUrl, addresses: true })
}

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  copies = databaseCopies(database)
  await start(database.url)
  strict = await give({ strict: true })
  open = await give({})
  host.signal('SIGTERM')
  await host.ended
  const older = await copies.take()
  await start(database.url)
  forgotten = await give({ strict: true })
  for (const item of [strict, open, forgotten]) await pay(item)
  for (const item of [strict, open, forgotten]) await filled(item)
  const before = createPool({ connectionString: database.url, max: 1, applicationName: 'causeway test' })
  await waitForQuiet(before).finally(() => before.end())
  host.signal('SIGKILL')
  await host.ended
  await start(older)
  pool = createPool({ connectionString: older, max: 1, applicationName: 'causeway test' })
  // What paid the quote that this database forgot belongs to nobody: an operator has looked.
  await until('the lanes to be read', async () => {
    const { rows } = await pool.query(`select 1 from lanes where state = 'quarantined'`)
    return rows.length === 2 ? true : null
  })
  for (const { slug } of network.chains) {
    const words = ['lanes', 'release', slug, network.roles.solver.address, '--all', '--reason', 'test', '--yes']
    await runOperator({ network, databaseUrl: older, addresses: true }, words)
  }
})
afterAll(async () => {
  host?.signal('SIGKILL')
  await host?.ended
  await pool?.end()
  await copies?.drop()
  await database?.drop()
  await network?.close()
})

it('faults.md F118: what a database from before the payments finds swept and filled is not paid again', async () => {
  for (const item of [strict, open]) {
    await filled(item)
    expect(await got(item)).toBe(BigInt(item.answer.details.currencyOut.amount))
  }
  const { rows } = await pool.query<{ purpose: string; imported: boolean }>(
    `select p.purpose, bool_and(exists (select from imported_transactions i where i.payout_id = p.id)) as imported
     from payouts p where p.purpose in ('sweep', 'fill') group by 1 order by 1`,
  )
  expect(rows).toContainEqual({ purpose: 'fill', imported: true })
})

it('faults.md F18: what came to an address that it forgot is parked and visible, and no address is given twice', async () => {
  const parked = await until('the forgotten deposit', async () => {
    const { rows } = await pool.query<{ amount: string }>(
      `select amount::text as amount from deposits where parked_reason is not null and order_id = $1`,
      [Buffer.from(forgotten.answer.protocol.v2.orderId.slice(2), 'hex')],
    )
    return rows[0] ?? null
  })
  expect(BigInt(parked.amount)).toBe(AMOUNT)
  const next = await give({ strict: true })
  expect([strict.address, open.address, forgotten.address]).not.toContain(next.address)
})

it('an open address from before goes on: what comes now is filled for itself', async () => {
  await pay(open, AMOUNT * 2n)
  const more = await until('the second fill', async () => {
    const amount = await got(open)
    return amount > BigInt(open.answer.details.currencyOut.amount) * 2n ? amount : null
  })
  expect(more).toBeLessThan(AMOUNT * 3n)
  await waitForQuiet(pool)
  expect(await got(strict)).toBe(BigInt(strict.answer.details.currencyOut.amount))
})
