import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Mutant } from './mutant.js'

/** Where the file of a mutant is, as modules are loaded from it, whether this one is built or not. */
export const builtFileOf = ({ file }: Mutant): string => {
  const core = dirname(realpathSync(createRequire(import.meta.url).resolve('@causeway/core/package.json')))
  return join(dirname(core), file)
}
