import { join, resolve } from 'node:path'
import { type EnvironmentVariables, systemClock } from '@causeway/core'
import type { Diagnosis } from '@causeway/core/chain'
import { findEmbeddedPostgres, redactErrorMessage } from '@causeway/core/host'
import { allocatorOf } from '@causeway/core/money-path'
import { type Chain, createPool, type Keys, type Role } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { createChains } from '../application/opening/openChains.js'
import { openKeys } from '../application/opening/openKeys.js'
import { readSolvers } from '../application/opening/readSolvers.js'
import { ConfigError } from '../config/configProblem.js'
import { type LoadedConfig, loadConfig } from '../config/loadConfig.js'
import { CORE_TOKENS } from '../container/registerCore.js'
import { type LoadedPackages, loadPackages } from '../plugins/loadPackages.js'
import { checkAddressChains, checkAddresses } from './addressCheck.js'
import { checkBalances } from './balanceCheck.js'
import { checkCurrencies } from './chains/currencyCheck.js'
import { checkRole } from './database/roleCheck.js'
import { checkReachable, checkServer, checkSessions } from './databaseCheck.js'
import { checkFiles } from './fileCheck.js'
import { checkHttp } from './httpCheck.js'
import { checkMaster } from './masterCheck.js'
import { checkMigrations } from './migrationCheck.js'
import { checkKeys, checkWallet } from './moneyCheck.js'
import { checkOpenTransactions } from './openTransactionCheck.js'
import { checkPrices } from './priceCheck.js'
import { checkHistory, checkReplication } from './replicationCheck.js'
import { checkWalletBooks } from './walletCheck.js'
import { checkWork } from './workCheck.js'

interface LookOptions {
  /** Most milliseconds for one answer of a node. */
  readonly timeoutMs: number
  readonly environment?: EnvironmentVariables
  /** Looks as the host of these roles, whose keys must be here. Default: whatever keys are here are looked at. */
  readonly roles?: readonly (Role | 'all')[] | undefined
  /** Hears each finding as it is made. */
  onFinding?(finding: Diagnosis): void
}

/** By file; or by what a running host has loaded, which is then looked at as that host. */
export type DoctorOptions = LookOptions &
  ({ readonly configPath: string; readonly loaded?: undefined } | { readonly loaded: LoadedConfig })

const LEAST_NODE = [20, 19] as const

/**
 * Looks at everything a deployment needs and says what is wrong and what to do. Changes nothing: no migration, no lease, no
 * transaction; runs beside hosts. One check that fails does not stop the others.
 */
export const runDoctor = async (options: DoctorOptions): Promise<readonly Diagnosis[]> => {
  const findings: Diagnosis[] = []
  const add = (found: readonly Diagnosis[]): void => {
    for (const finding of found) {
      findings.push(finding)
      options.onFinding?.(finding)
    }
  }
  add([checkNode(process.versions.node)])
  const opened = await open(options)
  add(opened.findings)
  const { loaded, packages } = opened
  if (loaded === null) return findings
  add(checkHttp(loaded))
  add(checkFiles(loaded))
  if (packages === null) {
    add([
      notLookedAt('database, chains, wallets and prices', 'Put the packages of the configuration right and ask again.'),
    ])
    return findings
  }
  const database = await openToLook(loaded)
  try {
    const solvers = await solversOf(database)
    const { timeoutMs, roles } = options
    await Promise.all([
      checkDatabase(loaded, packages, database, add),
      checkChains(loaded, packages, solvers, { timeoutMs, roles, add }),
    ])
  } finally {
    await database.pool?.end()
  }
  return findings
}

const checkNode = (version: string): Diagnosis => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const good = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  const found = { check: 'node', subject: 'this machine', message: `is ${version}` }
  return good
    ? { ...found, state: 'ok' }
    : { ...found, state: 'fault', remedy: `Install Node ${LEAST_NODE.join('.')} or newer.` }
}

interface Opened {
  readonly loaded: LoadedConfig | null
  readonly packages: LoadedPackages | null
  readonly findings: readonly Diagnosis[]
}

/** Every problem of the configuration is a finding. One of keys alone does not keep the rest from being looked at. */
const open = async (options: DoctorOptions): Promise<Opened> => {
  if (options.loaded !== undefined) return openPackages(options.loaded, [])
  const { configPath, roles } = options
  const given = options.environment === undefined ? {} : { environment: options.environment }
  let loaded: LoadedConfig
  let before: readonly Diagnosis[] = []
  try {
    loaded = await loadConfig(configPath, { reader: 'doctor', ...(roles === undefined ? {} : { roles }), ...given })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    before = problemsOf(error)
    const withoutKeys = await loadConfig(configPath, { reader: 'operator', ...given }).catch(() => null)
    if (withoutKeys === null) {
      const rest = notLookedAt('everything else', 'Put the configuration right and ask again.')
      return { loaded: null, packages: null, findings: [...before, rest] }
    }
    loaded = withoutKeys
    const remedy = 'Put the keys right and ask again.'
    before = [...before, notLookedAt('the keys, and whether the addresses are theirs', remedy)]
  }
  return openPackages(loaded, before)
}

const openPackages = async (loaded: LoadedConfig, before: readonly Diagnosis[]): Promise<Opened> => {
  try {
    const packages = await loadPackages(loaded, CORE_TOKENS)
    const { chains, plugins } = loaded.config
    const message = `is sound${before.length === 0 ? '' : ' apart from that'}: ${chains.length} chains, ${plugins.length} plugins`
    const sound: Diagnosis = { check: 'configuration', subject: 'file', state: 'ok', message }
    return { loaded, packages, findings: [...before, sound, ...uncheckedSecrets(loaded)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { loaded, packages: null, findings: [...before, ...problemsOf(error)] }
  }
}

const notLookedAt = (what: string, remedy: string): Diagnosis => ({
  check: 'configuration',
  subject: 'rest',
  state: 'unchecked',
  message: `not looked at: ${what}`,
  remedy,
})

const problemsOf = ({ file, problems }: ConfigError): readonly Diagnosis[] =>
  problems.map(({ path, message, remedy, line }) => ({
    check: 'configuration',
    subject: line === undefined ? file : `${file}:${line}`,
    state: 'fault',
    message: `${path} ${message}`.trim(),
    remedy: remedy ?? 'Correct it; host/README.md lists every field.',
  }))

/** Secrets of other processes; each of them is asked about where it is. */
const uncheckedSecrets = ({ absent }: LoadedConfig): readonly Diagnosis[] =>
  absent.map(({ path, message }) => ({
    check: 'secret',
    subject: path,
    state: 'unchecked',
    message,
    remedy: 'Fine where no process here needs it. With --role it must be there, as for the host of that role.',
  }))

type Add = (found: readonly Diagnosis[]) => void

/** The configured database, else the embedded one where it runs: it is looked at, never started. */
const databaseUrl = async ({ config, folder, environment }: LoadedConfig): Promise<string | undefined> => {
  if (config.database.url !== undefined) return config.database.url
  const dataDir = join(resolve(folder, config.dataDir), 'postgres')
  return (await findEmbeddedPostgres({ dataDir, environment }).catch(() => null))?.url
}

const unchecked = (check: string, message: string, remedy: string): Diagnosis => ({
  check,
  subject: 'database',
  state: 'unchecked',
  message,
  remedy,
})

const checkDatabase = async (
  loaded: LoadedConfig,
  packages: LoadedPackages,
  { url, pool, reachable }: LookedAtDatabase,
  add: Add,
): Promise<void> => {
  const { config } = loaded
  add([reachable])
  if (pool === null || reachable.state !== 'ok') {
    const remedy = 'Ask again when the database answers.'
    add([
      unchecked(
        'state of the service',
        'not looked at: migrations, lanes, books, work, wallets beside the books',
        remedy,
      ),
    ])
    return
  }
  const sessions = await checkSessions(url)
  add([sessions])
  if (sessions.state !== 'ok') return
  const looks = [
    checkServer(pool, config),
    checkRole(pool),
    checkReplication(pool),
    checkMigrations(pool, packages),
  ] as const
  const [server, role, replication, migrations] = await Promise.all(looks)
  add([...server, role, ...replication, ...migrations])
  if (migrations.some(({ state }) => state !== 'ok')) return
  add(await checkMaster(pool, loaded.commandKeys?.readable() ?? openKeys(loaded, packages.chains)))
  add(await checkHistory(pool))
  add(await checkOpenTransactions(pool))
  add(await checkWork(pool, config))
  add(await checkAddresses(pool, config.chains))
  add(await checkWalletBooks(pool, config))
  add(await checkBalances(pool, config))
}

interface LookedAtDatabase {
  readonly url: string
  /** Null where there is none to look at. */
  readonly pool: Pool | null
  readonly reachable: Diagnosis
}

const openToLook = async (loaded: LoadedConfig): Promise<LookedAtDatabase> => {
  const url = await databaseUrl(loaded)
  if (url === undefined) {
    const message = 'is the embedded one, which only its host starts, and none runs: not looked at'
    return { url: '', pool: null, reachable: unchecked('database', message, 'Start the host and ask again.') }
  }
  const pool = createPool({ connectionString: url, max: 2, applicationName: 'causeway doctor' })
  return { url, pool, reachable: await checkReachable(pool) }
}

/** Whom the lanes wrote down as paying; nothing before there are tables. */
const solversOf = async ({ pool, reachable }: LookedAtDatabase): Promise<ReadonlyMap<number, string>> =>
  pool === null || reachable.state !== 'ok' ? new Map() : readSolvers(pool).catch(() => new Map())

const checkChains = async (
  loaded: LoadedConfig,
  packages: LoadedPackages,
  solvers: ReadonlyMap<number, string>,
  { timeoutMs, roles, add }: { readonly timeoutMs: number; readonly roles: DoctorOptions['roles']; readonly add: Add },
): Promise<void> => {
  const keys = openKeys(loaded, packages.chains)
  const log = pino({ level: 'silent' })
  const registry = await createChains(loaded, packages.chains, { clock: systemClock, keys, log, solvers }).catch(
    (error: unknown) => {
      if (!(error instanceof ConfigError)) throw error
      add([...problemsOf(error), notLookedAt('chains, wallets and prices', 'Put that right and ask again.')])
      return null
    },
  )
  if (registry === null) return
  const chains = registry.all()
  if (loaded.commandKeys === null) add(checkKeys(loaded.keys))
  const plugins = loaded.config.plugins.map(({ package: name }) => name)
  add(checkAddressChains({ chains, plugins, keys, roles }))
  await Promise.all([
    checkPrices(loaded, registry).then(add),
    ...chains.map(async (chain) => add(await checkChain(chain, keys, timeoutMs))),
  ])
}

const checkChain = async (chain: Chain, keys: Keys, timeoutMs: number): Promise<readonly Diagnosis[]> => {
  const { adapter, config } = chain
  const signer = allocatorOf(keys, config.id)
  const allocator = signer === null ? null : adapter.lane.addressOf(signer)
  let found: readonly Diagnosis[] = []
  try {
    found = (await adapter.diagnose?.({ timeoutMs, allocator })) ?? []
    const usable = found.length === 0 || found.some(({ check, state }) => check === 'rpc' && state !== 'fault')
    return usable ? [...found, ...(await checkCurrencies(chain)), ...(await checkWallet(chain))] : found
  } catch (error) {
    const why = redactErrorMessage(error instanceof Error ? error.message : String(error))
    const message = `could not be looked at to the end: ${why}`
    const remedy = found.some(({ state }) => state === 'fault')
      ? 'Put its findings above right, and ask again.'
      : 'Check that its nodes serve reads at the newest block, and ask again.'
    return [...found, { check: 'chain', subject: config.slug, state: 'fault', message, remedy }]
  } finally {
    await adapter.stop()
  }
}
