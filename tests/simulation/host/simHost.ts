import 'reflect-metadata'
import { setMaxListeners } from 'node:events'
import { CLOCK } from '@causeway/core'
import { PRICES, type PriceSource, type Signer } from '@causeway/core/chain'
import { CheckedPrices, ConfiguredCurrencies, registerCoreServices } from '@causeway/core/host'
import {
  type BalanceCurrency,
  CHAIN_USE,
  type Chain,
  ChainRegistry,
  ChainsForCommands,
  type Command,
  createPool,
  DEPLOYMENT,
  DEPOSIT_HINTS,
  type DepositHints,
  EXTENSION_POINTS,
  type Job,
  KEYS,
  type Keys,
  parseUsd,
  pause,
  QUOTE_ENGINE,
  type QuoteEngine,
  REQUESTS,
  type RequestReader,
  type Route,
  validator,
} from '@causeway/core/plugin'
import appFeesPlugin from '@causeway/plugin-app-fees'
import addressPlugin from '@causeway/plugin-deposit-address'
import fastFillPlugin from '@causeway/plugin-fast-fill'
import gaslessPlugin from '@causeway/plugin-gasless'
import operatorPlugin from '@causeway/plugin-operator'
import quotePlugin from '@causeway/plugin-quote'
import solverPlugin from '@causeway/plugin-solver'
import sponsorshipPlugin from '@causeway/plugin-sponsorship'
import type { Static, TSchema } from '@sinclair/typebox'
import { pino } from 'pino'
import { type DependencyContainer, type InjectionToken, container as rootContainer } from 'tsyringe'
import type { Kernel } from '../kernel/kernel.js'
import type { SimProcess } from '../kernel/simProcess.js'
import { BALANCE_WALLETS } from './balanceWallets.js'
import { type ClaimCalls, claimCalls } from './claimCalls.js'
import { type OriginCalls, originCalls } from './permitCalls.js'

/** A host within a world: everything between a quote and its payouts, as the container builds it, without HTTP. */
export interface SimHost {
  readonly process: SimProcess
  readonly engine: QuoteEngine
  readonly requests: RequestReader
  readonly chains: ChainRegistry
  readonly hints: DepositHints
  /** `POST /transactions/deposit-address/reindex`, as its caller has it; null where users pay to no addresses. */
  readonly reindex: ((body: ReindexBody) => Promise<unknown>) | null
  /** What wallets do with their balances; null where none are kept. */
  readonly claims: ClaimCalls | null
  /** What users hand in who only sign; null where nobody may. */
  readonly origins: OriginCalls | null
  /** `POST /fast-fill`, as its caller has it; null where no balances are kept. */
  readonly fastFill: ((body: FastFillBody) => Promise<unknown>) | null
}

/** A request that is to be filled ahead of its deposit. */
export interface FastFillBody {
  readonly requestId: string
  readonly solverInputCurrencyAmount?: string
}

/** An address, and where to look for what came to it. */
export interface ReindexBody {
  readonly chainId: number
  readonly depositAddress: string
  readonly targetChainId: number
}

export interface SimHostDeps {
  readonly kernel: Kernel
  readonly process: SimProcess
  readonly databaseUrl: string
  /** Made in the process, each time anew. */
  openChains(): readonly Chain[]
  /** The same for every host of a world: making them costs more than a host's start. */
  readonly keys: Keys
  readonly leaseMs: number
  /** Whether users may pay to addresses of their quotes. */
  readonly addresses: boolean
  /** The currency of balances of wallets; null: none are kept. */
  readonly balances: BalanceCurrency | null
  /** Whether users may sign for deposits. */
  readonly permits: boolean
  /** Cap on what transactions for one owner or caller may cost without a deposit, in dollars. */
  readonly unpaidCapUsd: string
  /** Whether the keys of payouts and withdrawals do not sign now. */
  signersAway(): boolean
  /** In dollars, by symbol. */
  priceOf(symbol: string): string
  /** Where lines of the log go; none by default. */
  readonly log?: ((line: string) => void) | undefined
}

/** Whoever asks hosts of a world for something. */
export const CALLER = {
  kind: 'integrator',
  integratorId: 'simulation',
  apiKeyId: 'simulation',
  keyName: null,
  elevated: false,
  trusted: true,
} as const

/** Pays for what the caller has filled ahead. */
export const FUNDING_WALLET = BALANCE_WALLETS[0].address

/** As a deployment would set them where seconds matter; the rest are the defaults. */
const SOLVER = {
  tickMs: 4_000,
  inventoryMs: 8_000,
  withdrawMs: 6_000,
  bumpAfterMs: 6_000,
  inclusionWindowMs: 15_000,
  waitForFundsMs: 15_000,
  burnPauseMs: 30_000,
  callTimeoutMs: 20_000,
}

/** Upkeep that touches no money, every second: left out for the sake of speed. So quotes are made while a lane is shut, too. */
const WITHOUT_MONEY: ReadonlySet<string> = new Set(['stored', 'counts', 'heads', 'service'])

/** Orders that are paid late are priced anew within a story, and expired if late enough. */
const QUOTES = { orderDeadlineSeconds: 60, priceSeconds: 8 }

/** What no order can be made for is refunded within a story. */
const ADDRESSES = { requoteAttempts: 3 }

/** A pool's connections: what a host needs at once, and no more. */
const CONNECTIONS = 4

const pricesOf = ({ priceOf }: SimHostDeps): PriceSource => ({
  name: 'market',
  getPrices: async (currencies) =>
    currencies.map(({ symbol }) => {
      const usd = parseUsd(priceOf(symbol))
      return usd === null ? null : { usd, observedAt: Date.now() }
    }),
})

/** Keys in a place that may be away; that of orders is not. */
const keysOf = ({ keys: held, signersAway }: SimHostDeps): Keys => {
  const awayAtTimes = (signer: Signer): Signer => ({
    scheme: signer.scheme,
    publicKey: signer.publicKey,
    sign: async (digest) => {
      if (signersAway()) throw new Error('The signer is away.')
      return signer.sign(digest)
    },
  })
  return {
    signer: (purpose) => (purpose === 'order' ? held.signer(purpose) : awayAtTimes(held.signer(purpose))),
    has: (purpose) => held.has(purpose),
    derive: (use, from) => held.derive(use, from),
    seed: () => held.seed(),
  }
}

/** Plugins that may run in a host; all their tables are in the database of a world. */
export const PLUGINS = [
  ...[quotePlugin, solverPlugin, operatorPlugin, gaslessPlugin],
  ...[sponsorshipPlugin, addressPlugin, appFeesPlugin, fastFillPlugin],
]

/** Starts a host; call it in its process. Resolves when its jobs run. */
export const startSimHost = async (deps: SimHostDeps): Promise<SimHost> => {
  const opened = await openSimHost(deps)
  const { container, core, chains } = opened
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  await Promise.all(chains.all().map(({ adapter }) => adapter.start(stop.signal)))
  const solver = { container, options: optionsOf(solverPlugin.options, SOLVER) }
  const upkeep = core.upkeep.filter(({ name }) => !WITHOUT_MONEY.has(name))
  const addresses = deps.addresses ? { container, options: optionsOf(addressPlugin.options, ADDRESSES) } : null
  const ofAddresses = addresses === null ? [] : (addressPlugin.jobs?.(addresses) ?? [])
  const jobs = [...upkeep, ...core.watchers, ...(solverPlugin.jobs?.(solver) ?? []), ...ofAddresses]
  for (const job of jobs) void runForEver(job, stop.signal)
  return {
    process: deps.process,
    engine: container.resolve(QUOTE_ENGINE),
    requests: container.resolve(REQUESTS),
    chains,
    hints: container.resolve(DEPOSIT_HINTS),
    reindex: addresses === null ? null : handlerOf<ReindexBody>(addressPlugin.routes?.(addresses) ?? [], '/reindex'),
    claims: deps.balances === null ? null : claimCalls({ container, options: optionsOf(appFeesPlugin.options, {}) }),
    origins: deps.permits ? originCalls(container) : null,
    fastFill:
      deps.balances === null
        ? null
        : handlerOf<FastFillBody>(
            fastFillPlugin.routes?.({ container, options: optionsOf(fastFillPlugin.options, {}) }) ?? [],
            '/fast-fill',
          ),
  }
}

/** The operation behind HTTP, whose checks are left out. */
const handlerOf = <Body>(routes: readonly Route[], end: string): ((body: Body) => Promise<unknown>) => {
  const route = routes.find(({ path }) => path.endsWith(end))
  if (route === undefined) throw new Error(`There is no operation ${end}.`)
  // CAST: the operation reads its body and caller alone.
  return async (body) => route.handler({ body, caller: CALLER } as unknown as Parameters<Route['handler']>[0])
}

/** Commands of the solver and of the operator, by name, as a process of their own has them; call it in that process. */
export const openCommands = async (deps: SimHostDeps): Promise<ReadonlyMap<string, Command>> => {
  const { container } = await openSimHost(deps)
  const solver = { container, options: optionsOf(solverPlugin.options, SOLVER) }
  const commands = [
    ...(solverPlugin.commands?.(solver) ?? []),
    ...(operatorPlugin.commands?.({ container, options: {} }) ?? []),
    ...(sponsorshipPlugin.commands?.({ container, options: optionsOf(sponsorshipPlugin.options, {}) }) ?? []),
  ]
  return new Map(commands.map((command) => [command.name, command]))
}

const openSimHost = async (deps: SimHostDeps) => {
  const { databaseUrl, leaseMs } = deps
  const pool = createPool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    applicationName: 'host',
    statementMs: 10_000,
  })
  const chains = new ChainRegistry([...deps.openChains()])
  const container = rootContainer.createChildContainer()
  const core = await registerCoreServices(container, {
    pool,
    connectionString: databaseUrl,
    chains,
    currencies: new ConfiguredCurrencies(chains.all()),
    log: logOf(deps),
    settings: {
      ...{ anonymousHoldBps: 5_000, callerHoldBps: 5_000, leaseMs },
      ...(deps.balances === null ? {} : { balanceCurrency: deps.balances }),
    },
  })
  for (const token of EXTENSION_POINTS) container.register(token, { useValue: [] })
  container.register(CHAIN_USE, { useValue: new ChainsForCommands() })
  container.register(KEYS, { useValue: keysOf(deps) })
  container.register(PRICES, {
    useValue: new CheckedPrices({ sources: [pricesOf(deps)], clock: container.resolve(CLOCK) }),
  })
  container.register(DEPLOYMENT, { useValue: { network: 'testnet', serviceName: 'relay', version: '1.0.0' } })
  const provide = <T>(token: InjectionToken<T>, factory: (container: DependencyContainer) => T): void => {
    container.register(token, { useFactory: once(factory) })
  }
  await quotePlugin.register?.({ container, options: optionsOf(quotePlugin.options, QUOTES), provide })
  await operatorPlugin.register?.({ container, options: {}, provide })
  if (deps.addresses) {
    await addressPlugin.register?.({ container, options: optionsOf(addressPlugin.options, {}), provide })
  }
  if (deps.balances !== null) {
    await appFeesPlugin.register?.({ container, options: optionsOf(appFeesPlugin.options, {}), provide })
    await sponsorshipPlugin.register?.({ container, options: optionsOf(sponsorshipPlugin.options, {}), provide })
  }
  if (deps.permits) {
    const options = optionsOf(gaslessPlugin.options, { execute: { unpaidCapUsd: deps.unpaidCapUsd } })
    await gaslessPlugin.register?.({ container, options, provide })
  }
  return { container, core, chains }
}

const runForEver = async (job: Omit<Job, 'role'>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await job.run(signal).catch(() => undefined)
    await pause(250, signal)
  }
}

const optionsOf = <Schema extends TSchema>(schema: Schema, given: object): Static<Schema> => {
  const options = { ...given }
  validator(schema, 'options')(options)
  // CAST: the schema has just checked them and filled in the defaults.
  return options as Static<Schema>
}

const once = <T>(factory: (container: DependencyContainer) => T) => {
  let made: { readonly value: T } | null = null
  return (container: DependencyContainer): T => {
    made ??= { value: factory(container) }
    return made.value
  }
}

const logOf = ({ log, process }: SimHostDeps) =>
  log === undefined
    ? pino({ level: 'silent' })
    : pino({ level: 'info', timestamp: false, base: { host: process.name } }, { write: (line: string) => log(line) })
