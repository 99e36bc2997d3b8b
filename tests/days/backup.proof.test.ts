import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DebianPostgres, startDebianPostgres, withDebianPostgres } from '../harness/database/debianPostgres.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'

let network: LocalNetwork
let server: DebianPostgres
let operator: OperatorsHost
let host: HostProcess
/** The backup, in a folder of its own. */
let file: string
let folder: string
/** A base backup by the server's own means, from before any transfer; the log of what came after is archived. */
let base: string
let archive: string
/** Just before the accident. */
let moment: string
/** Paid before the backup; quoted before it and paid after it; quoted and paid after it. */
let early: QuoteAnswer
let known: QuoteAnswer
let forgotten: QuoteAnswer

const transfer = async (user: number): Promise<QuoteAnswer> => {
  const quote = await quoteOn(host, network, user)
  await depositFor(network, user, quote)
  await reached(host, quote, 'success')
  return quote
}

const onDatabase = async <T>(url: string, work: (pool: ReturnType<typeof createPool>) => Promise<T>): Promise<T> => {
  const pool = createPool({ connectionString: url, max: 2, applicationName: 'test' })
  return work(pool).finally(() => pool.end())
}

const skipped = withDebianPostgres() ? '' : ' (skipped: there is no PostgreSQL of the system on this machine)'

/** Larger than any process id of Linux. */
const NOBODY = 2 ** 22 + 1

// Many processes, one after the other, on a busy machine.
const LONG = 300_000

beforeAll(async () => {
  if (skipped !== '') return
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  server = await startDebianPostgres(['wal_level=replica', 'archive_mode=on', 'max_wal_senders=4'])
  archive = server.folder('archive')
  await server.query('postgres', `alter system set archive_command = 'cp %p ${archive}/%f'`)
  await server.query('postgres', 'select pg_reload_conf()')
  operator = openOperatorsHost({ network, databaseUrl: await server.createDatabase('deployed') })
  await operator.causeway('migrate')
  base = join(server.folder('base'), 'data')
  server.run('pg_basebackup', ['--pgdata', base, '--checkpoint=fast', '--no-sync'])
  host = await operator.start()
  early = await transfer(0)
  known = await quoteOn(host, network, 1)
  folder = mkdtempSync(join(tmpdir(), 'causeway-backups-'))
  file = join(folder, 'night.dump')
  // As a killed backup leaves it, long ago.
  writeFileSync(`${file}.partial-${NOBODY}`, 'half')
  utimesSync(`${file}.partial-${NOBODY}`, 0, 0)
  await operator.causeway(`backup ${file}`)
  await depositFor(network, 1, known)
  forgotten = await transfer(2)
  await reached(host, known, 'success')
  await onDatabase(server.urlOf('deployed'), waitForQuiet)
  const [row] = await server.query<{ at: Date }>('postgres', 'select clock_timestamp() as at')
  moment = row?.at.toISOString().replace('T', ' ').replace('Z', '+00') ?? ''
})
afterAll(async () => {
  await operator?.close()
  await server?.close()
  await network?.close()
})

/** How often the chain shows each order paid. */
const fills = async (): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return [early, known, forgotten].map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

interface Manifest {
  readonly facts: { readonly migrations: readonly object[] }
  readonly [more: string]: unknown
}

const manifestOf = (backup: string): Manifest =>
  // CAST: written by the program.
  JSON.parse(readFileSync(`${backup}.json`, 'utf8')) as Manifest

/** A second backup, changed: its manifest, its bytes, or both in agreement. */
const changed = (name: string, change: (manifest: Manifest) => object, bytes?: (copy: string) => void): string => {
  const copy = join(folder, name)
  copyFileSync(file, copy)
  bytes?.(copy)
  writeFileSync(`${copy}.json`, JSON.stringify(change(manifestOf(file))))
  return copy
}

const measured = (copy: string): object => ({
  bytes: statSync(copy).size,
  sha256: createHash('sha256').update(readFileSync(copy)).digest('hex'),
})

describe.skipIf(skipped !== '')(`a backup of a server at work${skipped}`, () => {
  it(
    'is for its owner alone, says whose it is and of when, and is read whole by "backup verify"',
    async () => {
      for (const place of [file, `${file}.json`]) expect(statSync(place).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
      expect(manifestOf(file)).toMatchObject({ kind: 'dump', facts: { network: 'testnet', serverMajor: 15 } })
      const said = await operator.causeway(`backup verify ${file}`)
      expect(said).toContain('The backup is whole.')
      expect(said).toMatch(/tables up to 00\d\d_/)
      expect(said).not.toContain('of-tests-only')
    },
    LONG,
  )

  it(
    'never overwrites one, and one that is cut short is noticed',
    async () => {
      expect(await operator.causeway(`backup ${file}`, 1)).toContain('is there already')
      const cut = changed(
        'cut.dump',
        (manifest) => manifest,
        (copy) => truncateSync(copy, statSync(copy).size - 1_000),
      )
      for (const command of ['backup verify', 'restore']) {
        expect(await operator.causeway(`${command} ${cut}`, 1)).toContain('damaged or cut short')
      }
    },
    LONG,
  )

  it(
    'hands the password to pg_dump where no other user sees it, and leaves nothing when that fails',
    async () => {
      const tools = mkdtempSync(join(tmpdir(), 'causeway-tools-'))
      for (const name of ['pg_dump', 'pg_restore', 'psql']) {
        const place = join(tools, name)
        writeFileSync(
          place,
          `#!/bin/sh\n[ "$1" = --version ] && exec ${join(server.bin, name)} --version\necho "$@" >> ${tools}/args\necho "error: no" >&2\nexit 1\n`,
        )
        chmodSync(place, 0o755)
      }
      const said = await operator.causeway(`backup ${join(folder, 'failed.dump')} --pg-bin ${tools}`, 1)
      expect(said).toContain('pg_dump failed: error: no')
      expect(readFileSync(join(tools, 'args'), 'utf8')).not.toContain('of-tests-only')
      expect(() => statSync(join(folder, 'failed.dump'))).toThrow()
    },
    LONG,
  )

  it(
    'says how to get pg_dump where there is none, or one that is older than the server',
    async () => {
      const tools = mkdtempSync(join(tmpdir(), 'causeway-tools-'))
      const target = join(folder, 'never.dump')
      expect(await operator.causeway(`backup ${target} --pg-bin ${tools}`, 1)).toMatch(
        /There are no pg_dump, pg_restore and psql in .*postgresql-client/,
      )
      for (const name of ['pg_dump', 'pg_restore', 'psql']) {
        writeFileSync(join(tools, name), '#!/bin/sh\necho "pg_dump (PostgreSQL) 13.4"\n', { mode: 0o755 })
      }
      expect(await operator.causeway(`backup ${target} --pg-bin ${tools}`, 1)).toContain(
        'pg_dump is of PostgreSQL 13 and the server of 15',
      )
    },
    LONG,
  )
})

describe.skipIf(skipped !== '')(`a restore is refused${skipped}`, () => {
  let empty: string
  beforeAll(async () => {
    empty = await server.createDatabase('refused')
  }, LONG)
  const refused = (backup: string): Promise<string> =>
    operator.causewayWith({ databaseUrl: empty }, `restore ${backup}`, 1)

  it(
    'while hosts are connected, and into a database that holds anything',
    async () => {
      expect(await operator.causeway(`restore ${file}`, 1)).toContain('Hosts or commands are connected')
      await server.query('refused', 'create table notes (text text)')
      expect(await refused(file)).toContain('The database is not empty: it has 1 tables, notes among them')
      await server.query('refused', 'drop table notes')
    },
    LONG,
  )

  it(
    'of another network, of newer tables, and under another master key',
    async () => {
      const facts = (more: object) => (manifest: Manifest) => ({ ...manifest, facts: { ...manifest.facts, ...more } })
      expect(await refused(changed('main.dump', facts({ network: 'mainnet' })))).toContain('a deployment of mainnet')
      expect(await refused(changed('key.dump', facts({ masterMark: '00'.repeat(8) })))).toContain('another master key')
      const newer = { table: 'migrations_core', name: '9999_newer', breaking: true }
      const { migrations } = manifestOf(file).facts
      expect(await refused(changed('new.dump', facts({ migrations: [...migrations, newer] })))).toContain(
        'made by a newer version',
      )
    },
    LONG,
  )

  it(
    'and leaves the database empty where the backup cannot be read to its end',
    async () => {
      const half = changed(
        'half.dump',
        (manifest) => manifest,
        (copy) => truncateSync(copy, Math.floor(statSync(copy).size * 0.7)),
      )
      writeFileSync(`${half}.json`, JSON.stringify({ ...manifestOf(file), ...measured(half) }))
      expect(await refused(half)).toContain('pg_restore failed')
      expect(await server.query('refused', `select from pg_tables where schemaname = 'public'`)).toEqual([])
    },
    LONG,
  )
})

describe.skipIf(skipped !== '')(`the restore drill, by commands alone${skipped}`, () => {
  it(
    'finds what was paid since the backup, closes it as the commands say, and pays nothing twice',
    async () => {
      await operator.stop(host)
      const databaseUrl = await server.createDatabase('restored')
      const drill = (words: string, code?: number) => operator.causewayWith({ databaseUrl }, words, code)
      expect(await drill(`restore ${file}`)).toMatch(
        /Restored in \d+ s\.\nThe backup was taken at .*, \d+ (?:s|min) before now.*In a drill .*causeway lanes inspect/s,
      )
      // What a drill must not do is not advised.
      const looked = await drill('doctor', 1)
      expect(looked).toContain('In a drill that is as it should be: start no host')
      expect(looked).not.toContain('causeway start')
      expect(await server.query('restored', `select distinct history from lanes`)).toEqual([{ history: 'restored' }])
      host = await operator.start({ databaseUrl })
      await until('a lane to be quarantined', async () => /quarantined/.test(await drill('lanes')) || null)
      const deposit = await until('the forgotten deposit to be parked, with what paid it', async () => {
        // CAST: the documented shape of the command's output.
        const { deposits } = JSON.parse(await drill('parked list --json')) as {
          deposits: { orderId: string; paidBy: unknown[] }[]
        }
        const found = deposits.find(({ orderId }) => orderId === forgotten.protocol.v2.orderId)
        return found?.paidBy.length === 1 ? found : null
      })
      const inspected = await drill('lanes inspect lagoon')
      const [, command = ''] = /causeway (parked close \d+ --paid-by 0x[0-9a-f]{64})/.exec(inspected) ?? []
      expect(command).toContain(textAt(deposit, 'depositId'))
      expect(await drill(`parked refund ${textAt(deposit, 'depositId')} --reason drill --yes`, 1)).toContain(
        'was paid already',
      )
      await drill(`${command} --reason "restore drill" --yes`)
      await reached(host, known, 'success')
      await onDatabase(databaseUrl, waitForQuiet)
      expect(await drill('ledger check')).toContain('rules hold')
      expect(await drill('parked list')).toContain('Nothing is parked.')
      expect(await drill('lanes')).not.toMatch(/quarantined|settling/)
      expect(await fills()).toEqual([1, 1, 1])
      await operator.stop(host)
    },
    LONG,
  )
})

describe.skipIf(skipped !== '')(`recovery to a point in time${skipped}`, () => {
  it(
    'has everything up to the moment before the accident; the hosts notice the other timeline and pay nothing twice',
    async () => {
      await server.query('deployed', 'drop schema public cascade')
      await server.query('postgres', 'select pg_switch_wal()')
      await server.stop()
      writeFileSync(join(base, 'recovery.signal'), '')
      const recovered = await server.startOn(base, [
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${moment}`,
        'recovery_target_action=promote',
      ])
      await until('the server to have recovered', async () => {
        const [row] = await recovered.query<{ over: boolean }>('deployed', 'select not pg_is_in_recovery() as over')
        return row?.over === true ? true : null
      })
      const databaseUrl = recovered.urlOf('deployed')
      host = await operator.start({ databaseUrl })
      await until('the lanes to be open', async () => {
        const lanes = await operator.causewayWith({ databaseUrl }, 'lanes')
        return lanes.match(/ open /g)?.length === 2 ? true : null
      })
      for (const quote of [early, known, forgotten]) await reached(host, quote, 'success')
      await onDatabase(databaseUrl, async (pool) => {
        await waitForQuiet(pool)
        expect(await findDiscrepancies(pool, network)).toEqual([])
      })
      expect(await operator.causewayWith({ databaseUrl }, 'ledger check')).toContain('rules hold')
      expect(await fills()).toEqual([1, 1, 1])
    },
    LONG,
  )
})
