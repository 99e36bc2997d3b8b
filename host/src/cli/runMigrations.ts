import { createHostLogger } from '../application/createHostLogger.js'
import { openDatabase } from '../application/opening/openDatabase.js'
import { migrateAll } from '../application/opening/openHost.js'
import type { LoadedConfig } from '../config/loadConfig.js'
import { CORE_TOKENS } from '../container/registerCore.js'
import { loadPackages } from '../plugins/loadPackages.js'

/** `causeway migrate`: core, the host and every configured plugin. */
export const runMigrations = async (loaded: LoadedConfig): Promise<void> => {
  const log = createHostLogger(loaded)
  const packages = await loadPackages(loaded, CORE_TOKENS)
  const database = await openDatabase(loaded, log, 'command')
  try {
    await migrateAll(database.pool, packages, log)
    console.log('The database is up to date.')
  } finally {
    await database.close()
  }
}
