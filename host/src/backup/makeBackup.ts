import { accessSync, closeSync, constants, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { copyDataFolder, findEmbeddedPostgres, openConnection } from '@causeway/core/host'
import { pino } from 'pino'
import { HOST_VERSION } from '../application/hostVersion.js'
import { openDatabase } from '../application/opening/openDatabase.js'
import type { LoadedConfig } from '../config/loadConfig.js'
import { BackupError } from './backupError.js'
import { readFacts } from './databaseFacts.js'
import { partialFile, removeLeftovers } from './leftovers.js'
import { type BackupManifest, type DatabaseFacts, manifestFile, measure, writeManifest } from './manifest.js'
import { findTools, runTool, toolEnvironment } from './postgresTools.js'
import { progress } from './progress.js'

export interface BackupDeps {
  /** Loaded without its keys. */
  readonly loaded: LoadedConfig
  /** Folder of pg_dump, pg_restore and psql; absent: the installed ones that fit. */
  readonly toolFolder?: string | undefined
  print(line: string): void
}

/**
 * Writes a backup of the configured database and what it is beside it: of a server a dump of one moment, while hosts work; of the embedded
 * server its stopped folder. It gets its name when it is whole. @throws BackupError, DataFolderCopyError
 */
export const makeBackup = async (deps: BackupDeps, name: string): Promise<BackupManifest> => {
  const file = resolve(name)
  checkPlace(file)
  removeLeftovers(file, deps.print)
  const partial = partialFile(file)
  try {
    const made =
      deps.loaded.config.database.url === undefined ? await copyFolder(deps, partial) : await dump(deps, partial)
    const manifest = { ...made, ...(await measure(partial, made.kind)) }
    writeManifest(manifestFile(partial), manifest)
    // The backup last: where it stands, what says what it is does too.
    renameSync(manifestFile(partial), manifestFile(file))
    renameSync(partial, file)
    return manifest
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    rmSync(manifestFile(partial), { force: true })
    throw error
  }
}

const checkPlace = (file: string): void => {
  for (const place of [file, manifestFile(file)]) {
    if (existsSync(place))
      throw new BackupError(`${place} is there already. Name another file; a backup is never overwritten.`)
  }
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch {
    throw new BackupError(`Nothing can be written to ${dirname(file)}. Make the folder, or name another one.`)
  }
}

type Made = Omit<BackupManifest, 'bytes' | 'sha256'>

const describe = (kind: Made['kind'], toolMajor: number | null, facts: DatabaseFacts, takenAt: Date): Made => ({
  schemaVersion: 1,
  kind,
  program: HOST_VERSION,
  toolMajor,
  takenAt: takenAt.toISOString(),
  facts,
})

/** What is written down is of the same snapshot as the dump, so that the two cannot differ. */
const dump = async ({ loaded, toolFolder, print }: BackupDeps, partial: string): Promise<Made> => {
  const url = loaded.config.database.url ?? ''
  const settings = { connectionString: url, applicationName: 'causeway backup' }
  const client = await openConnection(settings).catch((error: unknown) => {
    throw new BackupError('The database cannot be reached. Check DATABASE_URL (or "database.url").', { cause: error })
  })
  try {
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot')
    const { facts, takenAt } = await readFacts(client)
    const tools = await findTools(loaded.environment, facts.serverMajor, toolFolder)
    // Made here, so that nobody else may read it at any moment.
    closeSync(openSync(partial, 'wx', 0o600))
    const told = progress(print, 'writing', () => statSync(partial).size)
    const args = ['--format=custom', '--no-password', '--verbose', `--snapshot=${rows[0]?.snapshot}`, '--file', partial]
    const onLine = (line: string) => told(/dumping contents of table "(?:\w+\.)?(\w+)"/.exec(line)?.[1])
    await runTool(tools, 'pg_dump', args, { env: toolEnvironment(url, loaded.environment), onLine }).done
    return describe('dump', tools.major, facts, takenAt)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The server is started once to be asked what it holds; whoever starts it while it is copied is noticed. */
const copyFolder = async ({ loaded, print }: BackupDeps, partial: string): Promise<Made> => {
  const dataDir = join(resolve(loaded.folder, loaded.config.dataDir), 'postgres')
  const { environment } = loaded
  if ((await findEmbeddedPostgres({ dataDir, environment })) !== null) {
    throw new BackupError('The embedded PostgreSQL runs. Stop every host and command that uses it, then back up again.')
  }
  if (!existsSync(dataDir)) throw new BackupError(`There is no embedded database in ${dataDir} yet.`)
  const database = await openDatabase(loaded, pino({ level: 'silent' }), 'host')
  const { facts, takenAt } = await readFacts(database.pool).finally(() => database.close())
  print('copying the folder of the embedded PostgreSQL')
  copyDataFolder(dataDir, partial)
  return describe('folder', null, facts, takenAt)
}
