import type { TestTokenKind } from '@causeway/chain-evm/testing'
import { coreMigrations } from '@causeway/core/host'
import type { Role } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { ChainInput, PricesInput } from '@causeway/host'
import { type ApiAnswer, callApi } from '../harness/apiCall.js'
import { startTestHost, type TestHost } from '../harness/host/host.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'

/** Two chains, a database and a whole host. */
export interface HttpWorld {
  readonly network: LocalNetwork
  readonly database: TestDatabase
  readonly host: TestHost
  close(): Promise<void>
}

export const startHttpWorld = async (
  options: {
    readonly moreChains?: readonly ChainInput[]
    /** Endpoints in place of the network's own, by chain id. */
    readonly rpcUrls?: (network: LocalNetwork) => Promise<Readonly<Record<number, string | readonly string[]>>>
    /** The address by which the host reaches its database, in place of the database's own. */
    readonly databaseUrl?: (own: string) => Promise<string>
    /** Options of plugins, by their short name; one that is not among the usual is added. */
    readonly plugins?: (network: LocalNetwork) => Readonly<Record<string, Readonly<Record<string, unknown>>>>
    /** The currency of balances; by default none are kept. */
    readonly balances?: (network: LocalNetwork) => { readonly chainId: number; readonly currency: string }
    /** Name of the domain of nonce mappings; by default the usual one. */
    readonly nonceMappingDomain?: string
    /** Pools of Uniswap on both chains. */
    readonly swaps?: boolean
    /** Kinds of the dollars of both chains. */
    readonly dollars?: readonly [TestTokenKind, TestTokenKind]
    /** In place of the price file. */
    readonly prices?: PricesInput
    /** What the host does; by default everything. */
    readonly roles?: readonly Role[]
    /** Where the log goes, as detailed as it can be. */
    readonly log?: NodeJS.WritableStream
  } = {},
): Promise<HttpWorld> => {
  const [network, database] = await Promise.all([
    startLocalNetwork({
      swaps: options.swaps ?? false,
      ...(options.dollars === undefined ? {} : { dollars: options.dollars[0], secondDollars: options.dollars[1] }),
    }),
    createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }], poolSize: 4 }),
  ])
  const { moreChains = [], rpcUrls, databaseUrl, plugins } = options
  const urls = rpcUrls === undefined ? {} : await rpcUrls(network)
  const url = databaseUrl === undefined ? database.url : await databaseUrl(database.url)
  const reached = { url, pool: database.pool }
  const host = await startTestHost({
    network,
    database: reached,
    moreChains,
    rpcUrls: urls,
    plugins: plugins?.(network) ?? {},
    prices: options.prices,
    ...(options.nonceMappingDomain === undefined ? {} : { nonceMappingDomain: options.nonceMappingDomain }),
    ...(options.balances === undefined ? {} : { balances: options.balances(network) }),
    roles: options.roles,
    log: options.log,
  })
  return {
    network,
    database,
    host,
    close: async () => {
      await host.stop()
      await database.drop()
      await network.close()
    },
  }
}

/** A body that is quoted: a little native currency from the first chain to the second. */
export const nativeBody = ({ network }: Pick<HttpWorld, 'network'>, more: Readonly<Record<string, unknown>> = {}) => {
  const [origin, destination] = network.chains
  const user = userOf(network, 0).address
  return {
    user,
    recipient: user,
    originChainId: origin.chain.chainId,
    destinationChainId: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.01').toString(),
    tradeType: 'EXACT_INPUT',
    ...more,
  }
}

/** The same with the token that has 6 decimals on the first chain and 18 on the second. */
export const tokenBody = (world: HttpWorld, more: Readonly<Record<string, unknown>> = {}) => {
  const [origin, destination] = world.network.chains
  return nativeBody(world, {
    originCurrency: origin.usdc,
    destinationCurrency: destination.usdc,
    amount: '25000000',
    ...more,
  })
}

export const postQuote = ({ host }: HttpWorld, body: unknown, path = '/quote', apiKey?: string): Promise<ApiAnswer> =>
  callApi(host.url, path, { body, ...(apiKey === undefined ? {} : { apiKey }) })

/** How much the tables of quotes hold. */
export const rowCounts = async ({ database }: HttpWorld): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await database.pool.query<Record<string, number>>(
    `select (select count(*) from quotes)::int as quotes, (select count(*) from requests)::int as requests,
      (select count(*) from quotes where hold_amount is not null)::int as holds`,
  )
  return rows[0] ?? {}
}

const LEAKS =
  /node_modules|\.[cm]?[jt]s:\d|\n\s+at |https?:\/\/|wss?:\/\/|postgres|127\.0\.0\.1|localhost|ECONN|cct_(?:live|test)_|\b(?:select|insert into|delete from|relation|sqlstate|syntax error)\b/i

/** What in a text must not reach a caller: stack, URL, key, SQL (faults.md F96); null when there is nothing. */
export const leakIn = ({ network }: Pick<HttpWorld, 'network'>, text: string): string | null => {
  const { order, solver, allocator } = network.roles
  const secrets = [order, solver, allocator].map(({ privateKey }) => privateKey.slice(2))
  const secret = secrets.find((key) => text.toLowerCase().includes(key))
  return secret === undefined ? (LEAKS.exec(text)?.[0] ?? null) : 'a private key'
}
