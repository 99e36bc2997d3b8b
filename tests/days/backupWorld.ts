import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from '@causeway/core/plugin'
import { afterAll, beforeAll } from 'vitest'
import { paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DebianPostgres, startDebianPostgres, withDebianPostgres } from '../harness/database/debianPostgres.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'

export let network: LocalNetwork
export let server: DebianPostgres
export let operator: OperatorsHost
export let host: HostProcess
/** The backup, in a folder of its own. */
export let file: string
export let folder: string
/** A base backup by the server's own means, from before any transfer; the log of what came after is archived. */
export let base: string
export let archive: string
/** Just before the accident. */
export let moment: string
/** Paid before the backup; quoted before it and paid after it; quoted and paid after it. */
export let early: QuoteAnswer
export let known: QuoteAnswer
export let forgotten: QuoteAnswer

const transfer = async (user: number): Promise<QuoteAnswer> => {
  const quote = await quoteOn(host, network, user)
  await depositFor(network, user, quote)
  await reached(host, quote, 'success')
  return quote
}

export const onDatabase = async <T>(
  url: string,
  work: (pool: ReturnType<typeof createPool>) => Promise<T>,
): Promise<T> => {
  const pool = createPool({ connectionString: url, max: 2, applicationName: 'test' })
  return work(pool).finally(() => pool.end())
}

export const skipped = withDebianPostgres() ? '' : ' (skipped: there is no PostgreSQL of the system on this machine)'

/** Larger than any process id of Linux. */
const NOBODY = 2 ** 22 + 1

// Many processes, one after the other, on a busy machine.
export const LONG = 300_000

/** How often the chain shows each order paid. */
export const fills = async (): Promise<number[]> => {
  const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  return [early, known, forgotten].map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
}

export interface Manifest {
  readonly facts: { readonly migrations: readonly object[] }
  readonly [more: string]: unknown
}

export const manifestOf = (backup: string): Manifest =>
  // CAST: written by the program.
  JSON.parse(readFileSync(`${backup}.json`, 'utf8')) as Manifest

/** Starts a server and a host, pays around a backup of it before the tests of a file, and stops them afterwards. */
export const useBackup = (): void => {
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
}
