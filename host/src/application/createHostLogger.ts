import { createLogger } from '@causeway/core'
import type { Logger } from 'pino'
import type { LoadedConfig } from '../config/loadConfig.js'

/** The parts of a URL that may be a key: user, password, path and query. */
const urlSecrets = (text: string | undefined): readonly string[] => {
  if (text === undefined || !URL.canParse(text)) return []
  const url = new URL(text)
  return [url.password, url.username, url.pathname.slice(1), url.search.slice(1), ...url.searchParams.values()]
}

/** The process's logger: knows every secret of the configuration, so that none is ever written (faults.md F96). */
export const createHostLogger = ({ config, keys }: LoadedConfig): Logger =>
  createLogger({
    level: config.logging.level,
    pretty: config.logging.pretty ?? process.stdout.isTTY === true,
    secrets: [
      ...keys.values(),
      ...urlSecrets(config.database.url),
      ...urlSecrets(config.tracing?.endpoint),
      ...Object.values(config.tracing?.headers ?? {}),
      ...config.chains.flatMap(({ rpc }) => rpc.flatMap(({ http, ws }) => [...urlSecrets(http), ...urlSecrets(ws)])),
    ].filter((secret) => secret.length >= 8),
  })
