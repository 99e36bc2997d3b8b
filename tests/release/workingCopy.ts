import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT, workspacePackages } from '../packing/packages.js'

export interface WorkingCopy {
  readonly folder: string
  remove(): void
}

interface WorkingCopyOptions {
  /** Everything is built as it is here, but for these folders: a build must make them, in a third of the time. */
  readonly builtBut?: readonly string[]
}

/** The repository as a clone has it, with nothing built, in a folder of its own; what was installed is linked. */
export const makeWorkingCopy = ({ builtBut }: WorkingCopyOptions = {}): WorkingCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-copy-'))
  for (const path of repositoryFiles()) cpSync(join(ROOT, path), join(folder, path))
  if (builtBut !== undefined) copyBuilt(folder, builtBut)
  linkInstalled(folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** After the sources, so that none of them is newer. */
const copyBuilt = (folder: string, left: readonly string[]): void => {
  const built = ['contracts-abi/src/generated', ...workspacePackages().map((own) => `${own.folder}/dist`)]
  for (const path of built.filter((path) => !left.includes(path)))
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
}

const OWN_SCOPE = '@causeway'

/** As `npm ci` leaves it: packages of others, of the workspaces too, and links to its own, which are those of the copy. */
const linkInstalled = (folder: string): void => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, OWN_SCOPE), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== OWN_SCOPE) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  for (const { folder: own, manifest } of workspacePackages()) {
    symlinkSync(join(folder, own), join(folder, 'node_modules', manifest.name))
    const nested = join(ROOT, own, 'node_modules')
    if (existsSync(nested)) linkNested(nested, join(folder, own, 'node_modules'))
  }
}

const linkNested = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to)
}
