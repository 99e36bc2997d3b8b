import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { environmentOf } from '../container/environment.js'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../postgres/embeddedPostgres.js'
import { isAlive } from '../postgres/serverProcess.js'
import { TEST_DATABASE_VARIABLE } from './testDatabaseVariable.js'

export interface TestPostgres {
  readonly url: string
  /** Process of the server. */
  readonly pid: number
  /** Where its data is; relative paths of its settings begin there. */
  readonly dataDir: string
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

const PREFIX = 'causeway-tests-'
const DATA = 'postgres'
const ENVIRONMENT = environmentOf(process.env)

const MEMORY = '/dev/shm'
/** Containers have 64 MiB there unless told otherwise. */
const LEAST_ROOM = 4 * 1024 ** 3

/** In memory where the machine has room for it: a database is made and dropped there in a fifth of the time. */
const placeOfData = (): string => {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK | fs.constants.X_OK)
    const { bavail, bsize } = fs.statfsSync(MEMORY)
    return bavail * bsize >= LEAST_ROOM ? MEMORY : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}

/** Not durable. Each connection plans a statement once: planning costs more than running it over the small tables of tests. */
const QUICK = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'plan_cache_mode=force_generic_plan']

export interface TestPostgresOptions {
  /** Folder to keep the data in; memory, or that for temporary files, when absent. */
  readonly parent?: string
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[]
}

/**
 * A throw-away PostgreSQL for a test run. Not durable: what it holds is lost when the machine stops. Servers that killed runs
 * left behind in the same folder are stopped and removed first.
 */
export const startTestPostgres = async ({
  parent = placeOfData(),
  settings = [],
}: TestPostgresOptions = {}): Promise<TestPostgres> => {
  await removeLeftovers(parent)
  const folder = fs.mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`))
  // Root's server runs as another user, which must walk through this folder.
  fs.chmodSync(folder, 0o711)
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  const server = await startEmbeddedPostgres({
    dataDir: path.join(folder, DATA),
    settings: [...QUICK, ...settings],
    environment: ENVIRONMENT,
  }).catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    url: server.url,
    pid: server.pid,
    dataDir: server.dataDir,
    async stop() {
      await server.stop()
      remove()
    },
  }
}

/**
 * For the setup of a test run: sees to the PostgreSQL that `createTestDatabase` needs. It is the one that
 * CAUSEWAY_TEST_DATABASE_URL names (its user must be allowed to create databases), else a throw-away one, which processes
 * started from here on find by that variable. Returns what stops it.
 */
export const openTestPostgres = async (): Promise<() => Promise<void>> => {
  const named = process.env[TEST_DATABASE_VARIABLE]
  if (named !== undefined && named !== '') return async () => undefined
  const server = await startTestPostgres()
  process.env[TEST_DATABASE_VARIABLE] = server.url
  return async () => {
    delete process.env[TEST_DATABASE_VARIABLE]
    await server.stop()
  }
}

const removeLeftovers = async (parent: string): Promise<void> => {
  for (const name of fs.readdirSync(parent)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    const folder = path.join(parent, name)
    try {
      await stopEmbeddedPostgres(path.join(folder, DATA), ENVIRONMENT)
      fs.rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another user's, who will clear it away.
    }
  }
}
