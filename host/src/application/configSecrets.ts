import type { LoadedConfig } from '../config/loadConfig.js'

/** Shorter texts are no secret that anybody should rely on, and stand in too many words. */
const SHORTEST = 8

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Eight letters and digits, both among them, or twenty in a row: no word of a language, and no number of a chain. */
const TOKEN = /(?=[a-z0-9]*[a-z])(?=[a-z0-9]*[0-9])[a-z0-9]{8,}|[a-z0-9]{20,}/i

/** Whether a text was made to be hard to guess. Words, such as names of databases, users, networks and modes, are none. */
export const isToken = (text: string): boolean => text.length >= SHORTEST && (UUID.test(text) || TOKEN.test(text))

const parsed = (text: string | undefined): URL | null =>
  text !== undefined && URL.canParse(text) ? new URL(text) : null

const decoded = (text: string): readonly string[] => {
  try {
    return [...new Set([text, decodeURIComponent(text)])]
  } catch {
    return [text]
  }
}

/** The password of a database; one that is a word its address shows anyway keeps nobody out. */
const passwordsOf = (url: URL): readonly string[] => {
  const shown = [url.username, url.pathname.slice(1), url.hostname]
  return [url.password, ...url.searchParams.getAll('password')].flatMap(decoded).filter((text) => !shown.includes(text))
}

/** What in the URL of an endpoint may be its key: the password, and whatever looks like one in user, path and query. */
const endpointSecrets = (text: string | undefined): readonly string[] => {
  const url = parsed(text)
  if (url === null) return []
  const parts = [url.username, ...url.pathname.split('/'), ...url.searchParams.values()]
  return [...passwordsOf(url), ...parts.flatMap(decoded).filter(isToken)]
}

const databaseSecrets = (text: string | undefined): readonly string[] => {
  const url = parsed(text)
  return url === null ? [] : passwordsOf(url)
}

const SECRET_HEADER = /authorization|cookie|key|pass|secret|token/i

const headerSecrets = (headers: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (SECRET_HEADER.test(name) || isToken(value) ? [value] : []))

/**
 * Texts of the configuration that no line of the log may show: keys, passwords and tokens (faults.md F96). Names are none, so that
 * what the service says of itself can still be read.
 */
export const configSecrets = ({ config, keys }: Pick<LoadedConfig, 'config' | 'keys'>): readonly string[] =>
  [
    ...keys.values(),
    ...databaseSecrets(config.database.url),
    ...endpointSecrets(config.tracing?.endpoint),
    ...headerSecrets(config.tracing?.headers),
    ...config.chains.flatMap(({ rpc }) =>
      rpc.flatMap(({ http, ws }) => [...endpointSecrets(http), ...endpointSecrets(ws)]),
    ),
  ].filter((secret) => secret.length >= SHORTEST)
