import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { testPort } from '../testPort.js'
import { until } from '../until.js'

/** A server of the system's own packages, with all its programs: those of npm have no pg_dump. */
export interface DebianPostgres {
  /** Folder of its programs. */
  readonly bin: string
  readonly port: number
  readonly dataDir: string
  /** A new folder that its user may write to. */
  folder(name: string): string
  urlOf(database: string): string
  /** Makes an empty database. */
  createDatabase(name: string): Promise<string>
  query<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]>
  /** Runs a program as the server's user, with the server as its target. @throws Error with what it said */
  run(program: string, args: readonly string[]): void
  /** Another server of the same programs, on a folder that is there. */
  startOn(dataDir: string, settings?: readonly string[]): Promise<DebianPostgres>
  /** Ends it in order, as before its machine is moved. */
  stop(): Promise<void>
  /** Ends it and those started from it, and removes everything. */
  close(): Promise<void>
}

const PASSWORD = 'of-tests-only'
const BASE = '/usr/lib/postgresql'
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=32MB',
  'fsync=off',
  'timezone=UTC',
]

const MISSING = 'This test needs the PostgreSQL of the system, 15 or newer: apt-get install postgresql'

/** Whether tests of it run: where the machine has it, or where it is asked for, so that they fail there. */
export const withDebianPostgres = (): boolean =>
  process.env.CAUSEWAY_REQUIRE_POSTGRES === '1' || findBin() !== undefined

const newestBin = (): string => {
  const bin = findBin()
  if (bin === undefined) throw new Error(MISSING)
  return bin
}

const findBin = (): string | undefined =>
  (existsSync(BASE) ? readdirSync(BASE).map(Number) : [])
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
    .map((version) => join(BASE, String(version), 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))

/** PostgreSQL refuses root, who becomes nobody. */
const user = (): { uid?: number; gid?: number } => (process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {})

const give = (folder: string): string => {
  chmodSync(folder, 0o700)
  const { uid, gid } = user()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Starts one in a new folder under the folder of the run. */
export const startDebianPostgres = async (settings: readonly string[] = []): Promise<DebianPostgres> => {
  const root = mkdtempSync(join(tmpdir(), 'causeway-debian-'))
  chmodSync(root, 0o711)
  const own = give(mkdtempSync(join(root, 'server-')))
  const dataDir = join(own, 'data')
  const bin = newestBin()
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: PASSWORD }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', dataDir, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { cwd: '/', env, encoding: 'utf8', ...user() },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const servers: (() => Promise<void>)[] = []
  const startOn = async (folder: string, more: readonly string[] = []): Promise<DebianPostgres> => {
    const port = await testPort()
    const server = await launch({ bin, dataDir: folder, port, settings: [...SETTINGS, ...settings, ...more], env })
    servers.push(server.stop)
    const urlOf = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`
    const query = async <Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]> => {
      const client = new pg.Client({ connectionString: urlOf(database) })
      await client.connect()
      return client
        .query<Row>(text)
        .then(({ rows }) => rows)
        .finally(() => client.end())
    }
    return {
      bin,
      port,
      dataDir: folder,
      folder: (name) => give(mkdtempSync(join(own, `${name}-`))),
      urlOf,
      query,
      createDatabase: async (name) => {
        await query('postgres', `create database ${name}`)
        return urlOf(name)
      },
      run: (program, args) => {
        const target = { ...env, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' }
        const done = spawnSync(join(bin, program), [...args], { cwd: '/', env: target, encoding: 'utf8', ...user() })
        if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr}`)
      },
      startOn,
      stop: server.stop,
      close: async () => {
        await Promise.all(servers.map((stop) => stop()))
        rmSync(root, { recursive: true, force: true, maxRetries: 3 })
      },
    }
  }
  return startOn(dataDir)
}

interface Launch {
  readonly bin: string
  readonly dataDir: string
  readonly port: number
  readonly settings: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

const launch = async ({ bin, dataDir, port, settings, env }: Launch): Promise<{ stop(): Promise<void> }> => {
  const log = openSync(`${dataDir}.log`, 'a')
  const flags = settings.flatMap((setting) => ['-c', setting])
  const child = spawn(join(bin, 'postgres'), ['-D', dataDir, '-p', String(port), ...flags], {
    cwd: '/',
    env,
    stdio: ['ignore', log, log],
    ...user(),
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const said = () => readFileSync(`${dataDir}.log`, 'utf8').slice(-1_000)
  const answers = async (): Promise<true | null> => {
    if (!isRunning(child)) throw new Error(`PostgreSQL ended: ${said()}`)
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database: 'postgres',
      password: PASSWORD,
    })
    client.on('error', () => undefined)
    const there = await client.connect().then(
      () => true as const,
      () => null,
    )
    await client.end().catch(() => undefined)
    return there
  }
  await until('PostgreSQL to answer', answers)
  return {
    stop: async () => {
      if (isRunning(child)) child.kill('SIGINT')
      await ended
    },
  }
}
