import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { findDataFolder, makeHomeOfData, passwordFileOf } from './dataFolder.js'
import { runningServer } from './serverProcess.js'
import { serverUser } from './serverUser.js'

/** The folder of the embedded server cannot be copied, or nothing can be put into its place; the message says what to do. */
export class DataFolderCopyError extends Error {
  override readonly name = 'DataFolderCopyError'
}

const CLUSTER = 'data'
const PASSWORD = 'password'

const controlFile = (dataDir: string): Buffer => fs.readFileSync(path.join(dataDir, 'global', 'pg_control'))

const majorOfData = (dataDir: string): string => fs.readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim()

const majorOfServer = (binaries: string): string => {
  const { stdout } = spawnSync(path.join(binaries, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
  return /\) (\d+)/.exec(stdout ?? '')?.[1] ?? 'of an unknown version'
}

const refuseRunning = (dataDir: string): void => {
  if (runningServer(dataDir) === null) return
  throw new DataFolderCopyError(
    'The embedded PostgreSQL runs, and its folder can be copied only while it is stopped. Stop every process that uses it.',
  )
}

/**
 * Copies the data of a stopped embedded server, with its password, into a new folder that only this user may enter. A server that
 * was started meanwhile is noticed: the copy is removed then. @throws DataFolderCopyError
 */
export const copyDataFolder = (wanted: string, to: string): void => {
  const found = findDataFolder(wanted)
  if (found === null)
    throw new DataFolderCopyError('There is no embedded database here yet, so there is nothing to copy.')
  refuseRunning(found.dataDir)
  const before = controlFile(found.dataDir)
  fs.mkdirSync(to, { mode: 0o700 })
  try {
    fs.cpSync(found.dataDir, path.join(to, CLUSTER), { recursive: true, errorOnExist: true, force: false })
    fs.writeFileSync(path.join(to, PASSWORD), `${found.password}\n`, { mode: 0o600, flag: 'wx' })
    refuseRunning(found.dataDir)
    if (!controlFile(found.dataDir).equals(before)) {
      throw new DataFolderCopyError('The embedded PostgreSQL was started while its folder was copied. Copy it again.')
    }
    flushAll(to)
  } catch (error) {
    fs.rmSync(to, { recursive: true, force: true })
    throw error
  }
}

/**
 * Puts a copy in the place of an embedded server that was never started there. @throws DataFolderCopyError when there is data, or the copy is of
 * another version than the programs `binaries`.
 */
export const placeDataFolder = (from: string, wanted: string, binaries: string): void => {
  const source = path.join(from, CLUSTER)
  const server = majorOfServer(binaries)
  if (majorOfData(source) !== server) {
    throw new DataFolderCopyError(
      `The copy is of PostgreSQL ${majorOfData(source)}, and the embedded server is ${server}. Install the version of Causeway that it was made with.`,
    )
  }
  const dataDir = makeHomeOfData(wanted)
  if (fs.existsSync(dataDir) || fs.existsSync(passwordFileOf(dataDir))) {
    throw new DataFolderCopyError(
      `${dataDir} holds a database already. Move it and ${passwordFileOf(dataDir)} away first, or name another dataDir.`,
    )
  }
  const partial = fs.mkdtempSync(`${dataDir}.partial-`)
  try {
    fs.cpSync(source, partial, { recursive: true })
    fs.rmSync(path.join(partial, 'postmaster.pid'), { force: true })
    giveToServer(partial)
    flushAll(partial)
    fs.copyFileSync(path.join(from, PASSWORD), passwordFileOf(dataDir), fs.constants.COPYFILE_EXCL)
    fs.chmodSync(passwordFileOf(dataDir), 0o600)
    fs.renameSync(partial, dataDir)
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** Every file below a folder, in the order of their names. */
const filesBelow = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()

/** Bytes and digest of a copy: of each file with its name. */
export const measureCopy = (folder: string): { readonly bytes: number; readonly sha256: string } => {
  const digest = createHash('sha256')
  let bytes = 0
  for (const file of filesBelow(folder)) {
    const content = fs.readFileSync(file)
    bytes += content.length
    digest.update(`${path.relative(folder, file)}\0${content.length}\0`).update(content)
  }
  return { bytes, sha256: digest.digest('hex') }
}

const flushAll = (folder: string): void => {
  for (const file of filesBelow(folder)) {
    const descriptor = fs.openSync(file, 'r')
    fs.fsyncSync(descriptor)
    fs.closeSync(descriptor)
  }
}

/** Folders of a cluster are closed to all others, and its files belong to the server's user. */
const giveToServer = (folder: string): void => {
  const user = serverUser()
  const give = (place: string, mode: number): void => {
    fs.chmodSync(place, mode)
    if (user !== null) fs.chownSync(place, user.uid, user.gid)
  }
  give(folder, 0o700)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    give(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  }
}
