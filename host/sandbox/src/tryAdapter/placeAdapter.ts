import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AdapterFolder } from './adapterFolder.js'

const CORE = '@causeway/core'
const LEFT_OUT = new Set(['node_modules', '.git'])

/**
 * Puts an adapter package into the folder of a sandbox as an install would: a copy of the package, its dependencies, and the
 * core of this sandbox. A link to the package would load the core in its own node_modules, a second one in the same process.
 * @returns the URL of its entry `./testing`
 */
export const placeAdapter = ({ folder, name, dependencies, testing }: AdapterFolder, home: string): string => {
  const modules = join(home, 'node_modules')
  const placed = join(modules, name)
  cpSync(folder, placed, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) })
  link(dirname(createRequire(import.meta.url).resolve(`${CORE}/package.json`)), join(modules, CORE))
  for (const dependency of dependencies) {
    const found = installedFolder(dependency, folder)
    if (found !== null) link(found, join(modules, dependency))
  }
  return pathToFileURL(join(placed, testing)).href
}

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) symlinkSync(realpathSync(target), path, 'junction')
}

/** Folder of an installed package, as Node finds it from a folder on; null when it is not installed. */
const installedFolder = (name: string, from: string): string | null => {
  const found = join(from, 'node_modules', name)
  if (existsSync(found)) return found
  return from === dirname(from) ? null : installedFolder(name, dirname(from))
}
