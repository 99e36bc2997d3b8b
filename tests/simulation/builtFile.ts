import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where a built file is, given from the root of the repository, as modules are loaded from it; whether this one is built or not. */
export const builtFile = (path: string): string => {
  const core = dirname(realpathSync(createRequire(import.meta.url).resolve('@causeway/core/package.json')))
  return join(dirname(core), path)
}
