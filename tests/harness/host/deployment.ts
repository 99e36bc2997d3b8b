import 'reflect-metadata'
import { setMaxListeners } from 'node:events'
import evmChain from '@causeway/chain-evm'
import { CLOCK, type CurrencyRegistry, environmentOf, type Hex } from '@causeway/core'
import {
  type ChainAdapter,
  type ChainConfig,
  type KeyPurpose,
  PRICES,
  type PriceSource,
  type Prices,
  type RpcEndpoint,
  type Signer,
} from '@causeway/core/chain'
import {
  CheckedPrices,
  ConfiguredCurrencies,
  type CoreServices,
  EnvironmentKeys,
  registerCoreServices,
} from '@causeway/core/host'
import type { WalletPolicy } from '@causeway/core/money-path'
import {
  type Caller,
  CHAINS,
  type Chain,
  ChainRegistry,
  createPool,
  DEPLOYMENT,
  type Job,
  KEYS,
  migrate,
  type Plugin,
  parseUsd,
  pause,
  QUOTE_ENGINE,
  type QuoteEngine,
  REQUESTS,
  type RequestReader,
} from '@causeway/core/plugin'
import quotePlugin from '@causeway/plugin-quote'
import solverPlugin from '@causeway/plugin-solver'
import type { Pool } from 'pg'
import { type Logger, pino } from 'pino'
import { type DependencyContainer, container as rootContainer } from 'tsyringe'
import type { LocalNetwork, NetworkChain } from '../localNetwork.js'
import { until } from '../until.js'
import { testPoolSize } from './shortLife.js'

/** The service's parts in this process, without HTTP: enough to quote, watch, fill and refund. */
export interface Deployment {
  readonly pool: Pool
  readonly engine: QuoteEngine
  readonly requests: RequestReader
  readonly chains: ChainRegistry
  /** Runs a command of the solver as the command line does; returns the lines it printed. */
  command(name: string, args?: readonly string[], options?: Readonly<Record<string, unknown>>): Promise<string[]>
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  /** Ends every job without warning anyone: what was in memory is lost. A second call changes nothing. */
  kill(): Promise<void>
}

export interface DeploymentOptions {
  readonly network: LocalNetwork
  readonly databaseUrl: string
  readonly roles?: readonly ('watcher' | 'solver')[]
  readonly solver?: Readonly<Record<string, unknown>>
  readonly rpcUrls?: Readonly<Record<number, string>>
  /** Several endpoints of a chain, instead of its node. */
  readonly rpc?: Readonly<Record<number, readonly RpcEndpoint[]>>
  readonly quorum?: NonNullable<ChainConfig['quorum']>
  /** Options of the chain package. */
  readonly evm?: Readonly<Record<string, unknown>>
  readonly leaseMs?: number
  /** Signers in place of the network's own keys. */
  readonly signers?: Readonly<Partial<Record<KeyPurpose, Signer>>>
  /** Most that a payout key may sign away in an hour, by chain; whole units. */
  readonly perHour?: Readonly<Record<number, readonly { readonly currency: string; readonly amount: string }[]>>
  /** Most worth of one chain's deposits that may be paid for before they settle, dollars. */
  readonly unsettledUsd?: string
  readonly log?: Logger
  /** Only these of the network's chains are configured; all when left out. */
  readonly chainIds?: readonly number[]
  /** Puts something between the service and its adapters. */
  readonly wrapAdapter?: (adapter: ChainAdapter) => ChainAdapter
  /** Whose orders over the wallets are signed, and to whom (default: nobody's). */
  readonly wallet?: WalletPolicy
  /** Addresses that every chain was paid from before. */
  readonly formerSolvers?: readonly string[]
  /** Blocks after which money is final (default 2). */
  readonly settle?: number
  /** Chains besides those of the network, and the keys that pay on them. */
  readonly moreChains?: readonly { readonly chain: Chain; readonly payer: Signer }[]
}

const PRICE_TEXT: Readonly<Record<string, string>> = { ETH: '2000', USDC: '1', BUSD: '1' }

const prices: PriceSource = {
  name: 'fixed',
  getPrices: async (currencies) =>
    currencies.map(({ symbol }) => {
      const usd = parseUsd(PRICE_TEXT[symbol] ?? '')
      return usd === null ? null : { usd, observedAt: Date.now() }
    }),
}

export const CALLER: Caller = {
  kind: 'integrator',
  integratorId: 'test',
  apiKeyId: 'test',
  keyName: null,
  elevated: false,
  trusted: true,
}

const logger = (): Logger => pino({ level: process.env.TEST_LOG ?? 'silent' })

/** Starts a deployment over a migrated database; several may share one, as hosts do. */
export const startDeployment = async (options: DeploymentOptions): Promise<Deployment> => {
  const { network } = options
  const log = options.log ?? logger()
  const pool = createPool({
    connectionString: options.databaseUrl,
    max: testPoolSize(network.chains.length + (options.moreChains?.length ?? 0)),
    applicationName: 'causeway test host',
  })
  const searchPool = createPool({
    connectionString: options.databaseUrl,
    max: 2,
    applicationName: 'causeway test search',
    plansOnce: true,
  })
  const stop = new AbortController()
  // Every job of a deployment waits on it.
  setMaxListeners(0, stop.signal)
  const { moreChains = [] } = options
  const configured = network.chains.filter(({ chain }) => options.chainIds?.includes(chain.chainId) ?? true)
  const own = await Promise.all(configured.map((item) => createChain(item, options, log)))
  const chains = new ChainRegistry([...own, ...moreChains.map(({ chain }) => chain)])
  const currencies = new ConfiguredCurrencies(chains.all())
  const container = rootContainer.createChildContainer()
  const services: CoreServices = {
    pool,
    searchPool,
    connectionString: options.databaseUrl,
    chains,
    currencies,
    log,
    settings: {
      anonymousHoldBps: 2_500,
      callerHoldBps: 2_000,
      leaseMs: options.leaseMs ?? 2_000,
      // Some run without a role for longer than a deployment would.
      unattendedMs: 600_000,
      ...(options.wallet === undefined ? {} : { wallet: options.wallet }),
    },
  }
  const core = await registerCoreServices(container, services)
  container.register(KEYS, {
    useValue: new TestKeys(keyValues(network), { ...payersOf(moreChains), ...options.signers }),
  })
  container.register(PRICES, {
    useValue: new CheckedPrices({ sources: [prices], clock: container.resolve(CLOCK) }),
  })
  container.register(DEPLOYMENT, { useValue: { network: 'testnet', serviceName: 'relay', version: '1.0.0' } })
  await Promise.all(chains.all().map(({ adapter }) => adapter.start(stop.signal)))
  await migrate(pool, { packages: [{ name: quotePlugin.name, migrations: quotePlugin.migrations ?? [] }] })
  await registerPlugin(container, quotePlugin, {})
  const roles = options.roles ?? ['watcher', 'solver']
  const solver = { container, options: { ...SOLVER, ...options.solver } }
  const solverJobs = solverPlugin.jobs?.(solver) ?? []
  const running: Promise<void>[] = []
  const run = (jobs: readonly Omit<Job, 'role'>[]): void => {
    running.push(...jobs.map((job) => runForEver(job, stop.signal)))
  }
  if (roles.includes('watcher')) run(core.watchers)
  if (roles.includes('solver')) run(solverJobs)
  const end = async (): Promise<void> => {
    stop.abort()
    await Promise.allSettled(running)
    await Promise.allSettled(chains.all().map(({ adapter }) => adapter.stop()))
    await Promise.all([pool.end(), searchPool.end()])
  }
  let ended: Promise<void> | null = null
  try {
    if (roles.includes('watcher')) await watchersBegun(pool, own)
    // After the watchers have begun: a chain that nobody has begun to read takes no quotes.
    run(core.upkeep)
    if (roles.includes('solver')) await inventoryRead(pool, currencies)
  } catch (error) {
    await end()
    throw error
  }
  return {
    pool,
    engine: container.resolve(QUOTE_ENGINE),
    requests: container.resolve(REQUESTS),
    chains: container.resolve(CHAINS),
    command: async (name, args = [], flags = {}) => {
      const command = solverPlugin.commands?.(solver).find((item) => item.name === name)
      if (command === undefined) throw new Error(`There is no command ${name}`)
      const lines: string[] = []
      await command.run({ arguments: args, options: flags, print: (line) => lines.push(line) })
      return lines
    },
    currencies,
    prices: container.resolve(PRICES),
    kill: () => {
      ended ??= end()
      return ended
    },
  }
}

const SOLVER = {
  tickMs: 500,
  batch: 64,
  inventoryMs: 1_000,
  bumpAfterMs: 5_000,
  maxVersions: 6,
  inclusionWindowMs: 60_000,
  waitForFundsMs: 3_000,
  gasToleranceBps: 10_000,
  gasToleranceUsd: '0.05',
  burnPauseMs: 600_000,
  maxGenerations: 5,
  withdrawals: true,
  withdrawMs: 300,
  signTimeoutMs: 500,
  callTimeoutMs: 15_000,
  usedKeys: 'open' as const,
}

class TestKeys extends EnvironmentKeys {
  readonly #signers: Readonly<Partial<Record<KeyPurpose, Signer>>>

  constructor(values: ReadonlyMap<KeyPurpose, string>, signers: Readonly<Partial<Record<KeyPurpose, Signer>>>) {
    super(values)
    this.#signers = signers
  }

  override signer(purpose: KeyPurpose): Signer {
    return this.#signers[purpose] ?? super.signer(purpose)
  }

  override has(purpose: KeyPurpose): boolean {
    return this.#signers[purpose] !== undefined || super.has(purpose)
  }
}

/** A watcher has begun once its first cursor is stored; on a ledger whose blocks a test makes, that is after its first block. */
const watchersBegun = (pool: Pool, chains: readonly Chain[]): Promise<true> =>
  until('the watchers to begin', async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(distinct chain_id)::int as count from chain_cursors where chain_id = any($1)',
      [chains.map(({ config }) => config.id)],
    )
    return rows[0]?.count === chains.length ? true : null
  })

/** Quotes are possible once the lanes have read what the solver owns. */
const inventoryRead = (pool: Pool, currencies: CurrencyRegistry): Promise<true> => {
  const all = currencies.all()
  return until('the inventory to be read', async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from inventory where chain_id = any($1)',
      [[...new Set(all.map(({ chainId }) => chainId))]],
    )
    return rows[0]?.count === all.length ? true : null
  })
}

const runForEver = async (job: Omit<Job, 'role'>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await job.run(signal).catch(() => undefined)
    await pause(50, signal)
  }
}

const registerPlugin = async (container: DependencyContainer, plugin: Plugin, options: object): Promise<void> => {
  await plugin.register?.({
    container,
    options,
    provide: (token, factory) => {
      container.register(token, { useFactory: once(factory) })
    },
  })
}

const once = <T>(factory: (container: DependencyContainer) => T) => {
  let made: { readonly value: T } | null = null
  return (container: DependencyContainer): T => {
    made ??= { value: factory(container) }
    return made.value
  }
}

const payersOf = (chains: NonNullable<DeploymentOptions['moreChains']>): Partial<Record<KeyPurpose, Signer>> =>
  Object.fromEntries(chains.map(({ chain, payer }) => [`payout.${chain.config.id}`, payer]))

const keyValues = ({ roles, chains }: LocalNetwork): Map<KeyPurpose, Hex> =>
  new Map<KeyPurpose, Hex>([
    ['order', roles.order.privateKey],
    ['allocator', roles.allocator.privateKey],
    ...chains.map(({ chain }): [KeyPurpose, Hex] => [`payout.${chain.chainId}`, roles.solver.privateKey]),
  ])

const createChain = async (item: NetworkChain, options: DeploymentOptions, log: Logger): Promise<Chain> => {
  const { chain, slug, currencies, depository, fillRouter, swap } = item
  const config: ChainConfig = {
    id: chain.chainId,
    slug,
    name: slug,
    package: '@causeway/chain-evm',
    rpc: options.rpc?.[chain.chainId] ?? [{ http: options.rpcUrls?.[chain.chainId] ?? chain.rpcUrl, ws: chain.wsUrl }],
    currencies,
    confirmations: { fill: 1, success: 1, settle: options.settle ?? 2, settleSeconds: 0 },
    ...(options.quorum === undefined ? {} : { quorum: options.quorum }),
    solver: options.network.roles.solver.address,
    ...(options.formerSolvers === undefined ? {} : { formerSolvers: options.formerSolvers }),
    enabled: true,
    limits: {
      perHour: options.perHour?.[chain.chainId] ?? [],
      ...(options.unsettledUsd === undefined ? {} : { unsettledUsd: options.unsettledUsd }),
    },
    options: {},
  }
  const adapter = await evmChain.create(
    {
      depository,
      fillRouter,
      pollIntervalMs: 100,
      startBlock: 0,
      ...(swap === undefined ? {} : { swap }),
      ...options.evm,
    },
    { config, clock: { now: Date.now }, logger: log, environment: environmentOf({}) },
  )
  return { config, adapter: options.wrapAdapter?.(adapter) ?? adapter }
}
