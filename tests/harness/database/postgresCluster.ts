import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentOf } from '@causeway/core'
import { findPostgresBinaries, startEmbeddedPostgres } from '@causeway/core/host'
import pg from 'pg'
import { startTcpProxy, type TcpProxy } from '../tcpProxy.js'
import { testPort } from '../testPort.js'
import { until } from '../until.js'

/** One PostgreSQL server of a cluster. */
export interface ClusterServer {
  readonly port: number
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Ends it at once, as a crash does: nothing is flushed, nobody is told. */
  crash(): Promise<void>
}

/** A server that copies another one until it is promoted. */
export interface Standby extends ClusterServer {
  /** Loses the network between it and the server that it copies. */
  cut(): Promise<void>
  /** Copies that server from now on. */
  follow(server: ClusterServer): Promise<void>
  /** Waits until it has all that the server has now. */
  caughtUp(server: ClusterServer): Promise<void>
  /** Becomes a server of its own, with what it has. */
  promote(): Promise<void>
}

export interface PostgresCluster {
  /** Where clients go: always the server that was switched to last. */
  readonly url: string
  readonly primary: ClusterServer
  /** Every commit of the primary waits for it. */
  readonly synchronous: Standby
  readonly asynchronous: readonly [Standby, Standby]
  /** Clients are cut off. */
  disconnect(): Promise<void>
  /** Clients reach this server from now on. */
  switchTo(server: ClusterServer): Promise<void>
  close(): Promise<void>
}

const SETTINGS = [
  'fsync=off',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=32MB',
  'max_connections=200',
]
const HOST = '127.0.0.1'

interface Folder {
  readonly dataDir: string
  readonly password: string
}

/** A primary with a synchronous and two asynchronous standbys, of the same binaries as everywhere; each copies through a line of its own. */
export const startPostgresCluster = async (): Promise<PostgresCluster> => {
  const root = mkdtempSync(join(tmpdir(), 'causeway-cluster-'))
  chmodSync(root, 0o711)
  const folder = await makeFolder(join(root, 'primary'))
  const copies = ['synchronous', 'first', 'second'].map((name) => ({ name, ...copyFolder(folder, join(root, name)) }))
  const primary = await startServer(folder, [])
  const standbys: (Standby & { readonly line: TcpProxy })[] = []
  for (const copy of copies) standbys.push(await startStandby(copy, primary))
  const [synchronous, first, second] = standbys
  if (synchronous === undefined || first === undefined || second === undefined) throw new Error('No standbys')
  await primary.query(`alter system set synchronous_standby_names = 'synchronous'`)
  await primary.query('select pg_reload_conf()')
  await until('the synchronous standby to be one', async () => {
    const rows = await primary.query(`select from pg_stat_replication where sync_state = 'sync'`)
    return rows.length === 1 ? true : null
  })
  const clients = await startTcpProxy({ host: HOST, port: primary.port })
  return {
    url: urlOf(folder, clients.port),
    primary,
    synchronous,
    asynchronous: [first, second],
    disconnect: () => clients.cut(),
    switchTo: (server) => clients.restore({ host: HOST, port: server.port }),
    close: async () => {
      await clients.cut()
      await Promise.all([primary, ...standbys].map((server) => server.crash()))
      await Promise.all(standbys.map(({ line }) => line.cut()))
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const urlOf = ({ password }: Folder, port: number): string => `postgres://postgres:${password}@${HOST}:${port}/postgres`

/** A data folder with nothing in it, whose server has stopped. */
const makeFolder = async (wanted: string): Promise<Folder> => {
  const server = await startEmbeddedPostgres({
    dataDir: wanted,
    settings: SETTINGS,
    environment: environmentOf(process.env),
  })
  await server.stop()
  return { dataDir: server.dataDir, password: new URL(server.url).password }
}

const copyFolder = ({ dataDir, password }: Folder, to: string): Folder => {
  const copied = spawnSync('cp', ['-a', dataDir, to])
  if (copied.status !== 0) throw new Error('The data folder could not be copied')
  writeFileSync(join(to, 'standby.signal'), '')
  return { dataDir: to, password }
}

const startServer = async (folder: Folder, settings: readonly string[]): Promise<ClusterServer> => {
  const { dataDir } = folder
  const port = await testPort()
  const { uid, gid } = statSync(dataDir)
  const log = openSync(`${dataDir}.log`, 'a')
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
  const child = spawn(join(findPostgresBinaries(), 'bin', 'postgres'), ['-D', dataDir, '-p', String(port), ...flags], {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', log, log],
    uid,
    gid,
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = urlOf(folder, port)
  const server: ClusterServer = {
    port,
    query: (text, values = []) => ask(url, text, values),
    crash: async () => {
      if (isRunning(child)) child.kill('SIGQUIT')
      await ended
    },
  }
  await until('the server to answer', () => server.query('select').catch(() => null)).catch((error: Error) => {
    throw new Error(`${error.message}: ${readFileSync(`${dataDir}.log`, 'utf8').slice(-1_000)}`)
  })
  return server
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

const ask = async <Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
    .query<Row>(text, [...values])
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const startStandby = async (
  copy: Folder & { readonly name: string },
  primary: ClusterServer,
): Promise<Standby & { readonly line: TcpProxy }> => {
  const line = await startTcpProxy({ host: HOST, port: primary.port })
  const source = `host=${HOST} port=${line.port} user=postgres password=${copy.password} application_name=${copy.name}`
  const server = await startServer(copy, [`primary_conninfo=${source}`, 'wal_retrieve_retry_interval=200ms'])
  return {
    ...server,
    line,
    cut: () => line.cut(),
    follow: (other) => line.restore({ host: HOST, port: other.port }),
    caughtUp: async (other) => {
      const [written] = await other.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
      await until('the standby to catch up', async () => {
        const rows = await server.query<{ reached: boolean }>(
          'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as reached',
          [written?.lsn],
        )
        return rows[0]?.reached === true ? true : null
      })
    },
    promote: async () => {
      await server.query('select pg_promote(true, 60)')
    },
  }
}
