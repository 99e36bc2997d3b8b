import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, type EnvironmentVariables, environmentOf } from '@causeway/core'
import type { KeyPurpose } from '@causeway/core/chain'
import { ROLES, type Role } from '@causeway/core/plugin'
import { ConfigError, type ConfigProblem } from './configProblem.js'
import { ruleProblems } from './configRules.js'
import { processVariables, runSettings } from './environment.js'
import { JsonSyntaxError, jsonLines, lineOf } from './jsonLines.js'
import { type KeyValues, readKeyValues } from './keyValues.js'
import { type PriceKeys, readPriceKeys } from './priceKeys.js'
import { DEFAULT_PLUGINS } from './schema/defaultPlugins.js'
import { configSchema, type HostConfig } from './schema/schema.js'
import { schemaProblems } from './schema/schemaProblems.js'

/** A checked configuration and what was read for it. */
export interface LoadedConfig {
  readonly config: HostConfig
  /** File it came from; for error messages and to find packages from. */
  readonly file: string
  /** Relative names are relative to it. */
  readonly folder: string
  readonly keys: ReadonlyMap<KeyPurpose, string>
  /** Keys of price servers by the environment variable that holds them. */
  readonly priceKeys: ReadonlyMap<string, string>
  /** Variables that options of plugins and chains name. */
  readonly environment: Environment
  /** Place at which this process is to kill itself; see `armFailpoint`. */
  readonly failpoint: string | undefined
  /** The error for problems found later, with their lines. */
  fail(problems: readonly ConfigProblem[]): ConfigError
}

export interface LoadConfigOptions {
  /** A configuration in place of a file; `file` then only says where relative names start. */
  readonly value?: unknown
  /** Wins over `roles` of the file. */
  readonly roles?: readonly (Role | 'all')[] | undefined
  readonly port?: number | undefined
  /** False: no key is read, for what only needs to know where keys are. */
  readonly readKeys?: boolean
  /** In place of the variables of this process. */
  readonly environment?: EnvironmentVariables
}

const NAMES = [
  'causeway.config.ts',
  'causeway.config.mts',
  'causeway.config.js',
  'causeway.config.mjs',
  'causeway.config.json',
]

/** The configuration file of a folder, or undefined. */
export const findConfigFile = (folder: string): string | undefined =>
  NAMES.map((name) => join(folder, name)).find((file) => existsSync(file))

const problemsOf = (message: string, remedy: string, line?: number): readonly ConfigProblem[] => [
  { path: '', message, remedy, ...(line === undefined ? {} : { line }) },
]

const parseJson = (file: string, text: string): unknown => {
  try {
    jsonLines(text)
    return JSON.parse(text)
  } catch (error) {
    const line = error instanceof JsonSyntaxError ? error.line : undefined
    const remedy = 'Look for a missing or extra comma, quote or bracket.'
    throw new ConfigError(file, problemsOf('is not valid JSON here.', remedy, line))
  }
}

/** What a configuration imports of this package. */
const CONFIG_WORDS = fileURLToPath(new URL(`./configWords${extname(import.meta.url)}`, import.meta.url))

const importModule = async (file: string): Promise<unknown> => {
  const { createJiti } = await import('jiti')
  try {
    const jiti = createJiti(import.meta.url, {
      fsCache: false,
      moduleCache: false,
      // Also from a folder where no package is installed.
      alias: { '@causeway/host': CONFIG_WORDS },
    })
    return await jiti.import(file, { default: true })
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'it throws'
    throw new ConfigError(
      file,
      problemsOf(`cannot be loaded: ${why}`, 'It must export the result of defineConfig as its default.'),
    )
  }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(file, problemsOf('cannot be read.', 'Check the name given with --config.'))
  }
}

/** What a configuration file holds, unchecked. @throws ConfigError */
export const readConfigValue = async (file: string): Promise<unknown> =>
  extname(file) === '.json' ? parseJson(file, readText(file)) : importModule(file)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Writes the short forms out: a plugin as its name, an endpoint as its URL. */
const writtenOut = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const plugins = value.plugins ?? [...DEFAULT_PLUGINS]
  return {
    ...value,
    plugins: Array.isArray(plugins)
      ? plugins.map((plugin: unknown) => (typeof plugin === 'string' ? { package: plugin } : plugin))
      : plugins,
    ...(Array.isArray(value.chains) ? { chains: value.chains.map(chainWrittenOut) } : {}),
  }
}

const chainWrittenOut = (chain: unknown): unknown => {
  if (!isRecord(chain) || !Array.isArray(chain.rpc)) return chain
  return { ...chain, rpc: chain.rpc.map((url: unknown) => (typeof url === 'string' ? { http: url } : url)) }
}

/** Where a path stands in a file that is no JSON: the one line that writes its last name, if there is just one. */
const lineInSource = (text: string, path: string): number | undefined => {
  const name = /([A-Za-z_$][\w$]*)(?:\[\d+\])?$/.exec(path)?.[1]
  if (name === undefined) return undefined
  const found = text
    .split('\n')
    .flatMap((line, at) => (new RegExp(`(^|[\\s{,'"])${name}['"]?\\s*:`).test(line) ? [at + 1] : []))
  return found.length === 1 ? found[0] : undefined
}

const withLines = (file: string, text: string | null, problems: readonly ConfigProblem[]): readonly ConfigProblem[] => {
  if (text === null) return problems
  const lines = extname(file) === '.json' ? jsonLines(text) : null
  return problems.map((problem) => {
    const line = lines === null ? lineInSource(text, problem.path) : lineOf(lines, problem.path)
    return line === undefined ? problem : { ...problem, line }
  })
}

/**
 * Reads and checks a configuration. Every problem is reported at once, with its place and a remedy (faults.md F109).
 * @throws ConfigError
 */
export const loadConfig = async (file: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> => {
  const place = resolve(file)
  const variables = options.environment ?? processVariables
  const fromFile = options.value === undefined
  const text = fromFile ? readText(place) : null
  const raw = fromFile ? await readConfigValue(place) : structuredClone(options.value)
  const { config, keys, priceKeys, problems } = check(raw, {
    ...options,
    folder: dirname(place),
    environment: variables,
  })
  const fail = (found: readonly ConfigProblem[]) =>
    new ConfigError(fromFile ? relativeName(place) : 'configuration', withLines(place, text, found))
  if (problems.length > 0) throw fail(problems)
  const environment = environmentOf(variables)
  const { failpoint } = runSettings(variables)
  return { config, file: place, folder: dirname(place), keys, priceKeys, environment, failpoint, fail }
}

const relativeName = (file: string): string => (dirname(file) === process.cwd() ? basename(file) : file)

const check = (
  raw: unknown,
  options: LoadConfigOptions & { readonly folder: string; readonly environment: EnvironmentVariables },
): Pick<LoadedConfig, 'config' | 'keys' | 'priceKeys'> & { readonly problems: readonly ConfigProblem[] } => {
  const value = writtenOut(raw)
  const rolesInConfig = options.roles === undefined && isRecord(raw) && raw.roles !== undefined
  const problems = [...schemaProblems(configSchema, value)]
  // CAST: the schema was checked; after a problem nothing is read from it but what the rules can bear.
  const checked = value as HostConfig
  if (problems.length > 0) return { config: checked, keys: new Map(), priceKeys: new Map(), problems }
  const config: HostConfig = { ...checked, roles: expandRoles(options.roles ?? checked.roles) }
  problems.push(...ruleProblems(config))
  const { folder, environment } = options
  const place = { folder, environment }
  const withKeys = options.readKeys !== false
  const keys = withKeys ? readKeyValues(config, { ...place, rolesInConfig }) : NO_KEYS
  const priceKeys = withKeys ? readPriceKeys(config, place) : NO_PRICE_KEYS
  problems.push(...keys.problems, ...priceKeys.problems, ...portProblems(config, environment))
  return {
    config: withEnvironment(config, environment, options.port),
    keys: keys.values,
    priceKeys: priceKeys.values,
    problems,
  }
}

const NO_KEYS: KeyValues = { values: new Map(), problems: [] }
const NO_PRICE_KEYS: PriceKeys = { values: new Map(), problems: [] }

const expandRoles = (roles: readonly (Role | 'all')[]): readonly Role[] =>
  roles.includes('all') ? ROLES : ROLES.filter((role) => roles.includes(role))

const portProblems = ({ http }: HostConfig, environment: EnvironmentVariables): readonly ConfigProblem[] => {
  const port = environment.PORT
  if (http.port !== undefined || !port || (/^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535)) return []
  const message = 'is taken from the environment variable PORT, which holds no port.'
  return [{ path: 'http.port', message, remedy: 'Set it to a number from 0 to 65535.' }]
}

const withEnvironment = (
  config: HostConfig,
  environment: EnvironmentVariables,
  port: number | undefined,
): HostConfig => {
  const url = config.database.url ?? (environment.DATABASE_URL || undefined)
  const fallback = config.roles.includes('api') ? Number(environment.PORT || 3000) : 0
  return {
    ...config,
    database: { ...config.database, ...(url === undefined ? {} : { url }) },
    http: { ...config.http, port: port ?? config.http.port ?? fallback },
  }
}
