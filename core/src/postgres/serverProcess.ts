import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Environment } from '../container/environment.js'
import { serverEnvironment } from './serverUser.js'

/** What a server writes of itself into its data folder. */
export interface ServerRecord {
  readonly pid: number
  readonly port: number
  /** It said that it takes connections. */
  readonly ready: boolean
}

const PORT_LINE = 3
const STATUS_LINE = 7

const recordFile = (dataDir: string): string => path.join(dataDir, 'postmaster.pid')

const readRecord = (dataDir: string): ServerRecord | null => {
  try {
    const lines = fs.readFileSync(recordFile(dataDir), 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isSafeInteger(pid) || pid <= 0) return null
    return { pid, port: Number(lines[PORT_LINE]), ready: (lines[STATUS_LINE] ?? '').trim() === 'ready' }
  } catch {
    return null
  }
}

/** The server that runs on a data folder now, or null; what a dead one left behind counts for nothing. */
export const runningServer = (dataDir: string): ServerRecord | null => {
  const record = readRecord(dataDir)
  return record !== null && servesFolder(record.pid, dataDir) ? record : null
}

/** Whether a process is the server of that folder: a process id alone may belong to somebody else after a restart. */
const servesFolder = (pid: number, dataDir: string): boolean => {
  if (!isAlive(pid)) return false
  if (process.platform === 'win32') return true
  if (process.platform === 'linux') return workingFolder(pid) === dataDir || argumentsOf(pid).includes(dataDir)
  const shown = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  return shown.includes(`-D ${dataDir} -p`)
}

/** Empty for a process that is gone or only waits to be collected. */
const argumentsOf = (pid: number): string[] => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

const workingFolder = (pid: number): string | null => {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Whether a process has that id now, whoever's it is. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM'
  }
}

/**
 * Removes the record of a dead server whose process id now belongs to another program: PostgreSQL itself would take that
 * program for its predecessor and refuse to start. Leaves it while any process still works in the folder.
 */
export const removeStaleRecord = (dataDir: string): void => {
  if (process.platform !== 'linux') return
  const record = readRecord(dataDir)
  if (record === null || !isAlive(record.pid) || servesFolder(record.pid, dataDir)) return
  if (path.basename(argumentsOf(record.pid)[0] ?? '') === 'postgres') return
  const occupied = fs
    .readdirSync('/proc')
    .some((entry) => /^\d+$/.test(entry) && workingFolder(Number(entry)) === dataDir)
  if (!occupied) fs.rmSync(recordFile(dataDir), { force: true })
}

const FAST_STOP_MS = 20_000
const HARD_STOP_MS = 5_000

/** Fast shutdown: open transactions are rolled back. Resolves when the process is gone; throws when it does not go. */
export const stopServer = async (binaries: () => string, dataDir: string, environment?: Environment): Promise<void> => {
  const record = runningServer(dataDir)
  if (record === null) return
  const gone = () => runningServer(dataDir)?.pid !== record.pid
  if (process.platform === 'win32') {
    // Signals do not exist there.
    const control = path.join(binaries(), 'bin', 'pg_ctl')
    spawnSync(control, ['stop', '-D', dataDir, '-m', 'fast', '-w'], { env: serverEnvironment(environment) })
  } else {
    signalServer(record.pid, 'SIGINT')
    if (!(await until(gone, FAST_STOP_MS))) signalServer(record.pid, 'SIGQUIT')
  }
  if (!(await until(gone, HARD_STOP_MS)))
    throw new Error(`PostgreSQL (process ${record.pid}) in ${dataDir} does not stop.`)
}

const signalServer = (pid: number, signal: 'SIGINT' | 'SIGQUIT'): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'ESRCH')) throw error
  }
}

const POLL_MS = 20

/** Asks again and again until the condition holds; false when the time is over. */
export const until = async (condition: () => boolean, milliseconds: number): Promise<boolean> => {
  const deadline = performance.now() + milliseconds
  while (!condition()) {
    if (performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}
