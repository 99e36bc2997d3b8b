import type { CausewayConfig } from '@causeway/host'
import { SANDBOX_PRICES } from './chainPlans.js'
import { writePrivateJson } from './state/privateFile.js'
import type { SandboxPaths } from './state/sandboxPaths.js'
import type { RecordedChain } from './state/sandboxState.js'

/**
 * Configuration of every host of the sandbox. It names no port, so that a second host may join with
 * `causeway start --config .causeway/sandbox.config.json --role solver`.
 */
const createConfig = (home: string, chains: readonly RecordedChain[], databaseUrl: string): CausewayConfig => ({
  network: 'testnet',
  // One address for everything: no proxy stands before a sandbox.
  http: { console: { shared: true } },
  database: { url: databaseUrl },
  chains: chains.map((chain) => ({
    id: chain.id,
    slug: chain.name,
    name: `Sandbox ${chain.name}`,
    package: chain.package,
    rpc: [{ ...urlsOf(chain), provider: 'sandbox' }],
    currencies: chain.currencies,
    confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
    options: chain.options,
  })),
  keys: {
    order: { file: 'keys/order.key' },
    master: { file: 'keys/master.key' },
    hd: { file: 'keys/hd.key' },
    allocator: { file: 'keys/allocator.key' },
    allocators: keyFiles(
      'allocator',
      chains.filter(({ allocator }) => allocator === 'own'),
    ),
    payout: keyFiles('payout', chains),
    origin: keyFiles(
      'origin',
      chains.filter(({ sendsForUsers }) => sendsForUsers),
    ),
  },
  prices: { file: 'prices.json' },
  ...balancesIn(chains),
  plugins: [
    { package: '@causeway/plugin-chains', options: catalogue(chains) },
    // Its keys may approve contracts before the first host starts, and a new database may begin on the same chains.
    { package: '@causeway/plugin-solver', options: { usedKeys: 'open' } },
    // The public client SDK sends its source as referrer and no key to a base address of its own: it works here as it is.
    { package: '@causeway/plugin-quote', options: { referrerRequiresKey: false, quoteV2KeyRequiredFrom: 'never' } },
    // Everything calls from one address here.
    { package: '@causeway/plugin-rate-limits', options: { scale: 1_000 } },
    { package: '@causeway/sandbox/plugin', options: { home } },
    { package: '@causeway/plugin-dashboard', options: { sandbox: true } },
  ],
})

/** Balances are kept in the dollar of the first chain that has one, usually harbor; without any none are kept. */
export const balanceCurrencyOf = (chains: readonly RecordedChain[]): CausewayConfig['balances'] => {
  const [balances] = chains.flatMap(({ id, currencies }) =>
    currencies.filter(({ symbol }) => symbol === 'USDC').map(({ address }) => ({ chainId: id, currency: address })),
  )
  return balances
}

const balancesIn = (chains: readonly RecordedChain[]): Pick<CausewayConfig, 'balances'> => {
  const balances = balanceCurrencyOf(chains)
  return balances === undefined ? {} : { balances }
}

const urlsOf = ({ rpcUrl, wsUrl }: RecordedChain) => ({ http: rpcUrl, ...(wsUrl === '' ? {} : { ws: wsUrl }) })

const keyFiles = (name: string, chains: readonly RecordedChain[]) =>
  Object.fromEntries(chains.map(({ id }) => [String(id), { file: `keys/${name}-${id}.key` }]))

/** Clients may talk to the nodes of the sandbox directly: their addresses carry no secret. */
const catalogue = (chains: readonly RecordedChain[]) => ({
  chains: Object.fromEntries(chains.map((chain) => [String(chain.id), { publicRpc: urlsOf(chain) }])),
})

/** Writes the configuration and the price file of a sandbox. */
export const writeConfig = (paths: SandboxPaths, chains: readonly RecordedChain[], databaseUrl: string): void => {
  const groups = chains.flatMap(({ currencies }) => currencies.map(({ groupId }) => [groupId, '1']))
  writePrivateJson(paths.prices, { ...Object.fromEntries(groups), ...SANDBOX_PRICES })
  writePrivateJson(paths.config, createConfig(paths.home, chains, databaseUrl))
}
