import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Environment } from '@causeway/core'
import pg from 'pg'
import { BackupError } from './backupError.js'

/** The programs of PostgreSQL that dump and restore. */
export interface PostgresTools {
  readonly folder: string
  readonly major: number
}

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** Where Debian and its kin put each version; then what the PATH has. */
const folders = (environment: Environment): readonly string[] => {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).filter((name) => /^\d+$/.test(name)) : []
  return [
    ...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
    ...(environment.read('PATH') ?? '').split(delimiter).filter((folder) => folder !== ''),
  ]
}

const versionOf = async (folder: string): Promise<number | null> => {
  try {
    const { stdout } = await promisify(execFile)(join(folder, 'pg_dump'), ['--version'], { env: { LC_ALL: 'C' } })
    return Number(/\) (\d+)/.exec(stdout)?.[1] ?? Number.NaN) || null
  } catch {
    return null
  }
}

const NEEDED = ['pg_dump', 'pg_restore', 'psql']

const install = (major: number): string =>
  `Install the client programs of PostgreSQL ${major} or newer (Debian: apt-get install postgresql-client), or name their folder with --pg-bin <path>.`

/**
 * The programs to use with a server of a version: those of `named`, else the installed ones that are nearest to it. What newer ones write
 * may be too new for the server. @throws BackupError where there are none, or only older ones than the server
 */
export const findTools = async (
  environment: Environment,
  serverMajor: number,
  named: string | undefined,
): Promise<PostgresTools> => {
  const places = named === undefined ? folders(environment) : [named]
  const found: PostgresTools[] = []
  for (const folder of places) {
    if (!NEEDED.every((name) => existsSync(join(folder, name)))) continue
    const major = await versionOf(folder)
    if (major !== null) found.push({ folder, major })
  }
  found.sort((a, b) => a.major - b.major)
  const fits = found.find(({ major }) => major >= serverMajor)
  if (fits !== undefined) return fits
  const newest = found.at(-1)
  const where = named === undefined ? 'on this machine' : `in ${named}`
  throw new BackupError(
    newest === undefined
      ? `There are no pg_dump, pg_restore and psql ${where}. ${install(serverMajor)}`
      : `pg_dump is of PostgreSQL ${newest.major} and the server of ${serverMajor}; it cannot read a newer server. ${install(serverMajor)}`,
  )
}

/** Handed on to the programs; nothing else is: the variables of the service hold keys. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY']
const SSL: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
}

const sslOf = (url: string): NodeJS.ProcessEnv => {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  return Object.fromEntries(
    Object.entries(SSL).flatMap(([name, variable]) => {
      const value = query.get(name)
      // The driver's own word for TLS without a check of the certificate.
      return value === null ? [] : [[variable, value === 'no-verify' ? 'require' : value]]
    }),
  )
}

/** Where the database is and the password, as variables: other users see a command line, but not these. */
export const toolEnvironment = (url: string, environment: Environment): NodeJS.ProcessEnv => {
  const { host, port, user, database, password } = new pg.Client({ connectionString: url })
  const kept = KEPT.flatMap((name) => {
    const value = environment.read(name)
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    PGHOST: host,
    PGPORT: String(port),
    ...(user === undefined ? {} : { PGUSER: user }),
    ...(database === undefined ? {} : { PGDATABASE: database }),
    ...(typeof password === 'string' ? { PGPASSWORD: password } : {}),
    PGAPPNAME: 'causeway backup',
    PGCONNECT_TIMEOUT: '10',
    ...sslOf(url),
  }
}

export interface ToolRun {
  readonly env: NodeJS.ProcessEnv
  /** Hears each line of standard error. */
  onLine?(line: string): void
}

/** What a program said of its failure, without lines that only tell progress. */
const reasonOf = (lines: readonly string[]): string =>
  lines
    .filter((line) => /error|fatal|could not|cannot/i.test(line))
    .slice(0, 3)
    .join(' ') || lines.slice(-2).join(' ')

/** Starts a program of the tools; `done` rejects with BackupError when it fails. */
export const runTool = (tools: PostgresTools, name: string, args: readonly string[], run: ToolRun) => {
  const child = spawn(join(tools.folder, name), [...args], { env: run.env, stdio: ['pipe', 'pipe', 'pipe'] })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    if (lines.length > 200) lines.shift()
    run.onLine?.(line)
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new BackupError(`${name} does not start: ${error.message}`)))
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new BackupError(`${name} failed: ${reasonOf(lines) || `exit code ${code}`}`)),
    )
  })
  return { child, done }
}
