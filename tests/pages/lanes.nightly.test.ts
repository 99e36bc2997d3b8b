import { coreMigrations } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { operatorToken, startTestHost, type TestHost } from '../harness/host/host.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { hasChromium, keepShot, needsChromium, signInWithToken, TestBrowser } from './browser.js'

it.runIf(needsChromium)('Chromium is there, as CAUSEWAY_REQUIRE_CHROMIUM asks', () => expect(hasChromium).toBe(true))
if (!hasChromium)
  console.info('Skipped: the page of lanes, since this machine has no Chromium (CHROMIUM names another path).')

describe.runIf(hasChromium)('the page of lanes', () => {
  let network: LocalNetwork
  let database: TestDatabase
  let copies: DatabaseCopies
  let browser: TestBrowser
  let pool: Pool | undefined
  let host: TestHost | undefined
  const deployments: Deployment[] = []

  beforeAll(async () => {
    ;[network, browser] = await Promise.all([startLocalNetwork({ blockTimeSeconds: 0.25 }), TestBrowser.start()])
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    copies = databaseCopies(database)
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
    await Promise.all(deployments.splice(0).map((each) => each.kill()))
    await pool?.end()
    await copies?.drop()
    await database?.drop()
    await network?.close()
  })

  const start = async (): Promise<Deployment> => {
    const deployment = await startDeployment({ network, databaseUrl: database.url })
    deployments.push(deployment)
    return deployment
  }

  /** The address of a database that forgot one transfer. */
  const forgetful = async (): Promise<string> => {
    const first = await start()
    await waitForQuiet(first.pool)
    await first.kill()
    const older = await copies.take()
    const second = await start()
    const quote = await quoteTransfer(second.engine, nativeTransfer(network, 0))
    await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
    await waitForStatus(second.requests, quote.requestId, ['success'])
    await waitForQuiet(second.pool)
    await second.kill()
    deployments.splice(0)
    return older
  }

  it('shows a lane that an older database shut, and opens it once an operator has said why and retyped its chain', async () => {
    const url = await forgetful()
    pool = createPool({ connectionString: url, max: 4, applicationName: 'causeway test' })
    host = await startTestHost({ network, database: { url, pool }, plugins: { dashboard: {}, operator: {} } })
    const { page, complaints } = await browser.open(host.url)
    await signInWithToken(page, await operatorToken(pool), '/console/lanes')
    const row = page.getByRole('row').filter({ hasText: 'lagoon' })
    await row.getByText('Quarantined').waitFor()
    await keepShot(page, 'journey-lanes-quarantined')
    await row.getByRole('link').click()
    await page.getByText('Keeps it shut').first().waitFor()
    await keepShot(page, 'journey-lane-quarantined')
    await page.getByRole('button', { name: 'Release the lane' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('paid before the database was put back')
    await dialog.getByLabel('Type lagoon to confirm').fill('harbor')
    const release = dialog.getByRole('button', { name: 'Release the lane' })
    expect(await release.isDisabled()).toBe(true)
    await dialog.getByLabel('Type lagoon to confirm').fill('lagoon')
    await release.click()
    await page.getByText('Released 1 transaction(s).').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page
      .getByText('It pays.')
      .or(page.getByText('Its key is here, and it never had anything to pay.'))
      .first()
      .waitFor()
    await page.goto('/console/audit')
    await page.getByText('paid before the database was put back').first().waitFor()
    expect(complaints).toEqual([])
  })
})
