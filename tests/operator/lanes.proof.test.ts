import { coreMigrations } from '@causeway/core/host'
import { findAudit } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import type { Deployment, DeploymentOptions } from '../harness/host/deployment.js'
import { ether } from '../harness/localNetwork.js'
import { waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { LaneWorld, laneIs, laneOf } from './laneWorld.js'

let world: LaneWorld
let copies: DatabaseCopies
/** The one database that knows, or was told, what the chains show. */
let older: string

beforeAll(async () => {
  world = await LaneWorld.open()
  copies = databaseCopies(world.database)
})
afterAll(async () => {
  await copies?.drop()
  await world?.close()
})

/** Until quotes to lagoon are refused, which hosts notice by a notification. */
const refused = (deployment: Deployment) =>
  until('quotes to be refused', () =>
    world.quote(deployment, 3).then(
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

describe('F118: a lane quarantined by an older database', () => {
  it('is inspected, released by an operator with a reason, and pays again; the audit keeps who and why', async () => {
    const first = await world.start(world.database.url)
    await waitForQuiet(first.pool)
    const waiting = await world.quote(first, 2)
    await world.stop(first)
    older = await copies.take()
    const current = await world.start(world.database.url)
    const paid = await world.transfer(current, 0)
    const alsoPaid = await world.transfer(current, 1)
    for (const { requestId } of [paid, alsoPaid]) await waitForStatus(current.requests, requestId, ['success'])
    await waitForQuiet(current.pool)
    await world.stop(current)

    const restored = await world.start(older)
    const shut = await laneIs(restored, 'lagoon', 'quarantined')
    expect(shut.unmatched.map(({ orderId }) => orderId).sort()).toEqual(
      [paid, alsoPaid].map(({ protocol }) => protocol.v2.orderId).sort(),
    )
    expect(await refused(restored)).toEqual(PAUSED)
    await world.deposit(2, waiting)
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
    expect(await world.fillsOf(waiting)).toBe(0)
    expect((await laneOf(restored, 'lagoon')).unmatched).toHaveLength(1)
    await release({ all: true })
    await waitForStatus(restored.requests, waiting.requestId, ['success'])
    expect(await world.fillsOf(waiting)).toBe(1)
    for (const quote of [paid, alsoPaid]) expect(await world.fillsOf(quote)).toBe(1)
    await laneIs(restored, 'lagoon', 'open')

    const audit = await findAudit(restored.pool, {
      subject: `lane ${world.network.chains[1].chain.chainId} ${shut.signer}`,
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
    await world.stop(restored)
  })

  it('refuses a lane that does not exist, naming those that do', async () => {
    const deployment = await world.start(older)
    await expect(deployment.command('lanes inspect', ['lagune'])).rejects.toThrow(/no lane lagune.*Known: .*lagoon 0x/)
    await world.stop(deployment)
  })
})

describe('F158: a payout key that was used before its database knew it', () => {
  const empty: TestDatabase[] = []
  afterAll(() => Promise.all(empty.map((item) => item.drop())))
  const startEmpty = async (more: Partial<DeploymentOptions> = {}): Promise<Deployment> => {
    const made = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    empty.push(made)
    return world.start(made.url, { solver: { usedKeys: 'wait' }, ...more })
  }

  it('pays once an operator says that no other deployment uses it; its balance is capital from then on', async () => {
    const deployment = await startEmpty()
    const slugs = world.network.chains.map(({ slug }) => slug)
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
    const paid = await until('quotes to be taken', () => world.transfer(deployment, 3).catch(() => null))
    await waitForStatus(deployment.requests, paid.requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect(await capital()).toBeGreaterThan(0)
    // Deposits that the databases before have withdrawn are read again; the wallets are as the chains say.
    const found = await findDiscrepancies(deployment.pool, world.network)
    expect(found.filter((line) => !line.includes(' depository '))).toEqual([])
    await world.stop(deployment)
  })

  it('opens at once where the key is fresh', async () => {
    const privateKey = generatePrivateKey()
    const solver = { privateKey, address: privateKeyToAccount(privateKey).address }
    for (const { chain } of world.network.chains) await chain.fund(solver.address, ether('1'))
    const deployment = await startEmpty({ network: { ...world.network, roles: { ...world.network.roles, solver } } })
    for (const { slug } of world.network.chains) await laneIs(deployment, slug, 'open')
    await world.stop(deployment)
  })
})
