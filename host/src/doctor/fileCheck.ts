import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Diagnosis } from '@causeway/core/chain'
import type { LoadedConfig } from '../config/loadConfig.js'

/** What a host opens besides connections of clients: logs, the database, nodes, timers. */
const OTHER_FILES = 500

/** Whether a process may open as many files as it lets connections in: one beyond cannot be accepted, nor refused politely. */
export const checkFiles = ({ config }: LoadedConfig): readonly Diagnosis[] => {
  const limit = filesAllowed()
  return limit === null ? [] : [judgeFiles(limit, config.http.maxConnections)]
}

/** The finding for a limit of open files; infinite where there is none. */
export const judgeFiles = (limit: number, maxConnections: number): Diagnosis => {
  const found = { check: 'open files', subject: 'this machine' }
  const allowed = limit === Number.POSITIVE_INFINITY ? 'any number' : `${limit}`
  const message = `${allowed} for a process, and "http.maxConnections" is ${maxConnections}`
  if (limit >= maxConnections + OTHER_FILES) return { ...found, state: 'ok', message }
  const most = Math.max(limit - OTHER_FILES, 10)
  return {
    ...found,
    state: 'warning',
    message: `${message}: a flood of connections keeps the process from its database and its nodes before it turns one away`,
    remedy: `Allow its hosts ${maxConnections + OTHER_FILES} (LimitNOFILE= of the unit, "ulimit -n" of the shell), or set "http.maxConnections" to ${most}.`,
  }
}

/** How many files a process started as this one was may open; null where nothing tells. Node takes all that it may have. */
const filesAllowed = (): number | null => readLimit(limitsOfLinux() ?? limitOfShell())

const limitsOfLinux = (): string | undefined => {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return undefined
  }
}

/** The soft limit among those that Linux lists for a process. */
export const openFilesIn = (limits: string): string | undefined => /^Max open files +(\S+)/m.exec(limits)?.[1]

const limitOfShell = (): string | undefined => {
  try {
    return execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8', timeout: 5_000 }).trim()
  } catch {
    return undefined
  }
}

/** A limit as systems write it; null for what is none. */
export const readLimit = (text: string | undefined): number | null => {
  if (text === 'unlimited') return Number.POSITIVE_INFINITY
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null
}
