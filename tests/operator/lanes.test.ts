import { Writable } from 'node:stream'
import { coreMigrations, moveClock } from '@causeway/core/host'
import { findAudit } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { pino } from 'pino'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type Deployment, type DeploymentOptions, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
/** Ended after the tests even when one fails. */
const deployments: Deployment[] = []
let copies: DatabaseCopies
/** The one database that knows, or was told, what the chains show. */
let older: string

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  copies = databaseCopies(database)
})
afterAll(async () => {
  await Promise.all(deployments.splice(0).map((item) => item.kill()))
  await copies?.drop()
  await database?.drop()
  await network?.close()
})

const start = async (databaseUrl: string, more: Partial<DeploymentOptions> = {}): Promise<Deployment> => {
  const deployment = await startDeployment({ network, databaseUrl, ...more })
  deployments.push(deployment)
  return deployment
}

const stop = async (deployment: Deployment): Promise<void> => {
  deployments.splice(deployments.indexOf(deployment), 1)
  await deployment.kill()
}

/** A transfer of native currency from harbor to lagoon. */
const quoteOf = ({ engine }: Deployment, user: number, amount = ether('0.1')): Promise<QuoteAnswer> => {
  const [origin, destination] = network.chains
  return quoteTransfer(engine, {
    user: userOf(network, user),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount,
    recipient: freshAddress(),
  })
}

const deposit = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

const transfer = async (deployment: Deployment, user: number, amount?: bigint): Promise<QuoteAnswer> => {
  const quote = await quoteOf(deployment, user, amount)
  await deposit(user, quote)
  return quote
}

/** Until quotes to lagoon are refused, which hosts notice by a notification. */
const refused = (deployment: Deployment) =>
  until('quotes to be refused', () =>
    quoteOf(deployment, 3).then(
      () => null,
      ({ code, message }: { code: string; message: string }) => ({ code, message }),
    ),
  )
const PAUSED = {
  code: 'SERVICE_UNAVAILABLE',
  message: expect.stringMatching(
    /^Payouts on chain \d+ are paused until the operator has checked them\. Try again later\.$/,
  ),
}

const fillsOf = async ({ protocol }: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], network.roles.solver.address)).get(protocol.v2.orderId)?.fills ?? 0

interface LaneJson {
  readonly chain: string
  readonly signer: string
  readonly state: string
  readonly reason: string | null
  readonly liveAttempts: number
  readonly waitingForLimit: number
  readonly oldestUnpaidAt: number | null
  readonly spending: readonly { readonly currency: string; readonly spent: string; readonly limit: string | null }[]
  readonly unmatched: readonly { readonly txId: string; readonly orderId: string; readonly amount: string }[]
}

const laneOf = async (deployment: Deployment, chain: string): Promise<LaneJson> => {
  // CAST: the documented shape of the command's output.
  const { lanes } = JSON.parse((await deployment.command('lanes', [], { json: true })).join('\n')) as {
    lanes: readonly LaneJson[]
  }
  const lane = lanes.find((item) => item.chain === chain)
  if (lane === undefined) throw new Error(`There is no lane of ${chain}`)
  return lane
}

const laneIs = (deployment: Deployment, chain: string, state: string): Promise<LaneJson> =>
  until(`the lane of ${chain} to be ${state}`, async () => {
    const lane = await laneOf(deployment, chain)
    return lane.state === state ? lane : null
  })

describe('F118: a lane quarantined by an older database', () => {
  it('is inspected, released by an operator with a reason, and pays again; the audit keeps who and why', async () => {
    const first = await start(database.url)
    await waitForQuiet(first.pool)
    const waiting = await quoteOf(first, 2)
    await stop(first)
    older = await copies.take()
    const current = await start(database.url)
    const paid = await transfer(current, 0)
    const alsoPaid = await transfer(current, 1)
    for (const { requestId } of [paid, alsoPaid]) await waitForStatus(current.requests, requestId, ['success'])
    await waitForQuiet(current.pool)
    await stop(current)

    const restored = await start(older)
    const shut = await laneIs(restored, 'lagoon', 'quarantined')
    expect(shut.unmatched.map(({ orderId }) => orderId).sort()).toEqual(
      [paid, alsoPaid].map(({ protocol }) => protocol.v2.orderId).sort(),
    )
    expect(await refused(restored)).toEqual(PAUSED)
    await deposit(2, waiting)
    await waitForStatus(restored.requests, waiting.requestId, ['pending'])

    const table = (await restored.command('lanes')).join('\n')
    expect(table).toMatch(new RegExp(`lagoon +${shut.signer} +quarantined`))
    expect(table).toContain('causeway lanes inspect lagoon')
    const inspected = (await restored.command('lanes inspect', ['lagoon'])).join('\n')
    for (const { txId, orderId } of shut.unmatched) {
      expect(inspected).toContain(txId)
      expect(inspected).toContain(orderId)
    }

    const release = (options: object) =>
      restored.command('lanes release', ['lagoon', shut.signer], { yes: true, reason: 'paid by us', ...options })
    await expect(release({})).rejects.toThrow('either --tx <hash> or --all')
    await expect(release({ all: true, reason: ' ' })).rejects.toThrow('--reason')
    await expect(release({ all: true, yes: false })).rejects.toThrow('--yes')
    await expect(release({ tx: `0x${'9'.repeat(64)}` })).rejects.toThrow('does not keep the lane')
    expect(await findAudit(restored.pool, { limit: 10 })).toEqual([])

    const [one] = shut.unmatched
    expect((await release({ tx: one?.txId })).at(-1)).toBe('Released 1 transaction(s).')
    expect(await fillsOf(waiting)).toBe(0)
    expect((await laneOf(restored, 'lagoon')).unmatched).toHaveLength(1)
    await release({ all: true })
    await waitForStatus(restored.requests, waiting.requestId, ['success'])
    expect(await fillsOf(waiting)).toBe(1)
    for (const quote of [paid, alsoPaid]) expect(await fillsOf(quote)).toBe(1)
    await laneIs(restored, 'lagoon', 'open')

    const audit = await findAudit(restored.pool, {
      subject: `lane ${network.chains[1].chain.chainId} ${shut.signer}`,
      limit: 10,
    })
    expect(audit.map(({ action, details }) => [action, details.reason])).toEqual([
      ['lanes release', 'paid by us'],
      ['lanes release', 'paid by us'],
    ])
    expect(audit[1]?.details.transactions).toMatchObject([{ txId: one?.txId }])
    await expect(release({ all: true })).rejects.toThrow('Nothing keeps the lane')

    // The withdrawals of those orders keep the other lane shut.
    await laneIs(restored, 'harbor', 'quarantined')
    await restored.command('lanes release', ['harbor', shut.signer], {
      yes: true,
      all: true,
      reason: 'our withdrawals',
    })
    await laneIs(restored, 'harbor', 'open')
    await stop(restored)
  })

  it('refuses a lane that does not exist, naming those that do', async () => {
    const deployment = await start(older)
    await expect(deployment.command('lanes inspect', ['lagune'])).rejects.toThrow(/no lane lagune.*Known: .*lagoon 0x/)
    await stop(deployment)
  })
})

describe('the hourly limit of a lane', () => {
  const told: string[] = []
  let hosts: readonly [Deployment, Deployment]

  beforeAll(async () => {
    const log = pino(
      { level: 'error' },
      new Writable({
        write: (line, _encoding, done) => {
          if (String(line).includes('hourly limit')) told.push(String(line))
          done()
        },
      }),
    )
    const { chainId } = network.chains[1].chain
    // Room for two transfers beside the one that was paid in this hour.
    const limits = { perHour: { [chainId]: [{ currency: NATIVE, amount: '0.35' }] }, solver: { batch: 2 }, log }
    hosts = [await start(older, limits), await start(older, limits)]
  })

  it('a fill larger than the whole limit is refunded at once: waiting would not help', async () => {
    const quote = await transfer(hosts[0], 4, ether('0.6'))
    const view = await waitForStatus(hosts[0].requests, quote.requestId, ['refund'])
    expect(view.failReason).toBe('SOLVER_CAPACITY_EXCEEDED')
    expect(await fillsOf(quote)).toBe(0)
  })

  it('holds for two hosts and several batches: payouts wait, the operator is told once, and they go on when the hour has moved', async () => {
    const quotes: QuoteAnswer[] = []
    for (const user of [0, 1, 2, 3]) quotes.push(await transfer(hosts[user % 2 === 0 ? 0 : 1], user))
    const lane = await until('two payouts to wait', async () => {
      const seen = await laneOf(hosts[0], 'lagoon')
      return seen.waitingForLimit === 2 && seen.liveAttempts === 0 ? seen : null
    })
    expect(lane).toMatchObject({ state: 'limited', spending: [{ currency: NATIVE, limit: ether('0.35').toString() }] })
    expect(BigInt(lane.spending[0]?.spent ?? 0)).toBeLessThanOrEqual(ether('0.35'))
    expect((await hosts[1].command('lanes')).join('\n')).toContain('2 payout(s) wait for the hourly limit')
    const fills = async () => (await Promise.all(quotes.map(fillsOf))).reduce((sum, count) => sum + count, 0)
    expect(await fills()).toBe(2)
    expect(told).toHaveLength(1)

    await moveClock(hosts[0].pool, 62 * 60_000)
    for (const { requestId } of quotes) await waitForStatus(hosts[0].requests, requestId, ['success'])
    expect(await fills()).toBe(4)
  })
})

describe('F158: a payout key that was used before its database knew it', () => {
  const empty: TestDatabase[] = []
  afterAll(() => Promise.all(empty.map((item) => item.drop())))
  const startEmpty = async (more: Partial<DeploymentOptions> = {}): Promise<Deployment> => {
    const made = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    empty.push(made)
    return start(made.url, { solver: { usedKeys: 'wait' }, ...more })
  }

  it('pays once an operator says that no other deployment uses it; its balance is capital from then on', async () => {
    const deployment = await startEmpty()
    const slugs = network.chains.map(({ slug }) => slug)
    for (const slug of slugs)
      expect((await laneIs(deployment, slug, 'quarantined')).reason).toMatch(/sent transactions before this database/)
    const capital = async () =>
      (await deployment.pool.query(`select from ledger_entries where account = 'capital'`)).rowCount ?? 0
    expect(await capital()).toBe(0)
    expect(await refused(deployment)).toEqual(PAUSED)
    for (const slug of slugs) {
      const { signer } = await laneOf(deployment, slug)
      const inspected = (await deployment.command('lanes inspect', [slug])).join('\n')
      expect(inspected).toContain(`causeway lanes release ${slug} ${signer} --all`)
      const options = { all: true, reason: 'used here alone from now on', yes: true }
      await deployment.command('lanes release', [slug, signer], options)
      await laneIs(deployment, slug, 'open')
    }
    const paid = await until('quotes to be taken', () => transfer(deployment, 3).catch(() => null))
    await waitForStatus(deployment.requests, paid.requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect(await capital()).toBeGreaterThan(0)
    // Deposits that the databases before have withdrawn are read again; the wallets are as the chains say.
    const found = await findDiscrepancies(deployment.pool, network)
    expect(found.filter((line) => !line.includes(' depository '))).toEqual([])
    await stop(deployment)
  })

  it('opens at once where the key is fresh', async () => {
    const privateKey = generatePrivateKey()
    const solver = { privateKey, address: privateKeyToAccount(privateKey).address }
    for (const { chain } of network.chains) await chain.fund(solver.address, ether('1'))
    const deployment = await startEmpty({ network: { ...network, roles: { ...network.roles, solver } } })
    for (const { slug } of network.chains) await laneIs(deployment, slug, 'open')
    await stop(deployment)
  })
})
