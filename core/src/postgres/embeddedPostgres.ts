import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { findPostgresBinaries, othersMayReach, privateFolder, serverUser } from './postgresBinaries.js'

export interface EmbeddedPostgresOptions {
  /** Kept between starts. Moved under /var/tmp when root's server could not reach it. */
  readonly dataDir: string
  /** A free one is chosen when absent. */
  readonly port?: number
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[]
}

export interface EmbeddedPostgres {
  readonly url: string
  readonly pid: number
  readonly port: number
  readonly dataDir: string
  /** True when a server left over by a process that died was taken on. */
  readonly adopted: boolean
  stop(): Promise<void>
}

const START_TRIES = 5

/**
 * Starts (or adopts) a real PostgreSQL on 127.0.0.1 from the bundled binaries, as root or as an ordinary user. The server
 * outlives this process when it is killed; the next start adopts it. Throws PostgresUnavailableError or an Error with the
 * server's own words.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const binaries = findPostgresBinaries()
  const dataDir = prepareFolder(options.dataDir)
  const password = initialise(binaries, dataDir)
  for (let tries = 1; ; tries += 1) {
    const running = await findRunning(dataDir, password)
    if (running !== null) return running
    const port = options.port ?? (await freePort())
    const outcome = await launch(binaries, dataDir, port, options.settings ?? [])
    if (outcome === null) {
      const started = await findRunning(dataDir, password)
      if (started !== null) return { ...started, adopted: false }
    }
    if (tries >= START_TRIES) throw new Error(`PostgreSQL did not start: ${outcome ?? 'it answers nothing'}`)
  }
}

/** Stops the server of a data folder by its pid file; nothing happens when none runs. */
export const stopEmbeddedPostgres = async (dataDir: string): Promise<void> => {
  const pid = readPidFile(placeOf(dataDir))?.pid
  if (pid === undefined || !isAlive(pid)) return
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + 20_000
  while (isAlive(pid) && performance.now() < deadline) await soon()
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
}

const placeOf = (dataDir: string): string => {
  const absolute = path.resolve(dataDir)
  if (serverUser() === null) return absolute
  let existing = path.dirname(absolute)
  while (!fs.existsSync(existing)) existing = path.dirname(existing)
  return othersMayReach(existing) ? absolute : path.join(privateFolder(absolute), 'data')
}

const prepareFolder = (wanted: string): string => {
  const dataDir = placeOf(wanted)
  fs.mkdirSync(path.dirname(dataDir), { recursive: true })
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const user = serverUser()
  if (user !== null) fs.chownSync(dataDir, user.uid, user.gid)
  return dataDir
}

const passwordFile = (dataDir: string): string => `${dataDir}.password`

/** Makes the cluster once; returns the password. */
const initialise = (binaries: string, dataDir: string): string => {
  const file = passwordFile(dataDir)
  if (fs.existsSync(path.join(dataDir, 'PG_VERSION')) && fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
  const user = serverUser()
  fs.rmSync(dataDir, { recursive: true, force: true })
  fs.mkdirSync(dataDir, { mode: 0o700 })
  const password = randomBytes(18).toString('hex')
  const handover = `${file}.init`
  fs.writeFileSync(handover, `${password}\n`, { mode: 0o600 })
  if (user !== null) for (const item of [dataDir, handover]) fs.chownSync(item, user.uid, user.gid)
  const result = spawnSync(
    path.join(binaries, 'bin', 'initdb'),
    ['-D', dataDir, '-U', 'postgres', '--pwfile', handover, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    { cwd: '/', encoding: 'utf8', ...(user ?? {}) },
  )
  fs.rmSync(handover)
  if (result.status !== 0) {
    fs.rmSync(dataDir, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not make its data folder: ${(result.stderr ?? String(result.error)).slice(-500)}`)
  }
  fs.writeFileSync(file, `${password}\n`, { mode: 0o600 })
  return password
}

/** Starts the server detached; null when it is up, else what it said. */
const launch = async (binaries: string, dataDir: string, port: number, settings: readonly string[]): Promise<string | null> => {
  const user = serverUser()
  const logFile = `${dataDir}.log`
  const log = fs.openSync(logFile, 'w')
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=64MB',
    'max_connections=200',
    'wal_level=replica',
    ...settings,
  ]
  const child = spawn(
    path.join(binaries, 'bin', 'postgres'),
    ['-D', dataDir, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    { cwd: '/', stdio: ['ignore', log, log], detached: true, ...(user ?? {}) },
  )
  fs.closeSync(log)
  let exited = false
  child.once('exit', () => {
    exited = true
  })
  child.once('error', () => {
    exited = true
  })
  child.unref()
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const text = fs.readFileSync(logFile, 'utf8')
    if (text.includes('ready to accept connections')) return null
    if (exited) return text.slice(-500)
    await soon()
  }
  return 'it was not ready within 30 seconds'
}

const readPidFile = (dataDir: string): { pid: number; port: number; ready: boolean } | null => {
  try {
    const lines = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: (lines[7] ?? '').trim() === 'ready' }
  } catch {
    return null
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM'
  }
}

/** The server that already serves this folder, or null. A stale pid file of a dead process is harmless: the server removes it. */
const findRunning = async (dataDir: string, password: string): Promise<EmbeddedPostgres | null> => {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const found = readPidFile(dataDir)
    if (found === null || !isAlive(found.pid)) return null
    const url = `postgres://postgres:${password}@127.0.0.1:${found.port}/postgres`
    if (found.ready && (await answers(url))) {
      return { url, pid: found.pid, port: found.port, dataDir, adopted: true, stop: () => stopEmbeddedPostgres(dataDir) }
    }
    await soon()
  }
  return null
}

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
