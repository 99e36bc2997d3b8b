import type { Holdings, TokenPlan } from '@causeway/core/testing'

/** A chain to be made. */
export interface ChainPlan {
  readonly id: number
  readonly slug: string
  /** Whose `./testing` entry makes it. */
  readonly package: string
  readonly tokens: readonly TokenPlan[]
  /** A token that no list has and no source prices: it is reached over pools alone. */
  readonly unlisted?: Omit<TokenPlan, 'groupId'>
  readonly solverHolds: Holdings
  readonly userHolds: Holdings
}

const usdc = { symbol: 'USDC', name: 'Sandbox dollar', decimals: 6, groupId: 'usdc' }
const tide = { symbol: 'TIDE', name: 'Sandbox tide', groupId: 'tide' }
const sol = { symbol: 'SOL', name: 'Sandbox SOL', groupId: 'sol' }
const btc = { symbol: 'BTC', name: 'Sandbox bitcoin', groupId: 'btc' }
const eth = { symbol: 'ETH', name: 'Sandbox ether', groupId: 'eth' }

const HOLDINGS = {
  solverHolds: { native: 1_000n, token: 1_000_000n },
  userHolds: { native: 100n, token: 10_000n },
}

const EVM = {
  ...HOLDINGS,
  package: '@causeway/chain-evm',
  unlisted: { symbol: 'CORAL', name: 'Sandbox coral', decimals: 18 },
}

/** The tide has other decimals on each chain, so that mistakes with them show; each native currency is a token elsewhere. */
export const CHAIN_PLANS: readonly ChainPlan[] = [
  {
    ...EVM,
    id: 71_001,
    slug: 'harbor',
    tokens: [usdc, { ...tide, decimals: 18 }, { ...sol, decimals: 9 }, { ...btc, decimals: 8 }],
  },
  { ...EVM, id: 71_002, slug: 'lagoon', tokens: [usdc, { ...tide, decimals: 6 }] },
  {
    ...HOLDINGS,
    id: 71_003,
    slug: 'reef',
    package: '@causeway/chain-svm',
    tokens: [
      { ...usdc, standard: 'token' },
      { ...tide, decimals: 9, standard: 'token-2022' },
      { ...eth, decimals: 8, standard: 'token' },
    ],
  },
  {
    id: 71_004,
    slug: 'glacier',
    package: '@causeway/chain-bvm',
    tokens: [],
    solverHolds: { native: 100n, token: 0n },
    userHolds: { native: 10n, token: 0n },
  },
]

/** Dollars by group, as the price file holds them. */
export const SANDBOX_PRICES: Readonly<Record<string, string>> = {
  eth: '3000',
  usdc: '1',
  tide: '2.5',
  sol: '150',
  btc: '60000',
}
