import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../packing/packages.js'

const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

export interface PinnedInstall {
  readonly folder: string
  remove(): void
}

/**
 * Copies a folder with a package.json and its lockfile and installs what the lockfile pins, without running scripts: for
 * programs whose hundreds of packages are not wanted in the workspace.
 */
export const installPinned = async (from: string): Promise<PinnedInstall> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-pinned-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    cpSync(from, folder, { recursive: true })
    cpSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'))
    await promisify(execFile)('npm', INSTALL, { cwd: folder, maxBuffer: 50_000_000 })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}
