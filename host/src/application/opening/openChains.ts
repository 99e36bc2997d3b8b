import { setMaxListeners } from 'node:events'
import type { Clock, Environment } from '@causeway/core'
import {
  type AccessTokens,
  type ChainConfig,
  type KeptSums,
  type NonceMappings,
  quorumDemand,
} from '@causeway/core/chain'
import { type Chain, type ChainHold, ChainRegistry, type Keys, pause } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import type { ConfigProblem } from '../../config/configProblem.js'
import type { LoadedConfig } from '../../config/loadConfig.js'
import type { LoadedChain } from '../../plugins/loadPackages.js'
import type { ChainChecks } from './chainChecks.js'

export interface OpenChainsDeps {
  readonly clock: Clock
  readonly keys: Keys
  readonly log: Logger
  /** None where nothing is deposited through these adapters. */
  readonly nonceMappings?: NonceMappings
  readonly keptSums?: KeptSums
  readonly accessTokens?: AccessTokens
  /** Addresses of the solver by chain id, where neither the configuration states them nor a key is here. */
  readonly solvers?: ReadonlyMap<number, string> | undefined
}

interface CreateChainDeps extends OpenChainsDeps {
  readonly environment: Environment
}

const RETRY_MS = 5_000
/** A started chain is compared again after so long where its nodes did not answer. */
const COMPARE_RETRY_MS = 1_000
/** A chain that is served is compared again after so long: an owner, a flag or a trust line changes while the host runs. */
const COMPARE_AGAIN_MS = 300_000

/**
 * Makes the adapters, side by side; nothing is sent yet. The solver's address is derived where this process holds the payout
 * key, and must agree with a configured one.
 * @throws ConfigError
 */
export const createChains = async (
  loaded: LoadedConfig,
  packages: readonly LoadedChain[],
  deps: OpenChainsDeps,
): Promise<ChainRegistry> => {
  const problems: ConfigProblem[] = []
  const chains = await Promise.all(
    packages.map(async (entry, at) => {
      const chain = await createChain(entry, { ...deps, environment: loaded.environment })
      problems.push(
        ...finalityProblems(chain, at),
        ...formerProblems(chain, at),
        ...addressProblems(entry, at, deps.keys),
        ...senderProblems(chain, at, deps.keys),
      )
      const configured = entry.chain.solver
      if (configured !== undefined && !chain.adapter.sameAddress(configured, chain.config.solver)) {
        problems.push({
          path: `chains[${at}].solver`,
          message: `is not the address of keys.payout.${entry.chain.id}, which is ${chain.config.solver}.`,
          remedy: 'Correct the one that is wrong; money sent to the other address is not spent from.',
        })
      }
      return chain
    }),
  )
  if (problems.length > 0) throw loaded.fail(problems)
  return new ChainRegistry(chains)
}

/** What a chain's options say of the secret of deposit addresses must be of the one that sweeps them, or nothing is ever swept. */
const addressProblems = (
  { chain, package: chainPackage }: LoadedChain,
  at: number,
  keys: Keys,
): readonly ConfigProblem[] => {
  if (!keys.has('hd') || chainPackage.addressOptions === undefined) return []
  const due = chainPackage.addressOptions(keys.seed(), chain.options, chain.id)
  return Object.entries(due).flatMap(([option, value]) => {
    const stated = chain.options[option]
    if (stated === undefined || stated === value) return []
    const remedy = `Put there what "causeway keys addresses" shows, which is ${value}, or correct keys.hd.`
    return [{ path: `chains[${at}].options.${option}`, message: 'is of another secret than keys.hd.', remedy }]
  })
}

/** What strangers wrote is never sent by a key that holds funds, or may release them. */
const senderProblems = ({ config, adapter }: Chain, at: number, keys: Keys): readonly ConfigProblem[] => {
  const { id, originSender, solver, formerSolvers = [] } = config
  if (originSender === undefined) return []
  const allocator = keys.has('allocator') ? [keys.signer('allocator')] : []
  const own = keys.has(`allocator.${id}`) ? [keys.signer(`allocator.${id}`)] : allocator
  const holders = [solver, ...formerSolvers, ...own.map((signer) => adapter.lane.addressOf(signer))]
  if (!holders.some((holder) => holder !== '' && adapter.sameAddress(holder, originSender))) return []
  const message = 'is of a key that pays, paid or releases deposits here.'
  return [
    { path: `keys.origin.${id}`, message, remedy: `Give chains[${at}] a key of its own that holds nothing but gas.` },
  ]
}

const formerProblems = ({ config, adapter }: Chain, at: number): readonly ConfigProblem[] =>
  (config.formerSolvers ?? []).flatMap((address, of) => {
    const read = adapter.validateAddress(address)
    if (read.ok) return []
    const path = `chains[${at}].formerSolvers[${of}]`
    return [{ path, message: `is no address of this chain: ${read.why}`, remedy: 'Name what the solver paid from.' }]
  })

/** Where blocks may be replaced, money is not final in the newest one. */
export const finalityProblems = ({ config, adapter }: Chain, at: number): readonly ConfigProblem[] =>
  config.confirmations.settle > 0 || adapter.capabilities.absoluteFinality === true
    ? []
    : [
        {
          path: `chains[${at}].confirmations.settle`,
          message: 'is 0, and blocks of this chain may be replaced.',
          remedy: 'Set the number of blocks after which nothing leaves the chain.',
        },
      ]

const createChain = async (entry: LoadedChain, deps: CreateChainDeps): Promise<Chain> => {
  const { clock, keys, log, environment, nonceMappings, keptSums, accessTokens, solvers } = deps
  const { chain, package: chainPackage } = entry
  const logger = log.child({ chain: chain.slug })
  const known = {
    ...(nonceMappings && { nonceMappings }),
    ...(keptSums && { keptSums }),
    ...(accessTokens && { accessTokens }),
  }
  const create = (config: ChainConfig) =>
    chainPackage.create(chain.options, { ...{ config, clock, logger, environment }, ...known })
  const stated: ChainConfig = { ...chain, solver: chain.solver ?? solvers?.get(chain.id) ?? '' }
  const adapter = await create(stated)
  const sender = keys.has(`origin.${chain.id}`)
    ? { originSender: adapter.lane.addressOf(keys.signer(`origin.${chain.id}`)) }
    : {}
  if (!keys.has(`payout.${chain.id}`)) return { config: { ...stated, ...sender }, adapter }
  const solver = adapter.lane.addressOf(keys.signer(`payout.${chain.id}`))
  const config = { ...stated, ...sender, solver }
  return chain.solver === undefined ? { config, adapter: await create(config) } : { config, adapter }
}

export interface StartChainsDeps {
  readonly log: Logger
  /** Hears of each chain of which a node answered. */
  onStarted?(chainId: number): void
  /** Compares a chain with the configuration once it is started; absent: it is not compared. */
  readonly checks?: Pick<ChainChecks, 'check'>
}

/**
 * Starts every chain, side by side, and compares it with the configuration. One whose nodes are all away, or that is on hold, is tried
 * again in the background, so that it does not take the others with it; when none can be reached the start fails. A chain that is served
 * is compared again every five minutes. Returns what is wrong with the currencies of the chains that answered.
 */
export const startChains = async (
  chains: ChainRegistry,
  { log, onStarted = () => undefined, checks }: StartChainsDeps,
  signal: AbortSignal,
): Promise<readonly ConfigProblem[]> => {
  warnOfSingleProviders(chains, log)
  // One for each chain, and there may be many.
  setMaxListeners(0, signal)
  const problems: ConfigProblem[] = []
  const deps = { log, onStarted }
  const results = await Promise.all(
    chains.all().map(async (chain) => {
      const isStarted = await tryStart(chain, deps, signal)
      if (isStarted) problems.push(...((await checks?.check(chain)) ?? []))
      return isStarted
    }),
  )
  if (results.length > 0 && !results.includes(true)) {
    throw new Error(
      'No chain can be reached. Check the "rpc" of each, and that its nodes serve the configured chain id.',
    )
  }
  chains.all().forEach((chain, at) => {
    void keepComparing(chain, { ...deps, chains, checks, isStarted: results[at] === true }, signal)
  })
  return problems
}

/** Nothing can be confirmed by a second provider where there is none (faults.md invariant 3). */
const warnOfSingleProviders = (chains: ChainRegistry, log: Logger): void => {
  const believing = chains.all().filter(({ config }) => quorumDemand(config, null).agreeing === 1)
  if (believing.length === 0) return
  log.warn(
    { chains: believing.map(({ config }) => config.slug) },
    'deposits of any size on these chains are believed on the word of one provider: give them "rpc" endpoints of several providers and a "quorum"',
  )
}

/** Each try has a signal of its own: what one that failed left listening goes with it. */
const tryStart = async (
  { config, adapter }: Chain,
  { log, onStarted }: Required<Pick<StartChainsDeps, 'log' | 'onStarted'>>,
  signal: AbortSignal,
): Promise<boolean> => {
  const own = new AbortController()
  const end = () => own.abort()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    await adapter.start(own.signal)
    onStarted(config.id)
    return true
  } catch (error) {
    signal.removeEventListener('abort', end)
    log.error({ chain: config.slug, err: error }, 'a chain cannot be reached')
    return false
  }
}

interface KeepComparingDeps extends Required<Pick<StartChainsDeps, 'log' | 'onStarted'>> {
  readonly chains: ChainRegistry
  readonly checks: StartChainsDeps['checks']
  readonly isStarted: boolean
}

/** Starts a chain that is not started, and compares it until the signal aborts: soon while it is on hold, then rarely. */
const keepComparing = async (chain: Chain, deps: KeepComparingDeps, signal: AbortSignal): Promise<void> => {
  const { chains, checks, log } = deps
  let { isStarted } = deps
  while (!signal.aborted && !(isStarted && checks === undefined)) {
    await pause(isStarted ? untilCompared(chains.holdOf(chain.config.id)) : RETRY_MS, signal)
    if (signal.aborted) return
    if (!isStarted) {
      isStarted = await tryStart(chain, deps, signal)
      if (!isStarted) continue
      log.info({ chain: chain.config.slug }, 'the chain is reached again')
    }
    await checks?.check(chain)
  }
}

const untilCompared = (hold: ChainHold | null): number => {
  if (hold === null) return COMPARE_AGAIN_MS
  return hold.kind === 'unchecked' ? COMPARE_RETRY_MS : RETRY_MS
}
