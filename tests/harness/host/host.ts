import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLOCK, environmentOf, type Hex, systemClock } from '@causeway/core'
import { createLogger, EnvironmentKeys } from '@causeway/core/host'
import { DEPLOYMENT, ENVIRONMENT, KEYS, POOL, type Role, type Route } from '@causeway/core/plugin'
import { type CausewayConfig, type ChainInput, type PricesInput, startHost } from '@causeway/host'
import apiKeysPlugin from '@causeway/plugin-api-keys'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { container as rootContainer } from 'tsyringe'
import type { LocalNetwork, NetworkChain } from '../localNetwork.js'
import { until } from '../until.js'
import { testPoolSize } from './shortLife.js'

/** The whole host in this process, with every plugin and role, on a free port. */
export interface TestHost {
  readonly url: string
  /** Of the operator's listener, where it has one of its own. */
  readonly consoleUrl: string | null
  /** What it serves; each answer is held against what its route declares. */
  readonly routes: readonly Route[]
  /** Of an integrator with the usual limits. */
  readonly apiKey: string
  /** Makes another key, as an operator does. */
  createApiKey(
    label: string,
    more?: { readonly untrusted: boolean },
  ): Promise<{ readonly id: string; readonly apiKey: string }>
  revokeApiKey(id: string): Promise<void>
  /** Puts other prices in the price file: dollars of one whole unit, by asset. */
  setPrices(prices: Readonly<Record<string, string>>): void
  stop(): Promise<void>
}

export interface TestHostOptions {
  readonly network: LocalNetwork
  readonly database: { readonly url: string; readonly pool: Pool }
  /** Chains besides those of the network. */
  readonly moreChains?: readonly ChainInput[]
  /** In place of a chain's own endpoints, by chain id; without a websocket. */
  readonly rpcUrls?: Readonly<Record<number, string | readonly string[]>>
  /** Options of plugins, by their short name; one that is not among the usual is added. */
  readonly plugins?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** In place of the price file. */
  readonly prices?: PricesInput | undefined
  /** The currency of balances; by default none are kept. */
  readonly balances?: CausewayConfig['balances']
  /** Name of the domain of nonce mappings; by default the usual one. */
  readonly nonceMappingDomain?: string
  /** Settings of the listener besides its port. */
  readonly http?: NonNullable<CausewayConfig['http']>
  /** What it does; by default everything. */
  readonly roles?: readonly Role[] | undefined
  /** Takes settings that money depends on from this host where the database has others. Default false. */
  readonly acceptConfig?: boolean
  /** Where the log goes, as detailed as it can be; by default nowhere. */
  readonly log?: NodeJS.WritableStream | undefined
}

/** Dollars of one whole unit. */
export const USUAL_PRICES = { eth: '2000', usdc: '1', busd: '1' }

/** Of every host of the harness. */
export const TEST_MASTER: Hex = `0x${'5a'.repeat(32)}`
const SOLVER = {
  tickMs: 500,
  inventoryMs: 1_000,
  withdrawMs: 500,
  bumpAfterMs: 5_000,
  waitForFundsMs: 3_000,
  usedKeys: 'open',
}
const PLUGINS = ['api-keys', 'chains', 'currencies', 'prices', 'quote', 'intents', 'transactions', 'requests-v3']

const startOptionsOf = ({ roles, acceptConfig = false }: TestHostOptions) => ({ roles, acceptConfig })

/** Starts the host and waits until it knows what its solver owns. */
export const startTestHost = async (options: TestHostOptions): Promise<TestHost> => {
  const { network, database } = options
  const folder = mkdtempSync(join(tmpdir(), 'causeway-http-'))
  const setPrices = (prices: Readonly<Record<string, string>>) =>
    writeFileSync(join(folder, 'prices.json'), JSON.stringify(prices))
  setPrices(USUAL_PRICES)
  writeKeys(folder, network)
  const log =
    options.log === undefined
      ? pino({ level: process.env.TEST_LOG ?? 'silent' })
      : createLogger({ level: 'trace', destination: options.log })
  const host = await startHost({
    config: configOf(options),
    folder,
    log,
    checkResponses: true,
    ...startOptionsOf(options),
  })
  const createApiKey = (label: string, more = {}) => newApiKey(database.pool, label, more)
  await inventoryRead(network, database.pool)
  if (options.roles?.includes('watcher') ?? true) await watchingBegun(network, database.pool)
  const { apiKey } = await createApiKey('tests')
  return {
    url: host.url,
    consoleUrl: host.consoleUrl,
    routes: host.routes,
    apiKey,
    createApiKey,
    revokeApiKey: async (id) => {
      await runKeyCommand(database.pool, 'api-keys revoke', [id], {})
    },
    setPrices,
    stop: async () => {
      await host.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const writeKeys = (folder: string, { roles }: LocalNetwork): void => {
  const keys = {
    order: roles.order.privateKey,
    allocator: roles.allocator.privateKey,
    payout: roles.solver.privateKey,
    origin: roles.origin.privateKey,
    master: TEST_MASTER,
  }
  for (const [name, key] of Object.entries(keys)) writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 })
}

/** As long as usual: a machine that stands still for a moment is no node that fails. */
const RPC_TIMEOUT_MS = 5_000

const chainConfig = (
  { chain, slug, currencies, depository, fillRouter, depositAddressFactory, permitRouter, swap }: NetworkChain,
  rpcUrls: string | readonly string[] | undefined,
  plugins: object,
): ChainInput => ({
  id: chain.chainId,
  slug,
  name: `Test ${slug}`,
  package: '@causeway/chain-evm',
  rpc:
    rpcUrls === undefined
      ? [{ http: chain.rpcUrl, ws: chain.wsUrl }]
      : typeof rpcUrls === 'string'
        ? [{ http: rpcUrls }]
        : rpcUrls.map((http, at) => ({ http, provider: `node${at}` })),
  currencies,
  confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
  options: {
    depository,
    fillRouter,
    startBlock: 0,
    pollIntervalMs: 100,
    rpcTimeoutMs: RPC_TIMEOUT_MS,
    ...(swap === undefined ? {} : { swap }),
    ...('deposit-address' in plugins ? { depositAddressFactory } : {}),
    ...('gasless' in plugins ? { permitRouter } : {}),
  },
})

const configOf = ({
  network,
  database,
  moreChains = [],
  rpcUrls = {},
  plugins = {},
  prices = { file: 'prices.json' },
  http = {},
  balances,
  nonceMappingDomain,
}: TestHostOptions): CausewayConfig => {
  const solver = network.roles.solver.address
  const own = network.chains.map((item) => ({
    ...chainConfig(item, rpcUrls[item.chain.chainId], plugins),
    solver,
  }))
  const chains = [...own, ...moreChains]
  return {
    network: 'testnet',
    database: { url: database.url, leaseSeconds: 2, poolSize: testPoolSize(chains.length) },
    http: { port: 0, console: { shared: true }, ...http },
    chains,
    defaultPlugins: false,
    plugins: [
      ...[...new Set([...PLUGINS, ...Object.keys(plugins)])].map((name) => ({
        package: `@causeway/plugin-${name}`,
        options: plugins[name] ?? {},
      })),
      { package: '@causeway/plugin-solver', options: SOLVER },
    ],
    keys: {
      order: { file: 'order.key' },
      allocator: { file: 'allocator.key' },
      master: { file: 'master.key' },
      payout: Object.fromEntries(chains.map(({ id }) => [String(id), { file: 'payout.key' }])),
      ...('gasless' in plugins
        ? { origin: Object.fromEntries(own.map(({ id }) => [String(id), { file: 'origin.key' }])) }
        : {}),
    },
    prices,
    ...(balances === undefined ? {} : { balances }),
    ...(nonceMappingDomain === undefined ? {} : { nonceMappingDomain }),
  }
}

/** Quotes are possible once the lanes have read what the solver owns. */
const inventoryRead = ({ chains }: LocalNetwork, pool: Pool): Promise<true> => {
  const expected = chains.flatMap(({ currencies }) => currencies).length
  const ids = chains.map(({ chain }) => chain.chainId)
  return until('the inventory to be read', async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from inventory where chain_id = any($1)',
      [ids],
    )
    return rows[0]?.count === expected ? true : null
  })
}

/** A chain takes quotes once a watcher has begun to read it. */
const watchingBegun = ({ chains }: LocalNetwork, pool: Pool): Promise<true> =>
  until('the watchers to begin', async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from chain_cursors where chain_id = any($1)',
      [chains.map(({ chain }) => chain.chainId)],
    )
    return rows[0]?.count === chains.length ? true : null
  })

/** Runs a command of the API key plugin, as `causeway` does for an operator, and gives what it printed. */
export const runKeyCommand = async (
  pool: Pool,
  name: string,
  given: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<string[]> => {
  const container = rootContainer.createChildContainer()
  container.register(POOL, { useValue: pool })
  container.register(CLOCK, { useValue: systemClock })
  container.register(DEPLOYMENT, { useValue: { network: 'testnet', serviceName: 'relay', version: '1.0.0' } })
  container.register(ENVIRONMENT, { useValue: environmentOf(process.env) })
  container.register(KEYS, { useValue: new EnvironmentKeys(new Map([['master', TEST_MASTER]])) })
  const command = apiKeysPlugin
    .commands?.({ container, options: { maxKeysPerIntegrator: 50, proxy: { origins: [] } } })
    .find((item) => item.name === name)
  if (command === undefined) throw new Error(`There is no command ${name}`)
  const lines: string[] = []
  await command.run({ arguments: given, options, print: (line) => lines.push(line) })
  return lines
}

/** A token that signs one operator in to the management API. */
export const operatorToken = async (pool: Pool): Promise<string> => {
  const printed = (await runKeyCommand(pool, 'dashboard operator-token', [], {})).join('\n')
  const token = /^token: +(\S+)$/m.exec(printed)?.[1]
  if (token === undefined) throw new Error('The token was not shown')
  return token
}

/** Makes a key of an integrator, as an operator does; every host of the harness has the same master key. */
export const newApiKey = async (
  pool: Pool,
  label: string,
  more: { readonly untrusted?: boolean } = {},
): Promise<{ readonly id: string; readonly apiKey: string }> => {
  const integrator = `${label}-${randomBytes(4).toString('hex')}`
  const printed = (await runKeyCommand(pool, 'api-keys create', [], { integrator, label, ...more })).join('\n')
  const id = /^id: +(\S+)$/m.exec(printed)?.[1]
  const apiKey = /^key: +(\S+)$/m.exec(printed)?.[1]
  if (id === undefined || apiKey === undefined) throw new Error('The key was not shown')
  return { id, apiKey }
}
