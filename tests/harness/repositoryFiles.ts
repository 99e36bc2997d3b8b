import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packing/packages.js'

/** Folders that hold nothing of the repository: what was installed, built or written by a run. */
const MADE = new Set(['node_modules', 'dist', 'generated', '.git', '.causeway'])

/** Files of the repository, without what was installed or built; paths from its root. */
export const repositoryFiles = (folder = ''): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !MADE.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? repositoryFiles(path) : [path]
    })
