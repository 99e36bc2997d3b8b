import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Environment } from '../container/environment.js'
import { moveFolder } from './moveFolder.js'
import { makePrivateFolder, othersMayReach, privateFolderOf } from './privateFolder.js'
import { serverEnvironment, serverUser } from './serverUser.js'

/** The path without symbolic links, whether the folder exists or not. */
const realPlace = (wanted: string): string => {
  const absolute = path.resolve(wanted)
  let existing = absolute
  while (!fs.existsSync(existing)) existing = path.dirname(existing)
  return path.join(fs.realpathSync(existing), path.relative(existing, absolute))
}

/** Where the data of `wanted` really is: under /var/tmp when root's server could not walk to it. */
export const placeOfData = (wanted: string): string => {
  const real = realPlace(wanted)
  if (serverUser() === null) return real
  let parent = path.dirname(real)
  while (!fs.existsSync(parent)) parent = path.dirname(parent)
  return othersMayReach(parent) ? real : path.join(privateFolderOf(real), 'data')
}

/** Makes the folder that the data of `wanted` is to lie in, and returns where the data itself is to be. */
export const makeHomeOfData = (wanted: string): string => {
  fs.mkdirSync(path.dirname(path.resolve(wanted)), { recursive: true })
  const dataDir = placeOfData(wanted)
  const home = path.dirname(dataDir)
  if (home === privateFolderOf(realPlace(wanted))) makePrivateFolder(home)
  return dataDir
}

export const passwordFileOf = (dataDir: string): string => `${dataDir}.password`

export interface DataFolder {
  readonly dataDir: string
  readonly password: string
}

/** How a data folder is made where there is none. */
export interface ClusterOptions {
  /** Folder of the programs. */
  readonly binaries: string
  /** Whether to wait until all of it is on the disk. */
  readonly sync: boolean
  readonly environment?: Environment | undefined
}

/**
 * The data folder, made on first use; several processes may ask at once, one folder wins. Never touches a folder that holds
 * something. Throws an Error that names the folder when it is not ours, or when its password file is gone.
 */
export const prepareDataFolder = (wanted: string, options: ClusterOptions): DataFolder => {
  const dataDir = makeHomeOfData(wanted)
  if (!hasCluster(dataDir)) {
    refuseForeign(dataDir)
    makeCluster(dataDir, makePassword(dataDir), options)
  }
  return { dataDir, password: readPassword(dataDir) }
}

/** The data folder that was made for `wanted`; null where none was. Throws an Error when its password file is gone. */
export const findDataFolder = (wanted: string): DataFolder | null => {
  const dataDir = placeOfData(wanted)
  return hasCluster(dataDir) ? { dataDir, password: readPassword(dataDir) } : null
}

const hasCluster = (dataDir: string): boolean => fs.existsSync(path.join(dataDir, 'PG_VERSION'))

const refuseForeign = (dataDir: string): void => {
  if (fs.existsSync(dataDir) && fs.readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} is not empty and holds no PostgreSQL data. Choose another folder.`)
  }
}

const readPassword = (dataDir: string): string => {
  const file = passwordFileOf(dataDir)
  if (!fs.existsSync(file)) {
    throw new Error(
      `${dataDir} holds a database, but its password file ${file} is gone. Put it back, or choose another folder.`,
    )
  }
  return fs.readFileSync(file, 'utf8').trim()
}

/** The first process's password stands: the file appears whole or not at all. */
const makePassword = (dataDir: string): string => {
  const file = passwordFileOf(dataDir)
  const mine = `${file}.${randomBytes(6).toString('hex')}`
  fs.writeFileSync(mine, `${randomBytes(18).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    fs.linkSync(mine, file)
  } catch (error) {
    if (!fs.existsSync(file)) throw error
  } finally {
    fs.rmSync(mine)
  }
  return readPassword(dataDir)
}

/** For a cluster that need not survive: its many short connections do not derive a slow key for each password. */
const QUICK = ['--no-sync', '--no-data-checksums', '--set', 'scram_iterations=1']

/** Makes the cluster in a folder of its own and then gives it its name, so that a crash leaves nothing half made there. */
const makeCluster = (dataDir: string, password: string, { binaries, sync, environment }: ClusterOptions): void => {
  const user = serverUser()
  const partial = fs.mkdtempSync(`${dataDir}.partial-`)
  const handover = `${partial}.password`
  fs.writeFileSync(handover, `${password}\n`, { mode: 0o600, flag: 'wx' })
  if (user !== null) for (const item of [partial, handover]) fs.chownSync(item, user.uid, user.gid)
  const made = spawnSync(
    path.join(binaries, 'bin', 'initdb'),
    [
      ...['-D', partial, '-U', 'postgres', '--pwfile', handover, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', ...(sync ? [] : QUICK)],
    ],
    { cwd: path.parse(dataDir).root, encoding: 'utf8', env: serverEnvironment(environment), ...user },
  )
  fs.rmSync(handover)
  if (made.status !== 0) {
    fs.rmSync(partial, { recursive: true, force: true })
    const why = made.error?.message ?? made.stderr.trim().slice(-500)
    throw new Error(`PostgreSQL could not make its data folder ${dataDir}: ${why}`)
  }
  moveFolder(partial, dataDir)
}
