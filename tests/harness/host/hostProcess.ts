import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CurrencyConfig, RpcEndpoint } from '@causeway/core/chain'
import type { LocalNetwork } from '../localNetwork.js'
import { testPort } from '../testPort.js'
import { until } from '../until.js'
import { SHORT_LIFE, testPoolSize } from './shortLife.js'

const CLI = join(dirname(createRequire(import.meta.url).resolve('@causeway/host/package.json')), 'bin', 'causeway.js')

/** The built host, as an operator runs it, in a process of its own. */
export interface HostProcess {
  readonly url: string
  readonly pid: number
  /** Resolves with the signal or exit code that ended it. */
  readonly ended: Promise<string>
  /** What it logged so far. */
  log(): string
  signal(name: NodeJS.Signals): void
}

/** A chain in a configuration. */
export interface HostChain {
  readonly id: number
  readonly slug: string
  readonly package: string
  readonly rpc: readonly RpcEndpoint[]
  readonly currencies: readonly CurrencyConfig[]
  readonly options: Readonly<Record<string, unknown>>
  readonly [more: string]: unknown
}

/** What a host under test serves, as its configuration says it. */
export interface HostNetwork {
  readonly chains: readonly HostChain[]
  readonly keys: {
    readonly allocator?: object
    readonly allocators?: Readonly<Record<string, object>>
    readonly payout: Readonly<Record<string, object>>
    readonly origin?: Readonly<Record<string, object>>
    readonly operator?: object
    readonly hd?: object
  }
  readonly prices: Readonly<Record<string, string>>
  /** Where the keys are. */
  readonly environment: Readonly<Record<string, string>>
}

export interface HostProcessOptions {
  readonly network: LocalNetwork | HostNetwork
  readonly databaseUrl: string
  readonly roles?: readonly string[]
  /** Kills itself at this place (core/failpoint). */
  readonly failpoint?: string
  readonly rpcUrls?: Readonly<Record<number, string>>
  /** Endpoints of a chain in place of its own one. */
  readonly rpc?: Readonly<Record<number, readonly RpcEndpoint[]>>
  /** Chains besides those of the network, as its configuration says them. */
  readonly moreChains?: readonly Readonly<Record<string, unknown>>[]
  /** Options of the solver plugin in place of those of fast tests. */
  readonly solver?: Readonly<Record<string, unknown>>
  /** Options of the quote plugin. */
  readonly quote?: Readonly<Record<string, unknown>>
  /** It gives addresses to pay to. */
  readonly addresses?: boolean
  /** It sends deposits and calls for users who only sign. */
  readonly permits?: boolean
  /** Options of the plugin that sends them. */
  readonly gasless?: object
  /** More of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Plugins besides the usual ones. */
  readonly morePlugins?: readonly object[]
  /** Where the configuration is written and packages are looked for; a new folder when left out. */
  readonly folder?: string
  /** Milliseconds by which the clock of its machine jumps at SIGUSR2. */
  readonly wrongClockMs?: number
  /** The program, in place of the workspace's own. */
  readonly program?: string
  /** Node is started as an operator would, for what is measured; see SHORT_LIFE. */
  readonly longLife?: boolean
}

/** How the built host is started: program, arguments, environment, and where it will answer. */
export interface HostCommand {
  readonly url: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Writes a configuration for the network; nothing is started. */
export const hostCommand = async (options: HostProcessOptions): Promise<HostCommand> => {
  const port = await testPort()
  return {
    url: `http://127.0.0.1:${port}`,
    args: [options.program ?? CLI, 'start', '--config', writeConfig(options), '--port', String(port)],
    env: {
      ...process.env,
      ...SECRETS,
      ...hostNetworkOf(options).environment,
      CAUSEWAY_FAILPOINT: options.failpoint ?? '',
      ...(options.wrongClockMs === undefined ? {} : wrongClock(options.wrongClockMs)),
    },
  }
}

const wrongClock = (milliseconds: number) => ({
  NODE_OPTIONS: `--import ${new URL('wrongClock.mjs', import.meta.url).href}`,
  WRONG_CLOCK_MS: String(milliseconds),
})

const START_MS = 180_000
const ASK_MS = 75

/** Writes a configuration for the network and starts a host with it; does not wait until the host answers. */
export const spawnHost = async (options: HostProcessOptions): Promise<HostProcess> => {
  const { url, args, env } = await hostCommand(options)
  const child = spawn(process.execPath, [...(options.longLife === true ? [] : SHORT_LIFE), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-200_000)
    })
  }
  return { url, pid: child.pid ?? 0, ended: endOf(child), log: () => log, signal: (name) => child.kill(name) }
}

/** Writes a configuration for the network and starts a host with it; resolves when it answers. */
export const startHostProcess = async (options: HostProcessOptions): Promise<HostProcess> => {
  const host = await spawnHost(options)
  await Promise.race([
    // It takes a second or two, in which each question costs the processor that it needs.
    until('the host to answer', () => answers(host.url), START_MS, ASK_MS).catch((error: Error) => {
      host.signal('SIGKILL')
      throw new Error(`${error.message}: ${host.log().slice(-3_000)}`)
    }),
    host.ended.then((how) => {
      throw new Error(`The host ended with ${how}: ${host.log().slice(-3_000)}`)
    }),
  ])
  return host
}

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? String(code)))
  })

const answers = async (url: string): Promise<true | null> => {
  try {
    const response = await fetch(`${url}/lives`)
    return response.ok ? true : null
  } catch {
    return null
  }
}

const SECRETS = { TEST_KEY_ORDER: `0x${'0d'.repeat(32)}`, TEST_KEY_MASTER: `0x${'5a'.repeat(32)}` }

/** The configuration's part of a network: one payout key for all chains, in `TEST_KEY_PAYOUT`. */
export const hostNetworkOf = ({
  network,
  rpcUrls,
  rpc,
  addresses = false,
  permits = false,
}: Pick<HostProcessOptions, 'network' | 'rpcUrls' | 'rpc' | 'addresses' | 'permits'>): HostNetwork => {
  if ('environment' in network) return network
  const { roles, chains } = network
  return {
    chains: chains.map(
      ({ chain, slug, currencies, depository, fillRouter, depositAddressFactory, permitRouter, swap }) => ({
        id: chain.chainId,
        slug,
        name: slug,
        package: '@causeway/chain-evm',
        rpc: rpc?.[chain.chainId] ?? [{ http: rpcUrls?.[chain.chainId] ?? chain.rpcUrl, ws: chain.wsUrl }],
        currencies,
        solver: roles.solver.address,
        confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
        options: {
          depository,
          fillRouter,
          startBlock: 0,
          pollIntervalMs: 100,
          ...(swap === undefined ? {} : { swap }),
          ...(addresses ? { depositAddressFactory } : {}),
          ...(permits ? { permitRouter } : {}),
        },
      }),
    ),
    keys: {
      allocator: { env: 'TEST_KEY_ALLOCATOR' },
      payout: Object.fromEntries(chains.map(({ chain }) => [String(chain.chainId), { env: 'TEST_KEY_PAYOUT' }])),
      ...(permits
        ? { origin: Object.fromEntries(chains.map(({ chain }) => [String(chain.chainId), { env: 'TEST_KEY_ORIGIN' }])) }
        : {}),
    },
    prices: { eth: '2000', usdc: '1', busd: '1' },
    environment: {
      TEST_KEY_ORDER: roles.order.privateKey,
      TEST_KEY_ALLOCATOR: roles.allocator.privateKey,
      TEST_KEY_PAYOUT: roles.solver.privateKey,
      TEST_KEY_ORIGIN: roles.origin.privateKey,
    },
  }
}

const SOLVER = { tickMs: 500, inventoryMs: 1_000, withdrawMs: 500, bumpAfterMs: 5_000, waitForFundsMs: 3_000 }

/** Configurations of this process, removed when it ends. */
const folders: string[] = []

const removeFolders = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-host-'))
  if (folders.length === 0) process.once('exit', removeFolders)
  folders.push(folder)
  return folder
}

const writeConfig = (options: HostProcessOptions): string => {
  const { databaseUrl, roles, solver, quote, config: more } = options
  const network = hostNetworkOf(options)
  const folder = options.folder ?? newFolder()
  writeFileSync(join(folder, 'prices.json'), JSON.stringify(network.prices))
  const has = (role: string): boolean => roles === undefined || roles.includes(role)
  const chains = [...network.chains, ...(options.moreChains ?? [])]
  const config = {
    network: 'testnet',
    database: {
      url: databaseUrl,
      leaseSeconds: 2,
      ...(options.longLife === true ? {} : { poolSize: testPoolSize(chains.length) }),
    },
    // Older programs do not know the setting, and serve both by one listener.
    ...(options.program === undefined ? { http: { console: { shared: true } } } : {}),
    logging: { level: 'warn' },
    ...(roles === undefined ? {} : { roles }),
    chains,
    defaultPlugins: false,
    plugins: [
      ...['api-keys', 'chains', 'currencies', 'prices', 'intents', 'transactions', 'operator'].map(
        (name) => `@causeway/plugin-${name}`,
      ),
      { package: '@causeway/plugin-quote', options: quote ?? {} },
      { package: '@causeway/plugin-solver', options: { usedKeys: 'open', ...(solver ?? SOLVER) } },
      ...(options.addresses === true ? ['@causeway/plugin-deposit-address'] : []),
      ...(options.permits === true ? [{ package: '@causeway/plugin-gasless', options: options.gasless ?? {} }] : []),
      ...(options.morePlugins ?? []),
    ],
    keys: {
      ...(has('api') ? { order: { env: 'TEST_KEY_ORDER' }, master: { env: 'TEST_KEY_MASTER' } } : {}),
      ...(has('solver') ? network.keys : { payout: {} }),
    },
    prices: { file: 'prices.json', maxAgeSeconds: 3_600 },
    ...more,
  }
  const path = join(folder, 'causeway.config.json')
  writeFileSync(path, JSON.stringify(config, null, 2))
  return path
}
