import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { nativeBody } from './httpWorld.js'

/** A call is given up as dead after it, and so is one that a busy machine does not answer in time. */
export const SHORT_LIMIT = { config: { http: { timeLimitSeconds: 4 } } }

export let network: LocalNetwork

export let database: TestDatabase

/** The host that lives on, beside one of each test's own. */
export let other: HostProcess

export const hosts: HostProcess[] = []

export const start = async (options: Partial<HostProcessOptions> = {}): Promise<HostProcess> => {
  const host = await startHostProcess({ network, databaseUrl: database.url, ...options })
  hosts.push(host)
  return host
}

export const quote = (host: HostProcess, key: string, more: Readonly<Record<string, unknown>> = {}) =>
  callApi(host.url, '/quote', { body: nativeBody({ network }, more), headers: { 'idempotency-key': key } })

/** Quotes are possible once the solver has read what it owns; a price is no quote. */
export const quotable = (host: HostProcess): Promise<true> =>
  until('a quote to be possible', async () => {
    const { status } = await callApi(host.url, '/price', { body: nativeBody({ network }) })
    return status === 200 ? true : null
  })

export const quotesStored = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from quotes')
  return rows[0]?.count ?? 0
}

/** Starts a chain, a database and a host before the tests of a file; kills every host afterwards. */
export const useIdempotentHosts = (): void => {
  beforeAll(async () => {
    network = await startLocalNetwork({ swaps: false })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    other = await start()
    await quotable(other)
  })
  beforeEach(() => database.pool.query('truncate quote_rows, idempotent_calls'))
  afterAll(async () => {
    for (const host of hosts.splice(0)) {
      host.signal('SIGKILL')
      await host.ended
    }
    await database?.drop()
    await network?.close()
  })
}
