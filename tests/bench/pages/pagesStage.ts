import type { Hex } from '@causeway/core'
import { createPool, fromBytea, migrate } from '@causeway/core/plugin'
import type pg from 'pg'
import type { BrowserContext } from 'playwright-core'
import { operatorToken } from '../../harness/host/host.js'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import { signInWithToken, TestBrowser } from '../../pages/browser.js'
import { SEEDED_PACKAGES, seedRequests } from '../../seed/seedRequests.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'

/** A host with the pages and a long history of one integrator, and a browser in which an operator is signed in. */
export interface PagesStage {
  readonly world: BenchWorld
  readonly host: HostProcess
  readonly pool: pg.Pool
  readonly browser: TestBrowser
  /** The profile with the session. */
  readonly session: BrowserContext
  /** A request that waits for its deposit. */
  readonly request: Hex
}

/** Whose the whole history is. */
export const INTEGRATOR = '5eed0000-0000-4000-8000-000000000001'

const PLUGINS = ['requests-v3', 'app-fees', 'balances', 'usage', 'realtime', 'webhooks', 'dashboard']

/** Runs `work` with all of it, and puts it away afterwards. */
export const withPagesStage = async <Result>(
  world: BenchWorld,
  work: (stage: PagesStage) => Promise<Result>,
): Promise<Result> => {
  const databaseUrl = await world.createDatabase()
  const pool = createPool({ connectionString: databaseUrl, max: 4, applicationName: 'bench' })
  const browser = await TestBrowser.start()
  try {
    await seed(world, pool, databaseUrl)
    const host = await world.startHost({
      databaseUrl,
      // The history went over more chains than there are here.
      config: { database: { url: databaseUrl, leaseSeconds: 2, allowUnconfigured: true } },
      morePlugins: PLUGINS.map((name) => ({ package: `@causeway/plugin-${name}` })),
    })
    await waitUntilQuoting(world, host.url)
    const request = await waitingRequest(pool)
    const { page, context: session } = await browser.open(host.url)
    await signInWithToken(page, await operatorToken(pool))
    await page.close()
    const result = await work({ world, host, pool, browser, session, request })
    await world.stopHost(host)
    return result
  } finally {
    await browser.close()
    await pool.end()
  }
}

const seed = async (world: BenchWorld, pool: pg.Pool, databaseUrl: string): Promise<void> => {
  const { records } = world.scale.pages
  await migrate(pool, { packages: SEEDED_PACKAGES })
  world.say(`pages: writing ${records} requests`)
  await seedRequests(databaseUrl, {
    requests: records,
    seed: 1,
    owner: { apiKeyId: 'bench', integratorId: INTEGRATOR },
  })
}

const waitingRequest = async (pool: pg.Pool): Promise<Hex> => {
  const { rows } = await pool.query<{ id: Buffer }>(`select id from requests where status = 'waiting' limit 1`)
  const [found] = rows
  if (found === undefined) throw new Error('No request of the history waits')
  return fromBytea(found.id)
}
