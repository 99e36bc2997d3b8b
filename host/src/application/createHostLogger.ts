import { createLogger } from '@causeway/core/host'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../config/loadConfig.js'
import { configSecrets } from './configSecrets.js'

/** The process's logger: knows every secret of the configuration, so that none is ever written (faults.md F96). */
export const createHostLogger = (loaded: LoadedConfig): Logger => {
  const { logging } = loaded.config
  return createLogger({
    level: logging.level,
    pretty: logging.pretty ?? process.stdout.isTTY === true,
    secrets: configSecrets(loaded),
  })
}
