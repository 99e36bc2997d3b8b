import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import { type DebianPostgres, startDebianPostgres, withDebianPostgres } from '../harness/database/debianPostgres.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'
import { type InstalledVersion, installVersionBefore } from './versionBefore/versionBefore.js'

const skipped = withDebianPostgres() ? '' : ' (skipped: there is no PostgreSQL of the system on this machine)'

let network: LocalNetwork
let server: DebianPostgres
let before: InstalledVersion
let operator: OperatorsHost
let old: HostProcess
let backup: string
const transfers: QuoteAnswer[] = []

// Many processes, one after the other, on a busy machine.
const LONG = 300_000

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

const transfer = async (host: HostProcess): Promise<void> => {
  const user = transfers.length
  const quote = await quoteOn(host, network, user)
  transfers.push(quote)
  await depositFor(network, user, quote)
  await reached(host, quote, 'success')
}

const fills = async (): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return transfers.map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

const applied = async (database: string): Promise<string[]> =>
  (await server.query<{ name: string }>(database, 'select name from migrations_core order by name')).map(
    ({ name }) => name,
  )

describe.skipIf(skipped !== '')(`the version before and today's over one database${skipped}`, () => {
  it(
    "today's takes no tables from under hosts that work: it says what holds it back, and they go on",
    async () => {
      await transfer(old)
      const said = await operator.causeway('migrate', 1)
      expect(said).toMatch(/Hosts work in this database \(they hold .*0033_shared_transactions.*Stop every host/)
      expect((await applied('deployed')).at(-1)).toBe('0032_attempt_reorgs')
      await transfer(old)
    },
    LONG,
  )

  it(
    'is upgraded once they are stopped and a backup is made; what they paid is known, and it goes on',
    async () => {
      await operator.stop(old)
      backup = join(mkdtempSync(join(tmpdir(), 'causeway-backups-')), 'before-upgrade.dump')
      expect(await operator.causeway(`backup ${backup}`)).toContain('tables up to 0032_attempt_reorgs')
      const host = await operator.start()
      for (const quote of transfers) await reached(host, quote, 'success')
      await transfer(host)
      expect(await fills()).toEqual([1, 1, 1])
      await operator.stop(host)
    },
    LONG,
  )

  it(
    'the version before refuses the tables it does not know, by its start and by its commands',
    async () => {
      const says =
        'The database was changed by a newer @causeway/core (0033_shared_transactions). Start that version again'
      await expect(operator.start(before)).rejects.toThrow(says)
      expect(await operator.causewayWith(before, 'lanes', 1)).toContain(says)
    },
    LONG,
  )

  it(
    'downgrade: it works over the backup from before the upgrade, and pays nothing twice',
    async () => {
      const databaseUrl = await server.createDatabase('downgraded')
      await operator.causewayWith({ databaseUrl }, `restore ${backup}`)
      expect((await applied('downgraded')).at(-1)).toBe('0032_attempt_reorgs')
      old = await operator.start({ ...before, databaseUrl })
      await until('the lane that paid since to be quarantined', async () =>
        /lagoon.*quarantined/.test(await operator.causewayWith({ ...before, databaseUrl }, 'lanes')) ? true : null,
      )
      expect(await fills()).toEqual([1, 1, 1])
      await operator.stop(old)
    },
    LONG,
  )

  it(
    'beside tables that a later version only added to, hosts of the earlier one start and go on',
    async () => {
      const host = await operator.start()
      await server.query('deployed', 'alter table requests add column of_later text default null')
      await server.query('deployed', `insert into migrations_core (name, breaking) values ('9999_of_later', false)`)
      await transfer(host)
      const second = await operator.start()
      await until('the second to say so', async () =>
        second.log().includes('changed by a newer version; this one can still run') ? true : null,
      )
      await operator.stop(host)
      await transfer(second)
      expect(await fills()).toEqual([1, 1, 1, 1, 1])
    },
    LONG,
  )
})
