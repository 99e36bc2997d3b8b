import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import {
  archive,
  base,
  early,
  file,
  fills,
  folder,
  forgotten,
  host,
  known,
  LONG,
  type Manifest,
  manifestOf,
  moment,
  network,
  onDatabase,
  operator,
  server,
  skipped,
  useBackup,
} from './backupWorld.js'
import { reached } from './operatorsHost.js'

useBackup()

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

describe.skipIf(skipped !== '')(`recovery to a point in time${skipped}`, () => {
  it(
    'has everything up to the moment before the accident; the hosts notice the other timeline and pay nothing twice',
    async () => {
      await operator.stop(host)
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
      const recoveredHost = await operator.start({ databaseUrl })
      await until('the lanes to be open', async () => {
        const lanes = await operator.causewayWith({ databaseUrl }, 'lanes')
        return lanes.match(/ open /g)?.length === 2 ? true : null
      })
      for (const quote of [early, known, forgotten]) await reached(recoveredHost, quote, 'success')
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
