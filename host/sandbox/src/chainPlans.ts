import type { Holdings, TokenPlan } from '@causeway/core/testing'
import { SandboxError } from './sandboxError.js'

/** A chain to be made. */
export interface ChainPlan {
  readonly id: number
  readonly slug: string
  /** Whose `./testing` entry makes it. */
  readonly package: string
  /** URL of that entry; absent: the entry of the package that is installed with the sandbox. */
  readonly testing?: string
  readonly tokens: readonly TokenPlan[]
  /** A token that no list has and no source prices: it is reached over pools alone. */
  readonly unlisted?: Omit<TokenPlan, 'groupId'>
  readonly solverHolds: Holdings
  readonly userHolds: Holdings
}

const usdc = { symbol: 'USDC', name: 'Sandbox dollar', decimals: 6, groupId: 'usdc' }
const tide = { symbol: 'TIDE', name: 'Sandbox tide', groupId: 'tide' }
const sol = { symbol: 'SOL', name: 'Sandbox SOL', groupId: 'sol' }
const xrp = { symbol: 'XRP', name: 'Sandbox XRP', groupId: 'xrp' }
const hbar = { symbol: 'HBAR', name: 'Sandbox HBAR', groupId: 'hbar' }
const ton = { symbol: 'TON', name: 'Sandbox TON', groupId: 'ton' }
const trx = { symbol: 'TRX', name: 'Sandbox TRX', groupId: 'trx' }
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
    tokens: [
      usdc,
      { ...tide, decimals: 18 },
      { ...sol, decimals: 9 },
      { ...btc, decimals: 8 },
      { ...xrp, decimals: 6 },
      { ...hbar, decimals: 8 },
      { ...ton, decimals: 9 },
      { ...trx, decimals: 6 },
    ],
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
  {
    id: 71_005,
    slug: 'fjord',
    package: '@causeway/chain-xrpvm',
    // Whatever is said here, the ledger counts issued currencies by its own fixed scale.
    tokens: [
      { ...usdc, decimals: 15 },
      { ...eth, decimals: 15 },
    ],
    solverHolds: { native: 1_000_000n, token: 1_000_000n },
    userHolds: { native: 10_000n, token: 10_000n },
  },
  {
    id: 71_006,
    slug: 'atoll',
    package: '@causeway/chain-hederavm',
    tokens: [usdc, { ...eth, decimals: 8 }],
    solverHolds: { native: 5_000_000n, token: 1_000_000n },
    userHolds: { native: 20_000n, token: 10_000n },
  },
  {
    id: 71_007,
    slug: 'islet',
    package: '@causeway/chain-tonvm',
    tokens: [usdc, { ...eth, decimals: 9 }],
    solverHolds: { native: 500_000n, token: 1_000_000n },
    userHolds: { native: 5_000n, token: 10_000n },
  },
  {
    id: 71_008,
    slug: 'cove',
    package: '@causeway/chain-tvm',
    tokens: [usdc, { ...eth, decimals: 18 }],
    solverHolds: { native: 2_000_000n, token: 1_000_000n },
    userHolds: { native: 20_000n, token: 10_000n },
  },
  {
    id: 71_009,
    slug: 'shoal',
    package: '@causeway/chain-hypevm',
    // Its native currency is the dollar.
    tokens: [{ ...eth, decimals: 8 }],
    solverHolds: { native: 1_000_000n, token: 1_000_000n },
    userHolds: { native: 20_000n, token: 10_000n },
  },
  {
    id: 71_010,
    slug: 'bight',
    package: '@causeway/chain-lvm',
    // The native currency is the dollar of perpetuals; ether has the decimals of the exchange.
    tokens: [{ ...eth, decimals: 8 }],
    solverHolds: { native: 1_000_000n, token: 1_000n },
    userHolds: { native: 10_000n, token: 10n },
  },
]

const FEWEST = 2

/**
 * The plans of the chains that are asked for, in their own order.
 * @param asked slugs between commas, as `CAUSEWAY_SANDBOX_CHAINS` holds them; undefined or empty: all
 * @throws SandboxError for an unknown one, and for fewer than two
 */
export const chosenPlans = (asked: string | undefined): readonly ChainPlan[] => {
  if (asked === undefined || asked.trim() === '') return CHAIN_PLANS
  const slugs = new Set(asked.split(',').map((slug) => slug.trim()))
  const known = CHAIN_PLANS.map(({ slug }) => slug)
  const unknown = [...slugs].filter((slug) => !known.includes(slug))
  if (unknown.length > 0) {
    throw new SandboxError(
      `CAUSEWAY_SANDBOX_CHAINS names no chain of the sandbox with "${unknown.join('", "')}". Its chains: ${known.join(', ')}.`,
    )
  }
  if (slugs.size < FEWEST) {
    throw new SandboxError(
      `CAUSEWAY_SANDBOX_CHAINS names one chain; value moves between at least two, for example harbor,fjord.`,
    )
  }
  return CHAIN_PLANS.filter(({ slug }) => slugs.has(slug))
}

/** Dollars by group, as the price file holds them; any other group is worth one. */
export const SANDBOX_PRICES: Readonly<Record<string, string>> = {
  eth: '3000',
  usdc: '1',
  tide: '2.5',
  sol: '150',
  btc: '60000',
  xrp: '2',
  hbar: '0.12',
  ton: '3',
  trx: '0.3',
}
