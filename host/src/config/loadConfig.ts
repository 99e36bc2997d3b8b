import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, type EnvironmentVariables, environmentOf } from '@causeway/core'
import type { KeyPurpose } from '@causeway/core/chain'
import { ROLES, type Role } from '@causeway/core/plugin'
import type { Static } from '@sinclair/typebox'
import { chosenPlugins, pluginProblems } from './chosenPlugins.js'
import { ConfigError, type ConfigProblem } from './configProblem.js'
import { ruleProblems } from './configRules.js'
import { withEndpointUrls } from './endpointUrls.js'
import { processVariables, runSettings } from './environment.js'
import { JsonSyntaxError, jsonLines, lineOf } from './jsonLines.js'
import { CommandKeys } from './keys/commandKeys.js'
import { findKeyValues, type KeyValueOptions, readKeyValues } from './keys/keyValues.js'
import { readPriceKeys } from './keys/priceKeys.js'
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
  /** Secrets that a `doctor` did not find here, and why. */
  readonly absent: readonly ConfigProblem[]
  /** The keys of an operator's command; null for a process with roles. */
  readonly commandKeys: CommandKeys | null
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
  /**
   * Who reads it. `operator`: a command, without role or signing key. `doctor`: whoever looks; what secrets are not here is said in
   * `absent`. With `roles` both are read as the host of these roles would. Default: `host`.
   */
  readonly reader?: 'host' | 'operator' | 'doctor'
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
  const { plugins } = value
  return {
    ...value,
    ...(Array.isArray(plugins)
      ? { plugins: plugins.map((plugin: unknown) => (typeof plugin === 'string' ? { package: plugin } : plugin)) }
      : {}),
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
  const { problems, ...read } = check(raw, { ...options, folder: dirname(place), environment: variables })
  const fail = (found: readonly ConfigProblem[]) =>
    new ConfigError(fromFile ? relativeName(place) : 'configuration', withLines(place, text, found))
  if (problems.length > 0) throw fail(problems)
  const environment = environmentOf(variables)
  const { failpoint } = runSettings(variables)
  return { ...read, file: place, folder: dirname(place), environment, failpoint, fail }
}

const relativeName = (file: string): string => (dirname(file) === process.cwd() ? basename(file) : file)

type CheckOptions = LoadConfigOptions & { readonly folder: string; readonly environment: EnvironmentVariables }

type Checked = Pick<LoadedConfig, 'config' | 'keys' | 'priceKeys' | 'absent' | 'commandKeys'> & {
  readonly problems: readonly ConfigProblem[]
}

const check = (raw: unknown, options: CheckOptions): Checked => {
  const value = writtenOut(raw)
  const stated = isRecord(raw) ? raw : {}
  const problems = [...schemaProblems(configSchema, value)]
  // CAST: the schema was checked; after a problem nothing is read from it but what the rules can bear.
  const checked = value as Static<typeof configSchema>
  if (problems.length > 0) {
    return { config: { ...checked, roles: [], plugins: [] }, ...NO_SECRETS, commandKeys: null, problems }
  }
  const reader = readerOf(options, stated)
  const roles = reader === 'operator' ? [] : expandRoles(options.roles ?? checked.roles)
  const { folder, environment } = options
  const endpoints = withEndpointUrls(checked.chains, environment)
  const config = configOf({ ...checked, chains: endpoints.chains }, roles, environment, options.port)
  problems.push(
    ...pluginProblems(checked.plugins, stated),
    ...(options.readKeys === false ? [] : endpoints.problems),
    ...ruleProblems(config),
    ...portProblems(checked, environment),
  )
  const place = { folder, environment }
  const rolesInConfig = options.roles === undefined && stated.roles !== undefined
  const secrets = options.readKeys === false ? NO_SECRETS : readSecrets(config, reader, { ...place, rolesInConfig })
  problems.push(...secrets.problems)
  const commandKeys = reader === 'operator' ? new CommandKeys(config, place) : null
  return { config, ...secrets, commandKeys, problems }
}

/** What was read beside the configuration itself. */
type Secrets = Pick<Checked, 'keys' | 'priceKeys' | 'absent' | 'problems'>

const NO_SECRETS: Secrets = { keys: new Map(), priceKeys: new Map(), absent: [], problems: [] }

type Reader = NonNullable<LoadConfigOptions['reader']>

/** A configuration that says which roles this process has is for this process alone, whoever looks at it. */
const readerOf = ({ reader = 'host', roles }: LoadConfigOptions, stated: Record<string, unknown>): Reader =>
  roles !== undefined || (reader === 'doctor' && stated.roles !== undefined) ? 'host' : reader

const readSecrets = (config: HostConfig, reader: Reader, place: KeyValueOptions): Secrets => {
  const prices = readPriceKeys(config, place)
  if (reader === 'host') {
    const { values, problems } = readKeyValues(config, place)
    return { keys: values, priceKeys: prices.values, absent: [], problems: [...problems, ...prices.problems] }
  }
  if (reader === 'operator') return { ...NO_SECRETS, priceKeys: prices.values }
  const { values, problems, absent } = findKeyValues(config, place)
  return {
    keys: values,
    priceKeys: prices.values,
    absent: [...absent, ...prices.absent],
    problems: [...problems, ...prices.problems.filter((problem) => !prices.absent.includes(problem))],
  }
}

const expandRoles = (roles: readonly (Role | 'all')[]): readonly Role[] =>
  roles.includes('all') ? ROLES : ROLES.filter((role) => roles.includes(role))

const portProblems = (
  { http }: Pick<HostConfig, 'http'>,
  environment: EnvironmentVariables,
): readonly ConfigProblem[] => {
  const port = environment.PORT
  if (http.port !== undefined || !port || (/^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535)) return []
  const message = 'is taken from the environment variable PORT, which holds no port.'
  return [{ path: 'http.port', message, remedy: 'Set it to a number from 0 to 65535.' }]
}

/** Every default filled in, from the environment too. */
const configOf = (
  { defaultPlugins, plugins, ...checked }: Static<typeof configSchema>,
  roles: readonly Role[],
  environment: EnvironmentVariables,
  port: number | undefined,
): HostConfig => {
  const url = checked.database.url ?? (environment.DATABASE_URL || undefined)
  const fallback = environment.PORT ? Number(environment.PORT) : roles.includes('api') ? 3000 : 0
  return {
    ...checked,
    roles,
    plugins: chosenPlugins(plugins, { withDefaults: defaultPlugins }),
    database: { ...checked.database, ...(url === undefined ? {} : { url }) },
    keys: keysOf(checked.keys, environment),
    http: { ...checked.http, port: port ?? checked.http.port ?? fallback },
  }
}

/** One configuration for processes that each have a keystore of their own: `KEYSTORE_FILE` says which. */
const keysOf = (keys: HostConfig['keys'], environment: EnvironmentVariables): HostConfig['keys'] =>
  keys.keystore === undefined || !environment.KEYSTORE_FILE
    ? keys
    : { ...keys, keystore: { ...keys.keystore, file: environment.KEYSTORE_FILE } }
