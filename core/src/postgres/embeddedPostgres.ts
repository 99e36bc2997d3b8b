import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Environment } from '../container/environment.js'
import { type DataFolder, findDataFolder, passwordFileOf, placeOfData, prepareDataFolder } from './dataFolder.js'
import { freePort } from './freePort.js'
import { findPostgresBinaries } from './postgresBinaries.js'
import { removeStaleRecord, runningServer, stopServer, until } from './serverProcess.js'
import { serverEnvironment, serverUser } from './serverUser.js'

export interface EmbeddedPostgresOptions {
  /** Kept between starts. Default `.causeway/postgres`. Moved under /var/tmp when root's server could not reach it. */
  readonly dataDir?: string
  /** A free one is chosen when absent. A server that is adopted keeps the port it has. */
  readonly port?: number
  /** Further `name=value` settings of the server, over the defaults; an adopted server keeps its own. */
  readonly settings?: readonly string[]
  /** Where the few variables come from that the programs are started with (paths, temporary folders); absent: none are. */
  readonly environment?: Environment | undefined
  /** Hears what a start does that takes long or is unusual. */
  readonly logger?: { info(message: string): void }
}

export interface EmbeddedPostgres {
  /** Holds the password: never log it. */
  readonly url: string
  readonly pid: number
  readonly port: number
  /** Where the data really is; the server's log stands beside it as `<dataDir>.log`. */
  readonly dataDir: string
  /** True when a server that already ran on this folder was taken on. */
  readonly adopted: boolean
  /** Fast shutdown; resolves when the process is gone. */
  stop(): Promise<void>
}

const DEFAULT_DATA_DIR = '.causeway/postgres'
const START_TRIES = 5
const READY_MS = 60_000

/**
 * Starts (or adopts) a real PostgreSQL on 127.0.0.1 from the bundled binaries, as root or as an ordinary user. The server
 * outlives this process when it is killed; the next start adopts it, so one machine has one server for a data folder however
 * many processes ask. Throws PostgresUnavailableError, or an Error with the server's own words.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> => {
  const binaries = findPostgresBinaries()
  const wanted = options.dataDir ?? DEFAULT_DATA_DIR
  const sync = !(options.settings ?? []).includes('fsync=off')
  const { environment } = options
  const folder = prepareDataFolder(wanted, { binaries, sync, environment })
  let said = ''
  for (let tries = 1; tries <= START_TRIES; tries += 1) {
    const running = await adopt(folder, environment)
    if (running !== null) {
      options.logger?.info(`Using the PostgreSQL that already runs on ${folder.dataDir} (process ${running.pid}).`)
      return running
    }
    const outcome = await launch(binaries, folder, options)
    if (typeof outcome !== 'string') return outcome
    said = outcome
    if (options.port !== undefined && runningServer(folder.dataDir) === null) break
  }
  throw new Error(`PostgreSQL did not start on ${folder.dataDir}: ${said}`)
}

/** The server that runs on a data folder now, or null; makes and starts nothing. Throws when it lets nobody in. */
export const findEmbeddedPostgres = async (
  options: Pick<EmbeddedPostgresOptions, 'dataDir' | 'environment'> = {},
): Promise<EmbeddedPostgres | null> => {
  const folder = findDataFolder(options.dataDir ?? DEFAULT_DATA_DIR)
  return folder === null ? null : adopt(folder, options.environment)
}

/** Stops the server of a data folder by its pid file; nothing happens when none runs. */
export const stopEmbeddedPostgres = (dataDir: string = DEFAULT_DATA_DIR, environment?: Environment): Promise<void> =>
  stopServer(findPostgresBinaries, placeOfData(dataDir), environment)

const handleOf = (
  folder: DataFolder,
  server: { readonly pid: number; readonly port: number; readonly adopted: boolean },
  environment: Environment | undefined,
): EmbeddedPostgres => ({
  url: urlOf(folder, server.port),
  pid: server.pid,
  port: server.port,
  dataDir: folder.dataDir,
  adopted: server.adopted,
  stop: () => stopServer(findPostgresBinaries, folder.dataDir, environment),
})

const urlOf = (folder: DataFolder, port: number): string =>
  `postgres://postgres:${folder.password}@127.0.0.1:${port}/postgres`

/** Takes on the server that already serves this folder, once it is ready; null when none runs. */
const adopt = async (folder: DataFolder, environment: Environment | undefined): Promise<EmbeddedPostgres | null> => {
  const settled = await until(() => runningServer(folder.dataDir)?.ready !== false, READY_MS)
  if (!settled) throw new Error(`The PostgreSQL that runs on ${folder.dataDir} does not become ready.`)
  const found = runningServer(folder.dataDir)
  if (found === null) return null
  return (await answers(folder, found.port)) ? handleOf(folder, { ...found, adopted: true }, environment) : null
}

/** Starts the server, detached from this process; a text when it did not come up: what it said. */
const launch = async (
  binaries: string,
  folder: DataFolder,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres | string> => {
  removeStaleRecord(folder.dataDir)
  const port = options.port ?? (await freePort())
  const log = openLog(folder.dataDir)
  const child = spawnServer(binaries, folder.dataDir, { port, log: log.descriptor, options })
  fs.closeSync(log.descriptor)
  let ended: string | null = null
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, signal) => (ended ??= `it ended with ${code ?? signal}`))
  child.unref()
  const isReady = () => {
    const found = runningServer(folder.dataDir)
    return found !== null && found.pid === child.pid && found.ready
  }
  const settled = await until(() => ended !== null || isReady(), READY_MS)
  if (ended === null && child.pid !== undefined && settled && (await answers(folder, port))) {
    options.logger?.info(`Started PostgreSQL on 127.0.0.1:${port}, data in ${folder.dataDir}.`)
    return handleOf(folder, { pid: child.pid, port, adopted: false }, options.environment)
  }
  if (ended === null) child.kill('SIGQUIT')
  return `${log.since().trim().slice(-500)} (${ended ?? 'it was not ready in time'})`
}

/** Setting of the server that tells the process that started it. */
export const STARTER_SETTING = 'causeway.starter'

const DEFAULTS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=64MB',
  'max_connections=200',
  // Full pages after a checkpoint are most of what a quiet service writes; every build of PostgreSQL has this method.
  'wal_compression=pglz',
  'timezone=UTC',
  'log_timezone=UTC',
]

interface Launch {
  readonly port: number
  /** Descriptor of the server's log. */
  readonly log: number
  readonly options: EmbeddedPostgresOptions
}

const spawnServer = (
  binaries: string,
  dataDir: string,
  { port, log, options: { settings = [], environment } }: Launch,
): ChildProcess => {
  const set = [...DEFAULTS, ...settings, `${STARTER_SETTING}=${process.pid}`].flatMap((setting) => ['-c', setting])
  return spawn(path.join(binaries, 'bin', 'postgres'), ['-D', dataDir, '-p', String(port), ...set], {
    cwd: path.parse(dataDir).root,
    env: serverEnvironment(environment),
    // A file, not a pipe: a server that writes to a dead parent's pipe would die with it.
    stdio: ['ignore', log, log],
    detached: true,
    windowsHide: true,
    ...serverUser(),
  })
}

const MAX_LOG_BYTES = 5_000_000

/** The server's log, to append to; the one before is kept when it has grown long. */
const openLog = (dataDir: string): { descriptor: number; since(): string } => {
  const file = `${dataDir}.log`
  const size = (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) as number
  if (size > MAX_LOG_BYTES) fs.renameSync(file, `${file}.old`)
  const start = size > MAX_LOG_BYTES ? 0 : size
  return {
    descriptor: fs.openSync(file, 'a', 0o600),
    since: () => fs.readFileSync(file).subarray(start).toString('utf8'),
  }
}

const WRONG_PASSWORD = '28P01'
const ALL_CONNECTIONS_TAKEN = '53300'

/** Whether the server lets us in. Throws when it refuses the password: it is not the one that was made here. */
const answers = async (folder: DataFolder, port: number): Promise<boolean> => {
  const client = new pg.Client({ connectionString: urlOf(folder, port), connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === WRONG_PASSWORD) {
      throw new Error(`PostgreSQL on ${folder.dataDir} refuses the password in ${passwordFileOf(folder.dataDir)}.`)
    }
    return code === ALL_CONNECTIONS_TAKEN
  } finally {
    await client.end().catch(() => undefined)
  }
}
