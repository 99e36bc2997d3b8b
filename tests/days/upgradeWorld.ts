import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import { type DebianPostgres, startDebianPostgres, withDebianPostgres } from '../harness/database/debianPostgres.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'
import { type InstalledVersion, installVersionBefore } from './versionBefore/versionBefore.js'

export const skipped = withDebianPostgres() ? '' : ' (skipped: there is no PostgreSQL of the system on this machine)'

let network: LocalNetwork
export let server: DebianPostgres
export let before: InstalledVersion
export let operator: OperatorsHost
export let old: HostProcess
export let backup: string
export const transfers: QuoteAnswer[] = []

// Many processes, one after the other, on a busy machine.
export const LONG = 300_000

/** Of core, in the version before. */
export const NEWEST_BEFORE = '0033_shared_transactions'

export const transfer = async (host: HostProcess): Promise<void> => {
  const user = transfers.length
  const quote = await quoteOn(host, network, user)
  transfers.push(quote)
  await depositFor(network, user, quote)
  await reached(host, quote, 'success')
}

export const fills = async (): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return transfers.map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

export const applied = async (database: string): Promise<string[]> =>
  (await server.query<{ name: string }>(database, 'select name from migrations_core order by name')).map(
    ({ name }) => name,
  )

/** The version before pays, today's adds its tables and pays beside it, and then alone. */
export const workSideBySide = async (): Promise<void> => {
  await transfer(old)
  backup = join(mkdtempSync(join(tmpdir(), 'causeway-backups-')), 'before-upgrade.dump')
  expect(await operator.causeway(`backup ${backup}`)).toContain(`tables up to ${NEWEST_BEFORE}`)
  await operator.causeway('migrate')
  expect((await applied('deployed')).at(-1)).not.toBe(NEWEST_BEFORE)
  const host = await operator.start()
  await transfer(old)
  await transfer(host)
  await operator.stop(old)
  // The lane takes over the other one's money and pays none of its payments again.
  await transfer(host)
  expect(await fills()).toEqual([1, 1, 1, 1])
  await operator.stop(host)
}

/** Starts a host of the version before over a server before the tests of a file, and stops both afterwards. */
export const useUpgrade = (): void => {
  beforeAll(async () => {
    if (skipped !== '') return
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    server = await startDebianPostgres()
    before = installVersionBefore()
    operator = openOperatorsHost({ network, databaseUrl: await server.createDatabase('deployed') })
    old = await operator.start(before)
  })
  afterAll(async () => {
    await operator?.close()
    await server?.close()
    await network?.close()
  })
}
