import { coreMigrations } from '@causeway/core/host'
import { createPool, FAILPOINTS } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import type { TransferRequest } from '../harness/transfer.js'
import { findProblems, quoteAddressScenario, quoteScenario, type ScenarioOrder, waitForOrders } from './scenario.js'

const MONEY = ['watcher', 'solver']
/** Those of claims, of fast fills and of what is sent for users have tests of their own. */
const PLACES = FAILPOINTS.filter((name) => !/^(claim|fast-fill|credit|origin)\./.test(name))

/** Places that only money passes which came to an address. */
const isOfSweep = (failpoint: string): boolean => /^(arrivals|sweep)\./.test(failpoint)

let network: LocalNetwork
let database: TestDatabase
const running: HostProcess[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
})
afterAll(async () => {
  for (const host of running) host.signal('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await database?.drop()
  await network?.close()
})

it(`F39, F42: a host killed at each of ${PLACES.length} places pays every deposit exactly once`, {
  timeout: 900_000,
}, async () => {
  const orders: ScenarioOrder[] = []
  const killed: string[] = []
  // Quotes come from a host that lives on; the one that watches and pays is killed.
  const api = await startHostProcess({ network, databaseUrl: database.url, addresses: true, roles: ['api'] })
  running.push(api)
  for (const failpoint of PLACES) {
    // Each host first finishes what the one before it left behind.
    const host = await startHostProcess({
      network,
      databaseUrl: database.url,
      addresses: true,
      roles: MONEY,
      failpoint,
    })
    const quote = (request: TransferRequest) => quoteOverHttp(api.url, request)
    const scenario = isOfSweep(failpoint)
      ? await quoteAddressScenario(network, quote)
      : await quoteScenario(network, quote)
    orders.push(...scenario)
    await Promise.all(scenario.map((order) => order.deposit()))
    expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    killed.push(failpoint)
  }
  running.push(await startHostProcess({ network, databaseUrl: database.url, addresses: true, roles: MONEY }))
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  try {
    await waitForOrders(pool, orders, 60_000)
    expect(await findProblems(pool, network, orders)).toEqual([])
  } finally {
    await pool.end()
  }
  console.info(`${killed.length} places, ${killed.length} kills, ${orders.length} orders`)
})
