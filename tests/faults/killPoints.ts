import { coreMigrations } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, spawnHost, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import type { TransferRequest } from '../harness/transfer.js'
import { MONEY } from './killPlaces.js'
import { findProblems, quoteAddressScenario, quoteScenario, type ScenarioOrder, waitForOrders } from './scenario.js'

/** Failpoints that only money to a deposit address passes. */
const isOfSweep = (failpoint: string): boolean => /^(arrivals|sweep)\./.test(failpoint)

/** Adds the test: hosts die one after the other, each at one of the failpoints, and every deposit is paid exactly once. */
export const testKillPoints = (places: readonly string[]): void => {
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

  it(`F39, F42: a host killed at each of ${places.length} failpoints pays every deposit exactly once`, {
    timeout: 900_000,
  }, async () => {
    const options = { network, databaseUrl: database.url, addresses: true }
    const orders: ScenarioOrder[] = []
    // Quotes come from a host that lives on; the one that watches and pays is killed.
    const api = await startHostProcess({ ...options, roles: ['api'] })
    running.push(api)
    for (const failpoint of places) {
      // Each host first finishes what the one before it left unfinished, and may die at that.
      const host = await spawnHost({ ...options, roles: MONEY, failpoint })
      running.push(host)
      const quote = (request: TransferRequest) => quoteOverHttp(api.url, request)
      const scenario = isOfSweep(failpoint)
        ? await quoteAddressScenario(network, quote)
        : await quoteScenario(network, quote)
      orders.push(...scenario)
      await Promise.all(scenario.map((order) => order.deposit()))
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    running.push(await startHostProcess({ ...options, roles: MONEY }))
    const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
    try {
      await waitForOrders(pool, orders, 60_000)
      expect(await findProblems(pool, network, orders)).toEqual([])
    } finally {
      await pool.end()
    }
    console.info(`${places.length} kills, ${orders.length} orders`)
  })
}
