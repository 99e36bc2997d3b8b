import type { Hex } from '@causeway/core'
import { coreMigrations, moveClock } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { Poisoner } from '../harness/poison.js'
import {
  executeQuote,
  nativeTransfer,
  type QuoteAnswer,
  quoteTransfer,
  type TransferRequest,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'

const HOUR = 3_600_000

let network: LocalNetwork
let database: TestDatabase
const ending: (() => Promise<unknown>)[] = []

// One database for all: the books of a second one would not know what the first paid.
beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
  await moveClock(database.pool, 0)
})
afterAll(async () => {
  await database?.drop()
  await network?.close()
})

const started = async (options: Partial<Parameters<typeof startDeployment>[0]>): Promise<Deployment> => {
  const deployment = await startDeployment({ network, databaseUrl: database.url, ...options })
  ending.push(() => deployment.kill())
  return deployment
}

/** A host that starts with the right time; then the clock of its machine jumps. */
const startJumping = async (wrongClockMs: number): Promise<HostProcess> => {
  const host = await startHostProcess({ network, databaseUrl: database.url, wrongClockMs })
  ending.push(() => {
    host.signal('SIGKILL')
    return host.ended
  })
  host.signal('SIGUSR2')
  await until('its clock to jump', async () => (host.log().includes('the clock jumped') ? true : null))
  return host
}

const transferOf = (user: number, more: object = {}): TransferRequest =>
  nativeTransfer(network, user, { amount: ether('0.05'), more: { ...more } })

const deposit = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

/** Seconds from the database's now until a date of a request. */
const secondsAhead = async (requestId: Hex, column: 'quoted_at' | 'created_at'): Promise<number> => {
  const { rows } = await database.pool.query<{ seconds: number }>(
    `select extract(epoch from ${column} - clock_timestamp())::float8 as seconds from requests where id = $1`,
    [Buffer.from(requestId.slice(2), 'hex')],
  )
  return rows[0]?.seconds ?? Number.NaN
}

describe('F129: a running host whose own clock jumps by two hours', () => {
  it.each([2 * HOUR, -2 * HOUR])('by %i ms: quotes, decides and expires by the time of the database', async (off) => {
    const host = await startJumping(off)
    const right = await started({ roles: [] })
    const own = await quoteOverHttp(host.url, transferOf(0))
    // Quoted by a host that is right, decided by the one that is wrong: ahead, it would call the order too old.
    const brief = await quoteTransfer(right.engine, transferOf(1, { ttl: 600 }))
    await Promise.all([deposit(0, own), deposit(1, brief)])
    for (const { requestId } of [own, brief]) await waitForStatus(right.requests, requestId, ['success'])
    for (const column of ['quoted_at', 'created_at'] as const)
      expect(Math.abs(await secondsAhead(own.requestId, column))).toBeLessThan(300)
    // Behind, it would call the order new.
    const late = await quoteTransfer(right.engine, transferOf(2, { ttl: 60 }))
    await moveClock(database.pool, 120_000)
    await until('the host to follow the clock', async () => {
      const { rowCount } = await database.pool.query(
        `select 1 from chain_cursors where updated_at > clock_timestamp() + interval '1 minute'`,
      )
      return rowCount === 0 ? null : true
    })
    await deposit(2, late)
    const view = await waitForStatus(right.requests, late.requestId, ['success', 'refund', 'failure'])
    expect(view).toMatchObject({ status: 'refund', failReason: 'TTL_EXPIRED' })
    await waitForQuiet(right.pool)
    expect(await findDiscrepancies(right.pool, network)).toEqual([])
  })
})

describe('F129: business time is two hours ahead, and then right again', () => {
  it('a decision and a payout that were put off meanwhile are made at once', async () => {
    const poisoner = new Poisoner()
    const deployment = await started({ wrapAdapter: poisoner.wrap })
    const [undecided, unpaid] = await Promise.all(
      [0, 1].map((user) => quoteTransfer(deployment.engine, transferOf(user))),
    )
    if (undecided === undefined || unpaid === undefined) throw new Error('No quotes')
    poisoner.poison(undecided.protocol.v2.orderId, 'simulate', 'throws')
    poisoner.poison(unpaid.protocol.v2.orderId, 'prepare', 'throws')
    await Promise.all([deposit(0, undecided), deposit(1, unpaid)])
    const putOff = (table: 'requests' | 'payouts', hoursAhead: number) =>
      until(`something of ${table} to be put off ${hoursAhead} hours ahead`, async () => {
        const { rowCount } = await database.pool.query(
          `select 1 from ${table} where ${table === 'requests' ? 'id' : 'request_id'} = $1 and trouble is not null
             and next_action_at > clock_timestamp() + $2 * interval '1 hour' - interval '1 minute'`,
          [Buffer.from((table === 'requests' ? undecided : unpaid).requestId.slice(2), 'hex'), hoursAhead],
        )
        return rowCount === 0 ? null : true
      })
    await Promise.all([putOff('requests', 0), putOff('payouts', 0)])
    await moveClock(database.pool, 2 * HOUR)
    await Promise.all([putOff('requests', 2), putOff('payouts', 2)])
    await moveClock(database.pool, 0)
    poisoner.heal()
    for (const { requestId } of [undecided, unpaid]) await waitForStatus(deployment.requests, requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})
