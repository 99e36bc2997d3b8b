import { join, resolve } from 'node:path'
import { findPostgresBinaries, findSessionProblem, openConnection, placeDataFolder } from '@causeway/core/host'
import { RESTORED_HISTORY_SQL } from '@causeway/core/money-path'
import { createPool, MIGRATION_LOCK } from '@causeway/core/plugin'
import type pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../application/opening/openDatabase.js'
import { BackupError } from './backupError.js'
import type { BackupDeps } from './makeBackup.js'
import { type BackupManifest, checkIntact, readManifest } from './manifest.js'
import { findTools, type PostgresTools, runTool, toolEnvironment } from './postgresTools.js'
import { progress } from './progress.js'
import { checkEmpty, checkFits, type RestorePlace } from './restoreChecks.js'

/** What was restored, and what the operator should hear of it. */
export interface Restored {
  readonly manifest: BackupManifest
  readonly notes: readonly string[]
}

/**
 * Puts a backup back into an empty database, whole or not at all. A host that is started meanwhile waits until it is done.
 * @throws BackupError, DataFolderCopyError
 */
export const restoreBackup = async (deps: BackupDeps, name: string, place: RestorePlace): Promise<Restored> => {
  const file = resolve(name)
  const manifest = readManifest(file)
  const notes = checkFits(manifest, place)
  deps.print('comparing the backup with what was written down when it was made')
  await checkIntact(file, manifest)
  const { url } = deps.loaded.config.database
  if (url === undefined) await restoreFolder(deps, file, manifest)
  else await restoreDump(deps, file, manifest, url)
  return { manifest, notes }
}

const restoreDump = async (deps: BackupDeps, file: string, manifest: BackupManifest, url: string): Promise<void> => {
  if (manifest.kind === 'folder') {
    throw new BackupError(
      'This is the folder of an embedded server, and DATABASE_URL (or "database.url") names a server. Unset it to restore the folder.',
    )
  }
  const settings = { connectionString: url, applicationName: 'causeway restore' }
  const client = await openConnection(settings).catch((error: unknown) => {
    throw new BackupError(
      'The database cannot be reached. Make it first (createdb); check DATABASE_URL (or "database.url").',
      {
        cause: error,
      },
    )
  })
  try {
    const problem = await findSessionProblem(url)
    if (problem !== null) throw new BackupError(`The database cannot be used: ${problem.message}. ${problem.remedy}`)
    const tools = await toolsFor(deps, client, manifest)
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [MIGRATION_LOCK])
    if (rows[0]?.free !== true)
      throw new BackupError('A host or a migration is starting on this database. Stop it first.')
    await checkEmpty(client)
    await playBack(deps, file, tools, toolEnvironment(url, deps.loaded.environment))
  } finally {
    // Gives the lock back too.
    await client.end().catch(() => undefined)
  }
}

const toolsFor = async (
  { loaded, toolFolder }: BackupDeps,
  client: pg.Client,
  manifest: BackupManifest,
): Promise<PostgresTools> => {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  const major = rows[0]?.major ?? 0
  if (major < manifest.facts.serverMajor) {
    throw new BackupError(
      `The backup is of PostgreSQL ${manifest.facts.serverMajor}, and this server is ${major}. Restore into ${manifest.facts.serverMajor} or newer.`,
    )
  }
  return findTools(loaded.environment, Math.max(major, manifest.toolMajor ?? 0), toolFolder)
}

/** One transaction, ended here and only after the whole dump was read: a program that fails half way leaves the database empty. */
const playBack = async (
  { print }: BackupDeps,
  file: string,
  tools: PostgresTools,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const told = progress(print, 'restoring')
  const psql = runTool(
    tools,
    'psql',
    ['--no-psqlrc', '--quiet', '--no-password', '--single-transaction', '--set=ON_ERROR_STOP=1', '--file=-'],
    { env },
  )
  psql.child.stdout.resume()
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--verbose', '--file=-', file]
  const reader = runTool(tools, 'pg_restore', args, {
    env,
    onLine: (line) => told(/processing data for table "(?:\w+\.)?(\w+)"/.exec(line)?.[1]),
  })
  reader.child.stdin.end()
  // A program that ended early is told by its own failure.
  psql.child.stdin.on('error', () => undefined)
  reader.child.stdout.pipe(psql.child.stdin, { end: false })
  const failed = psql.done.then(
    () => undefined,
    (error: unknown) => {
      reader.child.kill()
      throw error
    },
  )
  try {
    await Promise.race([reader.done, failed.then(() => reader.done)])
  } catch (error) {
    psql.child.kill()
    await Promise.allSettled([psql.done, reader.done])
    throw error
  }
  psql.child.stdin.end(`reset search_path;\n${RESTORED_HISTORY_SQL}`)
  await failed
}

const restoreFolder = async ({ loaded, print }: BackupDeps, file: string, manifest: BackupManifest): Promise<void> => {
  if (manifest.kind === 'dump') {
    throw new BackupError(
      'This is a dump of a server. Set DATABASE_URL (or "database.url") to an empty database of one.',
    )
  }
  const dataDir = join(resolve(loaded.folder, loaded.config.dataDir), 'postgres')
  print('copying the folder of the embedded PostgreSQL')
  placeDataFolder(file, dataDir, findPostgresBinaries())
  const database = await openDatabase(loaded, pino({ level: 'silent' }), 'host')
  const pool = createPool({ connectionString: database.url, max: 1, applicationName: 'causeway restore' })
  try {
    await pool.query(RESTORED_HISTORY_SQL)
  } finally {
    await pool.end()
    await database.close()
  }
}
