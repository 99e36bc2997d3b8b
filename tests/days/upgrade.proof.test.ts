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

/** Of core, in the version before. */
const NEWEST_BEFORE = '0033_shared_transactions'

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
    "today's adds its tables under hosts of the version before, and both work side by side",
    async () => {
      await transfer(old)
      backup = join(mkdtempSync(join(tmpdir(), 'causeway-backups-')), 'before-upgrade.dump')
      expect(await operator.causeway(`backup ${backup}`)).toContain(`tables up to ${NEWEST_BEFORE}`)
      await operator.causeway('migrate')
      expect((await applied('deployed')).at(-1)).not.toBe(NEWEST_BEFORE)
      const host = await operator.start()
      await transfer(old)
      await transfer(host)
      await operator.stop(old)
      // What the other one held is taken over, and nothing that it paid is paid again.
      await transfer(host)
      expect(await fills()).toEqual([1, 1, 1, 1])
      await operator.stop(host)
    },
    LONG,
  )

  it(
    'downgrade: the version before starts again over the newer tables, says so, and goes on',
    async () => {
      old = await operator.start(before)
      await until('it to say so', async () =>
        old.log().includes('changed by a newer version; this one can still run') ? true : null,
      )
      for (const quote of transfers) await reached(old, quote, 'success')
      await transfer(old)
      expect(await operator.causewayWith(before, 'lanes')).toMatch(/lagoon.*open/)
      expect(await fills()).toEqual([1, 1, 1, 1, 1])
    },
    LONG,
  )

  it(
    'tables that a later version changed in a breaking way are refused, by its start and by its commands',
    async () => {
      await server.query('deployed', `insert into migrations_core (name, breaking) values ('9999_of_later', true)`)
      const says = 'The database was changed by a newer @causeway/core (9999_of_later). Start that version again'
      await expect(operator.start(before)).rejects.toThrow(says)
      expect(await operator.causewayWith(before, 'lanes', 1)).toContain(says)
      await operator.stop(old)
    },
    LONG,
  )

  it(
    'over the backup from before the upgrade it works too, and pays nothing twice',
    async () => {
      const databaseUrl = await server.createDatabase('downgraded')
      await operator.causewayWith({ databaseUrl }, `restore ${backup}`)
      expect((await applied('downgraded')).at(-1)).toBe(NEWEST_BEFORE)
      old = await operator.start({ ...before, databaseUrl })
      await until('the lane that paid since to be quarantined', async () =>
        /lagoon.*quarantined/.test(await operator.causewayWith({ ...before, databaseUrl }, 'lanes')) ? true : null,
      )
      expect(await fills()).toEqual([1, 1, 1, 1, 1])
      await operator.stop(old)
    },
    LONG,
  )
})
