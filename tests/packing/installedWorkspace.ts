import { execFile } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { oncePerRun } from '@causeway/core/testing'
import { manifestOf, packedWorkspace } from './packedWorkspace.js'

const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--omit=optional']
const PATIENCE_MS = 280_000

/** Every package of the workspace, packed and installed by npm outside of it, without what is optional; not to be changed. */
export interface InstalledWorkspace {
  /** The `package.json` that asks for the tarballs. */
  readonly manifest: string
  /** The folder `node_modules`. */
  readonly modules: string
}

/** Installed once in a run: half a gigabyte in fifty thousand files. */
export const installedWorkspace = async (): Promise<InstalledWorkspace> => {
  const folder = await oncePerRun('installed-workspace', install, PATIENCE_MS)
  return {
    manifest: readFileSync(join(folder, 'package.json'), 'utf8'),
    modules: join(folder, 'node_modules'),
  }
}

const install = async (folder: string): Promise<void> => {
  writeFileSync(join(folder, 'package.json'), manifestOf('consumer', await packedWorkspace()))
  await promisify(execFile)('npm', INSTALL, { cwd: folder, maxBuffer: 50_000_000 })
}

/** The same folder elsewhere, file by file a link: packages may be put into it, added to it and taken away. */
export const linkModules = (from: string, to: string): void => {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkModules(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    // npm writes into this one, and makes it anew where it lacks.
    else if (entry.name !== '.package-lock.json') linkSync(source, target)
  }
}
